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
        var seen: Set<String> = []
        var from: TimeWindow.End?
        var to: TimeWindow.End?
        var theme: Theme?
        for parameter in try target.parameters() {
            guard Self.known.contains(parameter.name) else { continue }
            guard seen.insert(parameter.name).inserted else {
                throw Problem.badRequest("\(parameter.name) is given twice")
            }
            switch parameter.name {
            case "layer":
                guard !parameter.value.isEmpty else { throw Problem.badRequest("layer is empty; leave it out for all") }
                selection.layer = parameter.value
            case "from": from = try Self.end(parameter)
            case "to", "asof":
                guard to == nil else {
                    throw Problem.badRequest("to and asof have the same meaning; give only one of them")
                }
                to = try Self.end(parameter)
            case "minus": minus = try Self.window(parameter)
            case "span":
                guard let named = TileRequest.Span(rawValue: parameter.value) else {
                    throw Problem.badRequest("span has to be all or window")
                }
                span = named
            case "ramp": ramp = try Self.ramp(parameter.value)
            case "theme":
                guard let named = Theme(rawValue: parameter.value) else {
                    throw Problem.badRequest("theme has to be light or dark")
                }
                theme = named
            case "track": selection.tracks = try Self.tracks(parameter.value)
            case "marks":
                guard parameter.value == "1" else { throw Problem.badRequest("marks has to be 1, or left out") }
                hasDecorations = true
            case "v": revision = parameter.value
            default: break
            }
        }
        selection.window = TimeWindow(from: from, to: to)
        if selection.window.isReversed == true { throw Self.reversed }
        let isDarkRamp = ramp.flatMap { NamedRamp.named($0) }?.background == .dark
        self.theme = theme ?? (isDarkRamp ? .dark : .light)
        if hasDecorations, selection.tracks.isEmpty {
            throw Problem.badRequest("marks requires track")
        }
    }

    private static let known: Set<String> = [
        "layer", "from", "to", "asof", "minus", "ramp", "theme", "span", "track", "marks", "v",
    ]

    /// `ID[,ID…]`.
    private static func tracks(_ text: String) throws(Problem) -> [String] {
        let ids = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        guard ids.count <= TileSelection.maxTracks else {
            throw Problem.badRequest("track contains \(ids.count) ids; at most \(TileSelection.maxTracks) are allowed")
        }
        guard ids.allSatisfy({ !$0.isEmpty }) else {
            throw Problem.badRequest("track has to be one id, or several separated by commas")
        }
        guard Set(ids).count == ids.count else { throw Problem.badRequest("track contains an id twice") }
        return ids.sorted()
    }

    /// `FROM/TO`; one of them may be empty.
    private static func window(_ parameter: QueryParameter) throws(Problem) -> TimeWindow {
        let parts = parameter.value.split(separator: "/", omittingEmptySubsequences: false)
        let ends = try parts.map { part throws(Problem) -> TimeWindow.End? in
            part.isEmpty ? nil : try end(QueryParameter(name: parameter.name, value: String(part)))
        }
        guard ends.count == 2, ends[0] != nil || ends[1] != nil else {
            throw Problem.badRequest("minus has to be two days such as 2023-01-01/2023-12-31; one of them may be empty")
        }
        let window = TimeWindow(from: ends[0], to: ends[1])
        if window.isReversed == true { throw Problem.badRequest("minus ends before it begins") }
        return window
    }

    /// For windows that end before they begin.
    static let reversed = Problem.badRequest("from has to be before to")

    private static func ramp(_ name: String) throws(Problem) -> String {
        guard NamedRamp.named(name) != nil else {
            let hint = NamedRamp.name(like: name).map { "did you mean \($0)?" }
            let names = NamedRamp.all.map(\.name).joined(separator: ", ")
            throw Problem.badRequest("no ramp has this name; \(hint ?? "the ramps are \(names)")")
        }
        return name
    }

    private static func end(_ parameter: QueryParameter) throws(Problem) -> TimeWindow.End {
        switch DateText(parameter.value) {
        case .day(let day): return .day(day.daysSince1970)
        case .instant(let instant): return .instant(instant)
        case nil:
            throw Problem.badRequest(
                "\(parameter.name) has to be a day such as 2024-05-31, an instant such as 2024-05-31T12:00:00Z, or "
                    + "milliseconds since 1970")
        }
    }
}
