/// Something that the receipt of an import tells about a venue.
public struct VenueNotice: Sendable, Hashable {
    /// The severities of IMDF's validations (OGC 20-094, Validations 1.0.3).
    public enum Severity: String, Sendable, Comparable {
        case info = "Info"
        case warning = "Warning"
        /// Against the specification; the rest of the file is read all the same.
        case violation = "Violation"

        public static func < (one: Severity, other: Severity) -> Bool {
            one.order < other.order
        }

        private var order: Int {
            switch self {
            case .info: 0
            case .warning: 1
            case .violation: 2
            }
        }
    }

    /// The name of IMDF's rule (`UnitMustHaveLevelId`), or one of ours for other formats.
    public let rule: String
    public let severity: Severity
    /// What was found, in one sentence.
    public let message: String
    /// The id of the feature in its source; empty if it is about the whole file.
    public let feature: String
    /// How many features it is about; `feature` is the first of them.
    public internal(set) var count = 1

    init(_ rule: String, _ severity: Severity, _ message: String, feature: String = "") {
        self.rule = rule
        self.severity = severity
        self.message = message
        self.feature = feature
    }

    /// `Violation UnitMustHaveLevelId: a unit names no level; it was left out (5f2dd97f-… and 3 more)`.
    public var line: String {
        let more = count > 1 ? (feature.isEmpty ? "\(count) times" : "\(feature) and \(count - 1) more") : feature
        return "\(severity.rawValue) \(rule): \(message)" + (more.isEmpty ? "" : " (\(more))")
    }
}

/// Notices as they are found, one for each rule and message.
struct VenueNotices {
    private var found: [String: VenueNotice] = [:]

    mutating func add(_ rule: String, _ severity: VenueNotice.Severity, _ message: String, feature: String = "") {
        let key = rule + "\n" + message
        guard var notice = found[key] else {
            found[key] = VenueNotice(rule, severity, message, feature: feature)
            return
        }
        let count = notice.count + 1
        // The least id, so that the order of features does not matter.
        if feature < notice.feature { notice = VenueNotice(rule, severity, message, feature: feature) }
        notice.count = count
        found[key] = notice
    }

    mutating func violation(_ rule: String, _ message: String, feature: String = "") {
        add(rule, .violation, message, feature: feature)
    }

    mutating func warning(_ rule: String, _ message: String, feature: String = "") {
        add(rule, .warning, message, feature: feature)
    }

    /// The notices, the most severe first.
    var sorted: [VenueNotice] {
        found.values.sorted { one, other in
            (other.severity, one.rule, one.message) < (one.severity, other.rule, other.message)
        }
    }
}
