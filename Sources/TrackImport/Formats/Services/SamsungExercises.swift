/// The table of exercises in an export of Samsung Health (`com.samsung.shealth.exercise.….csv`), which names the files of
/// their locations.
enum SamsungExercises {
    /// The folder of the files, below which each has one named after its first character.
    static let folders = ["jsons", table]
    private static let table = "com.samsung.shealth.exercise"

    /// Whether the last part of a path can be that of a table of exercises; tables of other data have longer names.
    static func isNamed(_ name: String) -> Bool {
        guard name.hasPrefix(table + "."), name.hasSuffix(".csv") else { return false }
        return name.dropFirst(table.count + 1).dropLast(4).allSatisfy(\.isNumber)
    }

    /// The entries of a table by the paths of the files; nil if it is another table.
    static func entries(_ rows: [[String]]) -> [(path: String, activity: ActivityListEntry)]? {
        guard rows.count >= 2, rows[0].first == table else { return nil }
        // Names begin with the name of the data, `com.samsung.health.exercise.`, or have no such part.
        let names = rows[1].map { String($0[($0.lastIndex(of: ".").map($0.index(after:)) ?? $0.startIndex)...]) }
        guard let file = names.firstIndex(of: "location_data") else { return nil }
        return rows.dropFirst(2).compactMap { row in
            func cell(_ name: String) -> String? {
                guard let column = names.firstIndex(of: name), column < row.count, !row[column].isEmpty else {
                    return nil
                }
                return row[column]
            }
            guard file < row.count, let first = row[file].first else { return nil }
            let kind = cell("exercise_type").map { sports[$0] ?? "samsung \($0)" }
            var activity = ActivityListEntry(name: cell("title"), kind: kind)
            activity.attributes["description"] = cell("comment")
            activity.attributes["activity_id"] = cell("datauuid")
            return ((folders + [String(first), row[file]]).joined(separator: "/"), activity)
        }
    }

    /// The numbers of sports in which people move over some distance, as Samsung's documentation lists them
    /// (developer.samsung.com/health/android/data/api-reference/EXERCISE_TYPE.html).
    private static let sports = [
        "0": "other", "1001": "walking", "1002": "running", "3001": "golf", "11001": "inline skating",
        "11002": "hang gliding", "11005": "horseback riding", "11007": "cycling", "11009": "roller skating",
        "13001": "hiking", "13002": "rock climbing", "13003": "backpacking", "13004": "mountain biking",
        "13005": "orienteering", "14001": "swimming", "14003": "canoeing", "14004": "sailing", "14006": "snorkeling",
        "14007": "kayaking", "14008": "kitesurfing", "14009": "rafting", "14011": "windsurfing", "14012": "yachting",
        "14013": "water skiing", "15003": "exercise bike", "15005": "treadmill", "16001": "cross country skiing",
        "16002": "skiing", "16004": "ice skating", "16007": "snowboarding", "16008": "alpine skiing",
        "16009": "snowshoeing",
    ]
}
