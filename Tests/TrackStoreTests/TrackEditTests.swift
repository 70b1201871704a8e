import Database
import Files
import SQLite
import TestLibrary
import Testing
import TrackQuery
import Tracks

@testable import PrimaryStore

@Suite(.eachStore) struct TrackEditTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func header(_ name: String, activity: String? = "ride", source: String = "a.gpx") -> RecordingHeader {
        RecordingHeader(name: name, activity: activity, source: source)
    }

    private func edit(
        name: String? = nil, activity: String? = nil, add: [String] = [], remove: [String] = []
    ) -> TrackEdit {
        var edit = TrackEdit()
        (edit.name, edit.activity, edit.addedTags, edit.removedTags) = (name, activity, add, remove)
        return edit
    }

    @Test func `adding and removing tags are changes in the log`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add([(outing(start: 1000, count: 5), header("one"))])
        let track = try #require(try store.allTracks().first)
        let tagged = try store.edit([track.id, "nobody"], edit(add: ["race", "long haul", "race"]))
        #expect(tagged.map(\.tags) == [["long haul", "race"]])
        #expect(try store.changes(since: 1).map(\.metadataChanged) == [[track.number]])
        #expect(try store.edit([track.id], edit(add: ["race"])).isEmpty)
        #expect(try store.head().revision == 2)
        #expect(try store.edit([track.id], edit(remove: ["race", "slow"])).map(\.tags) == [["long haul"]])
        #expect(try store.verify().isEmpty)
    }

    @Test func `an edited activity and name survive a second import until they are removed`()
        throws
    {
        let store = try TrackDatabase.fresh(folder)
        let recording = (outing(start: 1000, count: 5), header("Morning"))
        try store.add([recording])
        let track = try #require(try store.allTracks().first)
        let edited = try #require(try store.edit([track.id], edit(name: "Commute", activity: "run")).first)
        #expect(edited.name == "Commute" && edited.activity == .run)
        #expect(try store.changes(since: 1).first?.changed == [track.number])
        #expect(try store.activities() == [.run])
        try store.add([recording])
        try store.add([(outing(start: 1000, count: 5), header("Afternoon"))])
        #expect(try store.track(number: track.number)?.name == "Commute")
        let back = try #require(try store.edit([track.id], edit(name: "", activity: "")).first)
        // The smaller of two recorded names wins.
        #expect(back.name == "Afternoon" && back.activity == .ride)
        var filter = TrackFilter()
        filter.condition = try TrackCondition(parsing: "name = afternoon")
        filter.calendar = DayCalendar(zone: "UTC")
        #expect(try store.tracks(filter, limit: 5)?.tracks.count == 1)
    }

    @Test func `the edits of two tracks of a stream are kept when they become one`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add([trickle(Array(0..<60))], device: "phone")
        try store.add([trickle(Array(7200..<7260))], device: "phone")
        let tracks = try store.allTracks().sorted { $0.number < $1.number }
        #expect(tracks.count == 2)
        _ = try store.edit([tracks[0].id], edit(name: "Out", add: ["a"]))
        _ = try store.edit([tracks[1].id], edit(name: "Home", activity: "walk", add: ["a", "b"]))
        try store.add([trickle(stride(from: 60, to: 7200, by: 100).map { Int64($0) })], device: "phone")
        let joined = try store.allTracks()
        #expect(joined.map(\.tags) == [["a", "b"]])
        // Each value by itself: the one that stays has no activity of its own.
        #expect(joined.first?.name == "Out" && joined.first?.activity == .walk)
    }

    @Test func `a removed track loses its tags, also when it is imported again`() throws {
        let store = try TrackDatabase.fresh(folder)
        let recording = (outing(start: 1000, count: 5), header("one"))
        try store.add([recording])
        let id = try #require(try store.allTracks().first?.id)
        _ = try store.edit([id], edit(activity: "swim", add: ["race"]))
        try store.markRemoved([id])
        try store.eraseRemoved()
        #expect(try store.activities().isEmpty)
        try store.add([recording])
        let again = try #require(try store.allTracks().first)
        #expect(again.tags.isEmpty && again.activity == .ride)
    }

    @Test func `layers are numbered downwards, and their names are unique`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add([(outing(start: 1000, count: 5), header("one"))])
        let condition = try TrackCondition(parsing: "tag = race")
        #expect(try store.addLayer(name: "Races", condition: condition).number == 254)
        #expect(try store.addLayer(name: "Mein Ärger", condition: condition).number == 253)
        #expect(try store.changes(since: 1).map(\.layers) == [[254], [253]])
        #expect(throws: LayerError.exists("Races")) { try store.addLayer(name: "Races", condition: condition) }
        #expect(throws: LayerError.exists("all")) { try store.addLayer(name: "all", condition: condition) }
        #expect(throws: LayerError.isActivity("ride")) { try store.addLayer(name: "ride", condition: condition) }
        for name in ["", " x", "x ", "-x", "a/b", String(repeating: "x", count: 41)] {
            #expect(throws: LayerError.badName(name)) { try store.addLayer(name: name, condition: condition) }
        }
        #expect(try store.removeLayer(name: "Races"))
        #expect(try !store.removeLayer(name: "Races"))
        #expect(try store.layers().map(\.name) == ["Mein Ärger"])
        #expect(try store.addLayer(name: "Other", condition: condition).number == 254)
        let again = try TrackDatabase(folder: folder.path + "/library")
        #expect(try again.layers() == store.layers())
        #expect(try again.verify().isEmpty)
    }

    @Test func `layers leave the numbers of activities free`() throws {
        let store = try TrackDatabase.fresh(folder)
        let condition = try TrackCondition(parsing: "tag = race")
        let most = 254 - Activity.allCases.count
        let numbers = try (0..<most).map { try store.addLayer(name: "layer \($0)", condition: condition).number }
        #expect(Set(numbers).isDisjoint(with: Activity.allCases.map(\.number)))
        #expect(throws: LayerError.noNumberLeft(activities: Activity.allCases.count, layers: most)) {
            try store.addLayer(name: "one more", condition: condition)
        }
        #expect(try store.activityNumbers().count == Activity.allCases.count)
    }

    @Test func `an activity gets its number when the layer that has it is removed`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add([
            (outing(start: 1000, count: 2), header("one", activity: "running")),
            (outing(start: 2000, count: 2), header("two", activity: "ride")),
        ])
        // Earlier versions numbered layers down to 1.
        try store.write { writer in
            try writer.session.run(
                "INSERT INTO layer VALUES ($1, 'old', 'tag = race')", [.integer(Int(Activity.run.number))])
        }
        #expect(try store.activityNumbers()[.run] == nil)
        let revision = try store.head().revision
        _ = try store.removeLayer(name: "old")
        let change = try #require(try store.changes(since: revision).first)
        #expect(change.changed.count == 1 && change.layers == [Int64(Activity.run.number)])
        #expect(try store.activityNumbers()[.run] == Activity.run.number)
    }

    @Test func `words for an activity are kept and select the same tracks`() throws {
        let store = try TrackDatabase.fresh(folder)
        let words = ["running", "course à pied", "run", "golf", "unknown"]
        try store.add(
            words.enumerated().map { (outing(start: Int64($0) * 1000, count: 2), header("n", activity: $1)) })
        let tracks = try store.allTracks().sorted { $0.number < $1.number }
        #expect(tracks.map(\.activity) == [.run, .run, .run, .other, nil])
        #expect(tracks.map(\.activityRecorded) == words)
        func count(_ word: String) throws -> [Int] {
            var filter = TrackFilter()
            filter.activity = ActivityFilter(word)
            let listed = try store.tracks(filter, limit: 9)?.tracks.count ?? 0
            // A filter with a box lists the tracks, one without asks the database.
            let boxes = try store.bounds(filter)
            return [listed, boxes.isEmpty ? 0 : 1]
        }
        for word in ["run", "running", "Laufen"] { #expect(try count(word) == [3, 1]) }
        #expect(try count("golf") == [1, 1] && count("other") == [1, 1])
        #expect(try count("none") == [1, 1] && count("swim") == [0, 0] && count("tennis") == [0, 0])
        _ = try store.edit([tracks[3].id], edit(activity: "ski"))
        let edited = try #require(try store.track(number: tracks[3].number))
        #expect(edited.activity == .ski && edited.activityRecorded == "golf")
    }

    @Test(.onlySQLite("libraries of earlier versions are files"))
    func `a library of the first version is opened with all its data`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add([(outing(start: 1000, count: 5), header("one"))])
        let before = try store.allTracks()
        let connection = try Connection(
            path: folder.path + "/library/tracks.sqlite", options: OpenOptions(mode: .create))
        let younger = ["layer", "edit", "tag", "import", "import_file", "content", "source", "stream_source"]
        for table in younger { try connection.execute("DROP TABLE \(table)") }
        try connection.setUserVersion(1)
        let again = try TrackDatabase(folder: folder.path + "/library")
        #expect(try again.allTracks() == before)
        #expect(try again.layers().isEmpty)
        #expect(try again.verify().isEmpty)
    }
}
