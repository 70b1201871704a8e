import Text
import Tracks

/// Metadata of a FIT file's recordings, from messages other than `record`.
struct FITAttributes {
    private var attributes: [String: String] = [:]
    private var sport: String?
    private var name: String?
    /// Whether the file is a plan, such as a course, not a recorded outing.
    private(set) var isPlan = false

    /// The types of plans in the `file_id` message: workout, course, schedules, segment, segment list.
    private static let planTypes: Set<Int64> = [5, 6, 7, 34, 35]

    /// The sessions of the file, in the order of their messages.
    private(set) var sessions: [FITSession] = []

    /// The maximum number of sessions, to bound memory.
    private static let sessionLimit = 1000

    /// Describes the recording of a session; nil for a recording without one.
    func describe(_ header: inout RecordingHeader, _ session: FITSession?) {
        header.name = name
        header.activity = session?.sport ?? sport
        header.attributes = attributes
        if let subSport = session?.subSport { header.attributes["sub_sport"] = "\(subSport)" }
    }

    /// Adds a message; `points` is the number of points before it.
    mutating func add(
        _ message: FITMessage, _ bytes: Span<UInt8>, _ start: Int, _ definition: FITDefinition, after points: Int
    ) {
        func number(_ field: UInt8) -> Int64? {
            guard let field = definition.field(field), field.isSingle else { return nil }
            return field.integer(bytes, start, definition.isBigEndian)
        }
        func text(_ field: UInt8) -> String? { definition.field(field)?.text(bytes, start) }
        switch message {
        case .fileIdentity:
            isPlan = number(0).map(Self.planTypes.contains) ?? false
            addAttribute("manufacturer", number(1))
            addAttribute("product", number(2))
            addAttribute("serial_number", number(3))
            if let product = text(8) { attributes["product_name"] = product }
        case .deviceDescription:
            // Index 0 is the device that made the recording.
            guard number(0) == 0 else { return }
            if let product = text(27) { attributes["product_name"] = product }
            if let version = number(5) {
                attributes["software_version"] = FixedDecimal(mantissa: version, places: 2).description
            }
        case .sport:
            sport = number(0).map { FITSport.name($0) } ?? sport
            if let stated = text(3) { attributes["sport_name"] = stated }
        case .session:
            // A sport message stands before the session that it belongs to.
            let stated = number(5).map { FITSport.name($0) } ?? sport
            sport = nil
            guard sessions.count < Self.sessionLimit else { return }
            sessions.append(
                FITSession(
                    start: number(2).flatMap { UInt32(exactly: $0) }.flatMap(Instant.init(fitTimestamp:))?.milliseconds,
                    elapsedMilliseconds: number(7), sport: stated, subSport: number(6), pointsBefore: points))
        case .course:
            name = text(5) ?? name
        case .record, .event, .coursePoint, .fieldDescription: break
        }
    }

    private mutating func addAttribute(_ name: String, _ value: Int64?) {
        if let value { attributes[name] = "\(value)" }
    }
}

/// A session: a part of an activity, in one sport.
struct FITSession {
    /// In milliseconds since 1970.
    var start: Int64?
    var elapsedMilliseconds: Int64?
    var sport: String?
    var subSport: Int64?
    /// The number of the file's points before its message.
    var pointsBefore: Int
}

/// The sessions of a file's points. Some devices write the sessions after their records, some before all records, and
/// some after them; so their times decide, if all are known.
struct FITDivision {
    private enum Rule {
        case byTime
        /// A session has the points before its message and after the one before it.
        case byMessage
        /// All messages stand before the points, and the times of the sessions are not known.
        case onlyFirst
    }

    private let sessions: [FITSession]
    private let rule: Rule

    init(_ sessions: [FITSession]) {
        guard sessions.count > 1, sessions.allSatisfy({ $0.start != nil }) else {
            self.sessions = sessions
            rule = !sessions.isEmpty && sessions.allSatisfy { $0.pointsBefore == 0 } ? .onlyFirst : .byMessage
            return
        }
        rule = .byTime
        // A session that contains others, such as a sum of all, comes before those that begin with it. The longer is
        // first by the exchanged operands: a file may give the smallest integer, which has no negative.
        self.sessions = sessions.sorted {
            ($0.start ?? 0, $1.elapsedMilliseconds ?? 0) < ($1.start ?? 0, $0.elapsedMilliseconds ?? 0)
        }
    }

    /// The session of a point with this number in the file; nil if it has none. `before` is that of the point before.
    func session(ofPoint number: Int, at time: Int64, before: Int?) -> Int? {
        switch rule {
        case .onlyFirst: return 0
        case .byMessage: return sessions.firstIndex { number < $0.pointsBefore }
        case .byTime:
            guard time != PointColumns.untimed else { return before ?? 0 }
            return sessions.lastIndex { $0.start ?? 0 <= time } ?? 0
        }
    }

    subscript(index: Int?) -> FITSession? { index.map { sessions[$0] } }
}
