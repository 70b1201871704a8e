import Locking
import Text

/// The entries of all activity lists of an import, by file path.
final class ReportedActivities: Sendable {
    private struct Table {
        var activities: [String: ActivityListEntry] = [:]
        var folders: Set<String> = []
        var timed: [String: GarminActivities] = [:]
    }

    private let table = Locked(Table())

    /// Adds a list found in `folder` (empty, or ending with `/`).
    func add(_ list: ActivityList, in folder: String) {
        table.withLock { table in
            table.folders.insert(folder)
            for (path, activity) in list.activities { table.activities[folder + path] = activity }
        }
    }

    /// Adds activities that describe the files of `folder` by their times.
    func add(_ list: GarminActivities, in folder: String) {
        table.withLock { $0.timed[folder, default: GarminActivities()].add(list.activities) }
    }

    subscript(path: String) -> ActivityListEntry? { table.withLock { $0.activities[path] } }

    /// The entry of a recording in that file, which starts at `start` (milliseconds since 1970; nil if it is unknown).
    func entry(of path: String, start: Int64?) -> ActivityListEntry? {
        table.withLock { table in
            if let entry = table.activities[path] { return entry }
            // Most imports have no such list, and folders are found for each recording.
            guard let start, !table.timed.isEmpty else { return nil }
            return table.timed[GarminActivities.folder(of: path)]?.activity(at: start)
        }
    }

    /// Whether a list for the files below that folder has been added.
    func hasList(_ folder: String) -> Bool {
        table.withLock { $0.folders.contains(folder) || $0.timed[folder] != nil }
    }
}

/// A table that names files of an export and describes their activities: `activities.csv` of Strava, or the exercises of
/// Samsung Health.
struct ActivityList {
    /// Bytes; longer lists are not read.
    static let sizeLimit = 64 * 1024 * 1024
    /// The folder that contains the activity files.
    static let folder = "activities"
    /// The folder of a Strava export that contains planned routes.
    private static let planFolder = "routes"
    private static let fileName = "activities.csv"

    /// The entries, with paths relative to the list's folder.
    let activities: [(path: String, activity: ActivityListEntry)]

    /// Whether the file name is that of an activity list.
    static func isNamed(_ path: String) -> Bool {
        guard let name = path.split(separator: "/").last?.lowercased() else { return false }
        return name == fileName || SamsungExercises.isNamed(name)
    }

    /// The folder (empty, or ending with `/`) that would contain the list for a file; nil if the file is not in a
    /// folder named `activities`, `routes` for plans, or in one of Samsung's exercises or of Garmin's uploaded files.
    static func place(for path: String) -> String? {
        place(for: path, in: folder) ?? place(for: path, in: planFolder) ?? placeOfExercises(for: path)
            ?? GarminActivities.place(for: path)
    }

    private static func placeOfExercises(for path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // Two folders, and one named after the first character of the file.
        guard parts.count >= 4, parts.dropLast(2).suffix(2).elementsEqual(SamsungExercises.folders, by: ==) else {
            return nil
        }
        return parts.dropLast(4).map { $0 + "/" }.joined()
    }

    private static func place(for path: String, in folder: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[parts.count - 2] == folder else { return nil }
        return parts.dropLast(2).map { $0 + "/" }.joined()
    }

    /// Whether a file is a planned route: it is in the folder of routes beside a list, which does not name it.
    static func isPlan(_ path: String, _ activities: ReportedActivities) -> Bool {
        place(for: path, in: planFolder).map(activities.hasList) ?? false && activities[path] == nil
    }

    /// The folder of a list (empty, or ending with `/`).
    static func folder(of path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast().map { $0 + "/" }.joined()
    }

    /// Parses the table; nil if no column has file names.
    init?(_ bytes: [UInt8]) {
        let start = ByteOrderMark.length(in: bytes)
        var rows = Self.rows(bytes[start...])
        guard !rows.isEmpty else { return nil }
        if let exercises = SamsungExercises.entries(rows) {
            activities = exercises
            return
        }
        let header = rows.removeFirst().map { $0.lowercased() }
        guard let file = header.firstIndex(of: "filename") ?? Self.fileColumn(rows) else { return nil }
        // Strava translates the header but keeps the order of the columns.
        let name = header.firstIndex(of: "activity name") ?? 2
        let kind = header.firstIndex(of: "activity type") ?? 3
        let description = header.firstIndex(of: "activity description") ?? 4
        activities = rows.compactMap { row in
            func cell(_ column: Int) -> String? {
                row.indices.contains(column) && !row[column].isEmpty ? row[column] : nil
            }
            guard let path = cell(file) else { return nil }
            var activity = ActivityListEntry(name: cell(name), kind: cell(kind))
            activity.attributes["description"] = cell(description)
            activity.attributes["activity_id"] = cell(0)
            return (path, activity)
        }
    }

    /// The column whose cells are paths into the folder.
    private static func fileColumn(_ rows: [[String]]) -> Int? {
        let columns = rows.prefix(100).compactMap { row in row.firstIndex { $0.hasPrefix(folder + "/") } }
        return columns.first
    }

    /// Splits the table into cells; quoted cells may contain commas, line ends and doubled quotes.
    private static func rows(_ bytes: ArraySlice<UInt8>) -> [[String]] {
        let quote = UInt8(ascii: "\"")
        var rows: [[String]] = []
        var row: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        var at = bytes.startIndex
        while at < bytes.endIndex {
            let byte = bytes[at]
            at += 1
            switch byte {
            case quote where isQuoted && at < bytes.endIndex && bytes[at] == quote:
                cell.append(quote)
                at += 1
            case quote: isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                row.append(ByteText.string(cell))
                cell.removeAll(keepingCapacity: true)
            case 0x0A where !isQuoted:
                row.append(ByteText.string(cell))
                cell.removeAll(keepingCapacity: true)
                rows.append(row)
                row = []
            case 0x0D where !isQuoted: break
            default: cell.append(byte)
            }
        }
        if !row.isEmpty || !cell.isEmpty { rows.append(row + [ByteText.string(cell)]) }
        return rows
    }
}
