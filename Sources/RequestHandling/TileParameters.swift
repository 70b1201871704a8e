public import HTTPCore
public import Styling
import Text
public import TileDrawing
public import TileLog
import Tracks

/// The query parameters of tiles and TileJSON.
public struct TileParameters: Hashable, Sendable {
    /// `layer`, `track`, `from`, `to` and `asof`.
    public private(set) var selection = TileSelection()
    /// `minus`.
    public private(set) var minus: TimeWindow?
    /// `span`.
    public private(set) var span = TileRequest.Span.all
    /// `ramp`: the name of a known ramp.
    public private(set) var ramp: String?
    /// `theme`; if it is not given, dark for ramps made for dark backgrounds, else light.
    public private(set) var theme = Theme.light
    /// `marks`, which requires `track`.
    public private(set) var hasDecorations = false
    /// `v`.
    public private(set) var revision: String?

    /// Reads the parameters of `target`. A parameter that is malformed or sent twice is a `400`; unknown ones are
    /// ignored.
    public init(_ target: RequestTarget) throws(Problem) {
        let parameters = try QueryParameters(target, Self.known)
        if let layer = try parameters.layer() { selection.layer = layer }
        let from = try parameters.end("from")
        guard parameters["to"] == nil || parameters["asof"] == nil else {
            throw QueryParameters.twoEnds
        }
        var to = try parameters.end("to")
        if to == nil { to = try parameters.end("asof") }
        minus = try parameters["minus"].map { text throws(Problem) in try Self.window("minus", text) }
        span = try parameters.choice("span") ?? span
        ramp = try parameters["ramp"].map { text throws(Problem) in try Self.ramp(text) }
        let theme: Theme? = try parameters.choice("theme")
        selection.tracks = try parameters.trackIDs("track", limit: TileSelection.maxTracks)?.sorted() ?? []
        hasDecorations = try parameters.value("marks", "1, or left out") { $0 == "1" ? true : nil } ?? false
        revision = parameters["v"]
        selection.window = TimeWindow(from: from, to: to)
        if selection.window.isReversed == true { throw QueryParameters.reversed }
        let isDarkRamp = ramp.flatMap { NamedRamp.named($0) }?.background == .dark
        self.theme = theme ?? (isDarkRamp ? .dark : .light)
        if hasDecorations, selection.tracks.isEmpty {
            throw Problem.badRequest("marks requires track")
        }
    }

    private static let known: Set<String> = [
        "layer", "from", "to", "asof", "minus", "ramp", "theme", "span", "track", "marks", "v",
    ]

    /// `FROM/TO`; one of them may be empty.
    private static func window(_ name: String, _ text: String) throws(Problem) -> TimeWindow {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let ends = try parts.map { part throws(Problem) -> TimeWindow.End? in
            part.isEmpty ? nil : try QueryParameters.end(name, String(part))
        }
        guard ends.count == 2, ends[0] != nil || ends[1] != nil else {
            throw Problem.badRequest(
                "\(name) has to be two days such as 2023-01-01/2023-12-31; one of them may be empty")
        }
        let window = TimeWindow(from: ends[0], to: ends[1])
        if window.isReversed == true { throw Problem.badRequest("\(name) ends before it begins") }
        return window
    }

    private static func ramp(_ name: String) throws(Problem) -> String {
        guard NamedRamp.named(name) != nil else {
            let hint = NamedRamp.name(like: name).map { "did you mean \($0)?" }
            let names = NamedRamp.all.map(\.name).joined(separator: ", ")
            throw Problem.badRequest("no ramp has this name; \(hint ?? "the ramps are \(names)")")
        }
        return name
    }
}

extension QueryParameters {
    /// An end of a window of tiles.
    fileprivate func end(_ name: String) throws(Problem) -> TimeWindow.End? {
        try self[name].map { text throws(Problem) in try Self.end(name, text) }
    }

    fileprivate static func end(_ name: String, _ text: String) throws(Problem) -> TimeWindow.End {
        switch try date(name, text) {
        case .day(let day): .day(day.daysSince1970)
        case .instant(let instant): .instant(instant)
        }
    }
}
