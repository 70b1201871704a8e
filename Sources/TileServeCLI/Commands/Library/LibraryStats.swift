import Database
import Files
import GridStorage
import PrimaryStore
import Text
import TrackStore
import Tracks

/// The totals of a library.
struct LibraryStats {
    var tracks = 0
    var points = 0
    var pins = 0
    var metres = 0.0
    var first: Int64?
    var last: Int64?
    var persons: Set<Int64> = []
    var activities: [String: Int] = [:]
    /// The operator's layers.
    var layers: [LayerSummary] = []
    var bytes: [(file: String, count: Int)] = []
    /// The bytes of the grid that are used for lines.
    var lineBytes = 0

    /// Tracks in memory at once.
    private static let pageTracks = 1000

    init(_ library: Library) throws {
        try library.database.read { snapshot in
            var after: String?
            repeat {
                guard let page = try snapshot.tracks(limit: Self.pageTracks, after: after) else { break }
                for track in page.tracks { add(track) }
                after = page.next
            } while after != nil
            pins = try snapshot.pinCount()
        }
        layers = try library.layerSummaries().filter { $0.kind == .condition }
        lineBytes = try library.grid.read { try $0.lineBytes() }
        for (name, kind) in [("tracks.sqlite", DatabaseKind.tracks), ("grid.sqlite", .grid)] {
            bytes.append((name, Int(try library.database.storage.byteCount(kind))))
        }
        bytes.append(("pictures.sqlite", try DiskCache.byteCount(library)))
    }

    private mutating func add(_ track: Track) {
        tracks += 1
        points += track.points
        metres += track.metres
        if let start = track.start { first = min(first ?? start, start) }
        if let end = track.end { last = max(last ?? end, end) }
        persons.insert(track.person)
        if let activity = track.activity?.rawValue { activities[activity, default: 0] += 1 }
    }

    var json: JSONObject {
        var object = JSONObject()
        object.add("tracks", tracks)
        object.add("points", points)
        object.add("pins", pins)
        object.add("metres", number: metres.rounded())
        object.add("start", first.map(InstantFormatter.utc))
        object.add("end", last.map(InstantFormatter.utc))
        object.add("persons", persons.count)
        object.add("activities", counts: activities.map { ($0.key, $0.value) })
        object.add("layers", counts: layers.map { ($0.name, $0.tracks) })
        object.add("bytes", counts: bytes.map { ($0.file, $0.count) })
        object.add("lineBytes", lineBytes)
        return object
    }

    func text(_ calendar: DayCalendar) -> String {
        var rows = [
            ("tracks", DisplayText.count(tracks)), ("points", DisplayText.count(points)),
            ("distance", NumberText.metres(metres)),
        ]
        if pins > 0 { rows.append(("pins", DisplayText.count(pins))) }
        if let first, let last {
            rows.append(("from", InstantFormatter.local(first, calendar) + " " + calendar.zone))
            rows.append(("to", InstantFormatter.local(last, calendar) + " " + calendar.zone))
        }
        rows.append(("persons", DisplayText.count(persons.count)))
        for (name, count) in activities.sorted(by: { $0.key < $1.key }) {
            rows.append(("activity", "\(name.singleLine) (\(DisplayText.count(count, "track")))"))
        }
        for layer in layers {
            rows.append(("layer", "\(layer.name.singleLine) (\(DisplayText.count(layer.tracks, "track")))"))
        }
        rows.append(("lines", NumberText.bytes(lineBytes)))
        for (file, count) in bytes { rows.append(("on disk", "\(file) \(NumberText.bytes(count))")) }
        return rows.map { $0.0.padded(to: 10) + $0.1 + "\n" }.joined()
    }
}
