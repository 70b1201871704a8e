package import HTTPCore
package import Text
package import TileMath
import TrackStore
package import Tracks

/// The query parameters of a request, read one by one. One that is malformed or sent twice is a `400`; unknown ones are
/// ignored.
package struct QueryParameters: Sendable {
    private let values: [String: String]

    /// Reads a query. If `names` are given, only these parameters are read, and others may be sent twice.
    package init(_ target: RequestTarget, _ names: Set<String>? = nil) throws(Problem) {
        var values: [String: String] = [:]
        for parameter in try target.parameters() where names?.contains(parameter.name) ?? true {
            guard values.updateValue(parameter.value, forKey: parameter.name) == nil else {
                throw Problem.badRequest("\(parameter.name) is given twice")
            }
        }
        self.values = values
    }

    /// The text of a parameter; nil if it is not given.
    package subscript(name: String) -> String? { values[name] }

    /// What `read` makes of a parameter, nil if it is not given. If `read` returns nil, the `400` says what is
    /// `expected`.
    package func value<Value>(
        _ name: String, _ expected: @autoclosure () -> String, _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = values[name] else { return nil }
        guard let value = read(text) else { throw Problem.badRequest("\(name) has to be \(expected())") }
        return value
    }

    // MARK: Numbers and words

    /// A whole number within a range.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        try value(name, "a number from \(range.lowerBound) to \(range.upperBound)") { text in
            Self.digits(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// The number that a text of decimal digits stands for; nil for signs, other characters, and too many digits.
    package static func digits(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// A word of an enumeration.
    package func choice<Value: RawRepresentable<String> & CaseIterable>(_ name: String) throws(Problem) -> Value? {
        try value(name, Self.words(of: Value.self)) { Value(rawValue: $0) }
    }

    /// The words of an enumeration, as `a, b or c`.
    package static func words<Value: RawRepresentable<String> & CaseIterable>(of type: Value.Type) -> String {
        DisplayText.list(Value.allCases.map(\.rawValue), "or")
    }

    /// Whether a parameter is 1; false if it is 0 or not given.
    package func flag(_ name: String) throws(Problem) -> Bool {
        try value(name, "0 or 1") { ["0": false, "1": true][$0] } ?? false
    }

    /// Width and height in pixels, as `1024x768`.
    package func size(_ name: String, in sides: ClosedRange<Int>) throws(Problem) -> (width: Int, height: Int)? {
        let most = "WIDTHxHEIGHT in pixels, each \(sides.lowerBound) to \(sides.upperBound)"
        return try value(name, most) { text in
            let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { side in
                side.first == "0" ? nil : Self.digits(side)
            }
            guard numbers.count == 2, let width = numbers[0], let height = numbers[1], sides.contains(width),
                sides.contains(height)
            else { return nil }
            return (width, height)
        }
    }

    // MARK: Time

    /// A day or an instant.
    package func date(_ name: String) throws(Problem) -> DateText? {
        try values[name].map { text throws(Problem) in try Self.date(name, text) }
    }

    /// A day or an instant in a text; `name` is that of its parameter.
    package static func date(_ name: String, _ text: String) throws(Problem) -> DateText {
        guard let date = DateText(text) else {
            throw Problem.badRequest(
                "\(name) has to be a day such as 2025-03-30, an instant such as 2025-03-30T08:00:00Z, or milliseconds "
                    + "since 1970")
        }
        return date
    }

    /// The time from `from` to `to`, as instants; `asof` is the same as `to` if `takesAsOf`.
    package func window(_ calendar: DayCalendar, takesAsOf: Bool = false) throws(Problem) -> (from: Int64?, to: Int64?)
    {
        let from = try date("from")?.begin(in: calendar)
        let to = try date("to")?.end(in: calendar)
        if let from, let to, from >= to { throw Self.reversed }
        guard takesAsOf, let asof = try date("asof") else { return (from, to) }
        guard to == nil else { throw Self.twoEnds }
        return (from, asof.end(in: calendar))
    }

    /// For windows that end before they begin.
    package static let reversed = Problem.badRequest("from has to be before to")
    package static let twoEnds = Problem.badRequest("to and asof have the same meaning; give only one of them")

    /// The years that calendars and reviews can have.
    package static let years = 1...9998

    // MARK: Places

    /// The position of `lon` and `lat`, which have to be given.
    package func position() throws(Problem) -> GeoPoint {
        guard let longitude = Self.degrees(values["lon"]), let latitude = Self.degrees(values["lat"]),
            let position = GeoPoint(longitude: longitude, latitude: latitude)
        else { throw Problem.badRequest("lon and lat have to be degrees, -180 to 180 and -90 to 90") }
        return position
    }

    private static func degrees(_ text: String?) -> Double? { text.flatMap { FixedDecimal($0)?.double } }

    /// A box `W,S,E,N` in degrees.
    package func box(_ name: String) throws(Problem) -> BoundingBox? {
        try value(name, "west,south,east,north in degrees") { BoundingBox(text: $0) }
    }

    /// A zoom level.
    package func zoom(_ name: String) throws(Problem) -> ZoomLevel? {
        try value(name, "a zoom level, 0 to \(ZoomLevel.deepest)") { Self.digits($0).flatMap { ZoomLevel($0) } }
    }

    /// A zoom level of explorer tiles; nil if it is not given.
    package func explorerZoom(_ name: String) throws(Problem) -> Int? {
        try value(name, ExplorerQuery.zooms.map { "\($0)" }.joined(separator: " or ")) { text in
            ExplorerQuery.zooms.first { "\($0)" == text }
        }
    }

    // MARK: Tracks

    /// The name of a layer; nil for all tracks.
    package func layer() throws(Problem) -> String? {
        guard let name = values["layer"] else { return nil }
        guard !name.isEmpty else { throw Problem.badRequest("layer is empty; leave it out for all") }
        return name
    }

    /// The elements of a text that are separated by commas, also where a combining character follows one.
    package static func elements(of text: String) -> [String] {
        text.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    }

    /// The ids of tracks, `ID[,ID…]`, at most `limit`, each once.
    package func trackIDs(_ name: String, limit: Int) throws(Problem) -> [String]? {
        guard let text = values[name] else { return nil }
        let ids = Self.elements(of: text)
        guard ids.count <= limit else {
            throw Problem.badRequest("\(name) contains \(ids.count) ids; at most \(limit) are allowed")
        }
        guard ids.allSatisfy({ !$0.isEmpty }) else {
            throw Problem.badRequest("\(name) has to be one id, or several separated by commas")
        }
        guard Set(ids).count == ids.count else { throw Problem.badRequest("\(name) contains an id twice") }
        return ids
    }
}
