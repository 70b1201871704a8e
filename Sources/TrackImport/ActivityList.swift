import Locking
import Tracks

/// What a list of activities says of one file.
struct ListedActivity: Sendable {
    var name: String?
    var kind: String?
    var notes: [String: String] = [:]

    /// Says it of a recording of the file: the list is newer than the file, since people rename where they upload.
    func describe(_ header: inout RecordingHeader) {
        header.name = name ?? header.name
        header.activity = kind?.lowercased() ?? header.activity
        header.notes.merge(notes) { own, _ in own }
    }
}

/// What lists of activities say of the files of an import, by their paths.
final class ReportedActivities: Sendable {
    private struct Table {
        var activities: [String: ListedActivity] = [:]
        var folders: Set<String> = []
    }

    private let table = Locked(Table())

    /// Notes a list that lies in `folder` (empty, or with a `/` at its end).
    func tell(_ list: ActivityList, in folder: String) {
        table.withLock { table in
            table.folders.insert(folder)
            for (path, activity) in list.activities { table.activities[folder + path] = activity }
        }
    }

    subscript(path: String) -> ListedActivity? { table.withLock { $0.activities[path] } }

    /// Whether a list has told of the files below that folder.
    func know(_ folder: String) -> Bool { table.withLock { $0.folders.contains(folder) } }
}

/// The list of activities in Strava's export, `activities.csv`: it names files, and what was done there.
struct ActivityList {
    /// Longer lists are not read.
    static let sizeLimit = 64 * 1024 * 1024
    /// The folder that the files lie in.
    static let folder = "activities"
    private static let fileName = "activities.csv"

    /// Each file, by its path from the list's folder on.
    let activities: [(path: String, activity: ListedActivity)]

    /// Whether a file is called as lists are.
    static func isNamed(_ path: String) -> Bool {
        path.split(separator: "/").last?.lowercased() == fileName
    }

    /// The folder, with a `/` at its end, where the list would be that tells of a file; nil for one that does not lie where
    /// such files do.
    static func place(for path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[parts.count - 2] == folder else { return nil }
        return parts.dropLast(2).map { $0 + "/" }.joined()
    }

    /// The folder, with a `/` at its end, that a list lies in.
    static func folder(of path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast().map { $0 + "/" }.joined()
    }

    /// nil for a table that names no files.
    init?(_ bytes: [UInt8]) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var rows = Self.rows(bytes[start...])
        guard !rows.isEmpty else { return nil }
        let header = rows.removeFirst().map { $0.lowercased() }
        guard let file = header.firstIndex(of: "filename") ?? Self.fileColumn(rows) else { return nil }
        // Strava translates the header and keeps the columns' order.
        let name = header.firstIndex(of: "activity name") ?? 2
        let kind = header.firstIndex(of: "activity type") ?? 3
        let description = header.firstIndex(of: "activity description") ?? 4
        activities = rows.compactMap { row in
            func cell(_ column: Int) -> String? {
                row.indices.contains(column) && !row[column].isEmpty ? row[column] : nil
            }
            guard let path = cell(file) else { return nil }
            var activity = ListedActivity(name: cell(name), kind: cell(kind))
            activity.notes["description"] = cell(description)
            activity.notes["activity_id"] = cell(0)
            return (path, activity)
        }
    }

    /// The column whose cells lead to files in the folder.
    private static func fileColumn(_ rows: [[String]]) -> Int? {
        let columns = rows.prefix(100).compactMap { row in row.firstIndex { $0.hasPrefix(folder + "/") } }
        return columns.first
    }

    /// Cells between commas; quoted ones may hold commas, line ends and doubled quotes.
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
                row.append(Text.string(cell))
                cell.removeAll(keepingCapacity: true)
            case 0x0A where !isQuoted:
                row.append(Text.string(cell))
                cell.removeAll(keepingCapacity: true)
                rows.append(row)
                row = []
            case 0x0D where !isQuoted: break
            default: cell.append(byte)
            }
        }
        if !row.isEmpty || !cell.isEmpty { rows.append(row + [Text.string(cell)]) }
        return rows
    }
}
