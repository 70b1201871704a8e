import Text
import TrackStore

extension LayerSummary {
    /// The message for a name that no layer has.
    static func noSuchLayer(_ name: String, among known: [String]) -> String {
        let hint =
            SpellingSuggestion.nearest(to: name, of: known).map { "did you mean '\($0)'?" }
            ?? "see 'tileserve layers list'"
        return "\(name.singleLine): no such layer; \(hint)"
    }

    /// Which tracks the layer contains, for the user.
    var description: String {
        switch kind {
        case .all: "every track"
        case .activity: "an activity's tracks"
        case .condition: "where \(condition ?? "")"
        }
    }

    var readiness: String {
        progress.map { " (being built: \(Int($0 * 100)) %)" } ?? ""
    }

    /// The layer as a JSON object.
    var json: JSONObject {
        var object = JSONObject()
        object.add("name", name)
        object.add("kind", kind.rawValue)
        object.add("where", condition)
        object.add("ready", progress == nil)
        if let progress { object.add("progress", number: (progress * 1000).rounded() / 1000) }
        object.add("tracks", tracks)
        object.add("points", points)
        object.add("metres", number: metres.rounded())
        return object
    }

    /// The layer's details, line by line.
    var lines: [String] {
        TextTable.details([
            ("name", name), ("tracks", DisplayText.count(tracks)), ("points", DisplayText.count(points)),
            ("distance", NumberText.metres(metres)), ("condition", description),
            ("ready", progress == nil ? "yes" : "no\(readiness)"),
        ])
    }
}
