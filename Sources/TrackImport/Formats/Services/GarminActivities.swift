import Text
import Tracks

/// The activities in an export of Garmin (`DI_CONNECT/DI-Connect-Fitness/…_summarizedActivities.json`), which gives their
/// names. It names no files, so recordings are found by the time of their start.
struct GarminActivities {
    struct Activity {
        /// In milliseconds since 1970.
        var start: Int64
        var end: Int64
        var entry: ActivityListEntry
    }

    private static let member = "summarizedActivitiesExport"
    private static let fileName = "summarizedActivities.json"
    private static let exportFolder = "DI_CONNECT"
    /// The folder of the files that devices uploaded.
    private static let uploadFolder = "DI-Connect-Uploaded-Files"

    /// By start, each start once.
    private(set) var activities: [Activity] = []

    /// Whether a text begins like such a list.
    static func recognises(_ head: [UInt8]) -> Bool {
        let opening = Array("[{".utf8)
        return head.drop { $0 <= 0x20 || opening.contains($0) }.starts(with: "\"\(member)\"".utf8)
    }

    /// Whether the file name is that of such a list.
    static func isNamed(_ path: String) -> Bool { path.hasSuffix(fileName) }

    /// The folder (empty, or ending with `/`) whose files a list describes, and whose list describes a file: that of
    /// the export, or the file's own.
    static func folder(of path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let count = parts.dropLast().firstIndex { $0 == exportFolder }.map { $0 + 1 } ?? parts.count - 1
        return parts.prefix(count).map { $0 + "/" }.joined()
    }

    /// The folder of the list for a file that a device uploaded; nil for other files.
    static func place(for path: String) -> String? {
        path.contains("\(exportFolder)/\(uploadFolder)/") ? folder(of: path) : nil
    }

    /// Reads a list; what was read before an error is kept.
    mutating func read(_ nextBlock: @escaping () throws -> [UInt8]) throws {
        var read: [Activity] = []
        defer { add(read) }
        var reader = JSONReader(nextBlock)
        while try reader.peekText() != nil {
            // One activity at a time is in memory: lists of many years, with the splits of activities, have over 100 MB.
            try reader.eachObject(listedIn: [Self.member]) { object, _ in
                if let activity = Activity(object) { read.append(activity) }
            }
        }
    }

    /// Adds activities. Of several with the same start, the shortest remains: the first part of a multisport activity.
    mutating func add(_ others: [Activity]) {
        let sorted = (activities + others).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        activities = []
        for activity in sorted where activity.start != activities.last?.start { activities.append(activity) }
    }

    /// The activity of a recording that starts at `time`, in milliseconds since 1970: the last that began before, unless
    /// it had ended. The first position may be minutes after the start.
    func activity(at time: Int64) -> ActivityListEntry? {
        var low = 0
        var high = activities.count
        while low < high {
            let middle = (low + high) / 2
            if activities[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        guard low > 0, time <= activities[low - 1].end else { return nil }
        return activities[low - 1].entry
    }
}

extension GarminActivities.Activity {
    /// nil for an object that is no activity.
    fileprivate init?(_ object: JSONValue) {
        func milliseconds(_ name: String) -> Int64? { object[name]?.decimal?.rescaled(to: 0) }
        guard let start = milliseconds("beginTimestamp") else { return nil }
        self.start = start
        // With pauses, and without.
        let duration = max(milliseconds("elapsedDuration") ?? 0, milliseconds("duration") ?? 0)
        let (end, overflow) = start.addingReportingOverflow(duration)
        self.end = overflow ? start : end
        let kind = object["activityType"]?.text
        // The sport of the file says more than `other` and `uncategorized`.
        let known = kind.flatMap { Tracks.Activity(word: $0) }
        entry = ActivityListEntry(name: object["name"]?.text, kind: known == nil || known == .other ? nil : kind)
        entry.attributes["activity_id"] = object["activityId"]?.text
    }
}
