import Database
import Files
import SQLite
import TestLibrary
import Testing
import TrackQuery
import Tracks

@testable import TrackStore

@Suite struct TrackEditTests {
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
        #expect(try store.changes(since: 1).map(\.described) == [[track.number]])
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
        #expect(edited.name == "Commute" && edited.activity == "run")
        #expect(try store.changes(since: 1).first?.changed == [track.number])
        #expect(try store.activities() == ["run"])
        #expect(try store.activityNumbers()["run"] != nil)
        try store.add([recording])
        try store.add([(outing(start: 1000, count: 5), header("Afternoon"))])
        #expect(try store.track(number: track.number)?.name == "Commute")
        let back = try #require(try store.edit([track.id], edit(name: "", activity: "")).first)
        // The smaller of two recorded names wins.
        #expect(back.name == "Afternoon" && back.activity == "ride")
        var filter = TrackFilter()
        filter.condition = try TrackCondition(parsing: "name = afternoon")
        filter.calendar = DayCalendar(zone: "UTC")
        #expect(try store.tracks(filter, for: .owner, limit: 5)?.tracks.count == 1)
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
        #expect(joined.first?.name == "Out")
    }

    @Test func `a removed track loses its tags, also when it is imported again`() throws {
        let store = try TrackDatabase.fresh(folder)
        let recording = (outing(start: 1000, count: 5), header("one"))
        try store.add([recording])
        let id = try #require(try store.allTracks().first?.id)
        _ = try store.edit([id], edit(activity: "swim", add: ["race"]))
        try store.markRemoved([id])
        try store.eraseRemoved()
        #expect(try store.activityNumbers().isEmpty)
        try store.add([recording])
        let again = try #require(try store.allTracks().first)
        #expect(again.tags.isEmpty && again.activity == "ride")
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

    @Test func `an activity or layer added after all numbers are used gets none`() throws {
        let store = try TrackDatabase.fresh(folder)
        let condition = try TrackCondition(parsing: "tag = race")
        for number in 0..<2 { _ = try store.addLayer(name: "layer \(number)", condition: condition) }
        try store.add(
            (0..<254).map { (outing(start: Int64($0) * 1000, count: 2), header("n", activity: "act \($0 + 1000)")) })
        let numbers = try store.activityNumbers()
        #expect(numbers.count == 252)
        #expect(Set(numbers.values) == Set(1...252))
        #expect(throws: LayerError.noNumberLeft(activities: 254, layers: 2)) {
            try store.addLayer(name: "one more", condition: condition)
        }
        let revision = try store.head().revision
        _ = try store.removeLayer(name: "layer 1")
        let change = try #require(try store.changes(since: revision).first)
        #expect(change.changed.count == 1 && change.layers == [253])
        #expect(try store.activityNumbers().count == 253)
    }

    @Test func `a library of the first version is opened with all its data`() throws {
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
