import Database
import Files
import Pins
import SQLite
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore
@testable import TrackStore

@Suite("Pins in the library", .eachStore) struct PinTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let names = ["Hut", "Summit", "", "a < b & \"c\""]

    /// A waypoint; there are few different ones, so that imports share them.
    private func waypoint(_ random: inout SeededRandom) -> PinContent {
        let number = random.below(12)
        let place = PinPlace(e7Longitude: Int64(number) * 10_000_000, latitude: 470_000_000)
        var pin = PinContent(place ?? Self.origin, source: .waypoint, located: .recorded)
        pin.time = number % 3 == 0 ? nil : Int64(number) * 1000
        if number % 4 == 1 { pin.person = "bea" }
        pin.addAttribute(PinAttribute.name, Self.names[number % Self.names.count])
        if random.below(2) == 0 { pin.addAttribute(PinAttribute.description, "text \(random.below(3))") }
        return pin
    }

    private static let origin = PinPlace(longitude: 0, latitude: 0).unsafelyUnwrappedForTests

    /// A recording with waypoints.
    private func track(start: Int64, at indices: Set<Int>) -> [PointColumns] {
        outing(start: start, count: 30).map { chunk in
            var chunk = chunk
            chunk.fields = [
                FieldColumn(
                    name: FieldName.waypoint,
                    values: .numbers(
                        places: 0, (0..<chunk.count).map { indices.contains($0) ? 1 : FieldColumn.absent })),
                FieldColumn(
                    name: FieldName.pointName,
                    values: .texts((0..<chunk.count).map { indices.contains($0) ? "m\($0)" : nil })),
            ]
            return chunk
        }
    }

    /// All pins as stored, in the order of their ids.
    private func pins(_ store: TrackDatabase) throws -> [Pin] {
        var pins: [Pin] = []
        try store.read { try $0.forEachPin { pins.append($0) } }
        return pins.sorted { $0.id < $1.id }
    }

    private func run(
        _ store: TrackDatabase, _ content: [PinContent], _ tracks: [[PointColumns]] = []
    ) throws -> (number: Int64, outcome: RecordingOutcome) {
        let number = try store.beginImportRun(["x"])
        let session = try store.beginImport(of: number)
        let collector = OutcomeCollector()
        for chunks in tracks {
            let recording = try session.open()
            for chunk in chunks { try session.append(chunk, to: recording) }
            try session.end(recording, header: RecordingHeader(source: "a.gpx"))?.store(collector)
        }
        try session.end(content).store(collector)
        try session.finish()
        try store.updateWaypointPins()
        return (number, collector.outcome)
    }

    @Test func `Importing the same pins twice stores them once`() throws {
        let store = try TrackDatabase.fresh(folder)
        var random = SeededRandom(seed: 1)
        let content = (0..<50).map { _ in waypoint(&random) }
        let first = try run(store, content).outcome
        let stored = try pins(store)
        #expect(first.pins == Set(content.map(\.id)).count && first.pins + first.duplicatePins == 50)
        let second = try run(store, content).outcome
        #expect(second.pins == 0 && second.duplicatePins == 50)
        #expect(try pins(store) == stored)
        #expect(try store.verify() == [])
    }

    @Test(arguments: 0..<12) func `Any order of imports gives the same pins, and an undone import was never there`(
        seed: Int
    ) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let imports = (0..<4).map { _ in (0..<8).map { _ in waypoint(&random) } }
        let waypoints: [Set<Int>] = [[3], [3, 7], [], [0, 29]]
        let tracks = (0..<4).map { [track(start: 1_000_000 + Int64($0 % 2) * 1000, at: waypoints[$0])] }
        let without = random.below(4)
        let reference = try TrackDatabase.fresh(folder, "reference")
        for index in 0..<4 where index != without { _ = try run(reference, imports[index], tracks[index]) }
        let store = try TrackDatabase.fresh(folder, "other")
        var number: Int64 = 0
        for index in (0..<4).shuffled(using: &random) {
            let made = try run(store, imports[index], tracks[index]).number
            if index == without { number = made }
        }
        _ = try store.undoImport(importNumber: number)
        try store.updateWaypointPins()
        #expect(try pins(store) == pins(reference))
        #expect(try store.verify() == [])
        #expect(try store.importRecord(number) == nil)
    }

    @Test func `Waypoints of tracks are pins, and are gone with their track`() throws {
        let library = try Library(folder: folder.path + "/marks", zoneIfNew: "UTC")
        let store = library.database
        let result = try run(store, [], [track(start: 1_000_000, at: [2, 5])]).outcome
        #expect(result.pins == 2)
        #expect(try pins(store).compactMap(\.caption).sorted() == ["m2", "m5"])
        #expect(try pins(store).allSatisfy { $0.source == .recordedWaypoint && $0.time != nil })
        _ = try library.remove(store.allTracks().map(\.id)) { _ in }
        #expect(try pins(store) == [])
        #expect(try store.read { try $0.session.integer("SELECT count(*) FROM pin") } == 0)
        #expect(try store.verify() == [])
    }

    @Test(arguments: 0...2) func `A waypoint that another process adds during an update keeps its pin`(
        step: Int
    ) throws {
        let mine = try TrackDatabase.fresh(folder)
        let other = try TrackDatabase.fresh(folder)
        // A device records in two processes, whose points are in one track.
        func record(_ store: TrackDatabase, second: Int64) throws {
            let header = RecordingHeader(device: "phone", source: "app")
            try store.add(track(start: 1_000_000 + second, at: [1]), header)
        }
        try record(mine, second: 0)
        var update = try #require(try WaypointPinUpdate(mine))
        func recordElsewhere(at now: Int) throws {
            guard now == step else { return }
            try record(other, second: 100)
            try other.updateWaypointPins()
            let pin = try #require(try pins(other).max { ($0.time ?? 0) < ($1.time ?? 0) })
            #expect(pin.time == 1_000_101_000)
            #expect(try other.addComment("here", of: nil, on: pin.id) != nil)
        }
        try recordElsewhere(at: 0)
        try update.addPins()
        try recordElsewhere(at: 1)
        try update.removePins()
        try recordElsewhere(at: 2)
        try update.storeRevision()
        #expect(try Set(pins(mine).map(\.time)) == [1_000_001_000, 1_000_101_000])
        try mine.updateWaypointPins()
        #expect(try pins(mine).count == 2 && mine.allTracks().count == 1 && mine.verify() == [])
        let last = try #require(try pins(mine).first { $0.time == 1_000_101_000 })
        #expect(try mine.read { try $0.comments(on: last.id).count } == 1)
    }

    @Test func `A waypoint that was removed from the pins stays removed while its track changes`() throws {
        let library = try Library(folder: folder.path + "/removed", zoneIfNew: "UTC")
        let store = library.database
        _ = try run(store, [], [track(start: 1_000_000, at: [2, 5])])
        let gone = try #require(try pins(store).first { $0.caption == "m2" })
        #expect(try library.removePins([gone.id]) == library.completeRemoval)
        #expect(try pins(store).compactMap(\.caption) == ["m5"])
        // The same points with another field: the track is read again.
        let again = track(start: 1_000_000, at: [2, 5]).map { chunk in
            var chunk = chunk
            chunk.fields.insert(
                FieldColumn(name: "ele", values: .numbers(places: 0, (0..<chunk.count).map { Int64($0) })), at: 0)
            return chunk
        }
        _ = try run(store, [], [again])
        #expect(try pins(store).compactMap(\.caption) == ["m5"])
        #expect(try pins(store).first?.attributes[PinAttribute.elevation] == "5")
        #expect(try store.verify() == [])
    }

    @Test(.onlySQLite("it looks into the files")) func `A removed pin leaves nothing in the file`() throws {
        let path = folder.path + "/secret"
        let library = try Library(folder: path, zoneIfNew: "UTC")
        var content = PinContent(Self.origin, source: .hand, located: .hand)
        content.caption = "a secret that nobody else wrote"
        content.person = "somebody-unusual"
        let pin = try library.database.addPin(content)
        #expect(try library.database.pin(pin.id) == pin)
        #expect(try library.removePins([pin.id]) == library.completeRemoval)
        #expect(try library.database.pin(pin.id) == nil)
        for file in try Folder.entries(of: path).map(\.path).map({ String($0.split(separator: "/").last ?? "") })
        where file.hasPrefix("tracks.sqlite") {
            let text = String(decoding: try AtomicFile.read(path + "/" + file) ?? [], as: UTF8.self)
            #expect(!text.contains("a secret") && !text.contains("somebody-unusual"), "\(file)")
        }
    }

    @Test func `Edits are kept beside what the file says`() throws {
        let store = try TrackDatabase.fresh(folder)
        var content = PinContent(Self.origin, source: .waypoint, located: .recorded)
        content.addAttribute(PinAttribute.name, "Hut")
        content.addAttribute(PinAttribute.type, "Shelter")
        _ = try run(store, [content])
        var edit = PinEdit()
        edit.caption = .set("Closed")
        edit.category = .set("ruin")
        let edited = try #require(try store.editPin(content.id, edit))
        #expect(
            edited.caption == "Closed" && edited.category == "ruin" && edited.attributes[PinAttribute.name] == "Hut")
        edit.caption = .set(nil)
        edit.category = .set(nil)
        let restored = try #require(try store.editPin(content.id, edit))
        #expect(restored.caption == "Hut" && restored.category == "shelter")
    }

    @Test func `Pages have each pin once, newest first, and those without a time last`() throws {
        let store = try TrackDatabase.fresh(folder)
        var random = SeededRandom(seed: 5)
        for _ in 0..<40 {
            var content = PinContent(Self.origin, source: .hand, located: .hand)
            content.time = random.below(4) == 0 ? nil : Int64(random.below(10)) * 1000
            _ = try store.addPin(content)
        }
        var all: [Pin] = []
        var after: String?
        repeat {
            let page = try #require(try store.read { try $0.pins(limit: 7, after: after) })
            all += page.pins
            after = page.next
        } while after != nil
        #expect(Set(all.map(\.id)).count == 40 && all.count == 40)
        let times = all.map { $0.time ?? .min }
        #expect(times == times.sorted(by: >))
        #expect(try store.read { try $0.pins(limit: 7, after: "nonsense") } == nil)
    }

    @Test func `Hours and months are those of the library's zone, also across midnight and summer time`() throws {
        let calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
        // 2024-12-31T23:30Z is 2025-01-01 00:30 in Berlin; 2024-06-30T22:30Z is 2024-07-01 00:30.
        #expect(LocalTime.parts(of: 1_735_687_800_000, in: calendar) == (0, 0))
        #expect(LocalTime.parts(of: 1_719_786_600_000, in: calendar) == (0, 6))
        #expect(LocalTime.parts(of: -1, in: nil) == (23, 11))
        #expect(LocalTime.parts(of: 951_782_400_000, in: nil) == (0, 1), "2000-02-29")
    }

    @Test func `A dry run reports what is new`() throws {
        let store = try TrackDatabase.fresh(folder)
        var random = SeededRandom(seed: 3)
        let content = Array(Set((0..<50).map { _ in waypoint(&random).id })).count
        random = SeededRandom(seed: 3)
        let pins = (0..<50).map { _ in waypoint(&random) }
        let dry = try TrackDatabase.dryRun(of: store)
        #expect(try run(dry, pins).outcome.pins == content)
        #expect(try store.read { try $0.pinCount() } == 0)
        _ = try run(store, pins)
        let again = try TrackDatabase.dryRun(of: store)
        #expect(try run(again, pins).outcome.pins == 0)
    }

    @Test func `Who crossed the opposite meridian was not at a place`() throws {
        let store = try TrackDatabase.fresh(folder)
        let longitudes: [Int64] = [-1_700_010_000, -1_699_990_000, -600_000_000, 600_000_000]
        try store.add(
            [
                PointColumns(
                    unit: .decimal(places: 7), longitudes: longitudes, latitudes: [0, 0, 0, 0],
                    times: [0, 60_000, 86_400_000, 172_800_000], segmentStarts: [0, 2, 3])
            ], RecordingHeader(person: "bea", source: "a.gpx"))
        let places = [100_000_000, -1_700_000_000].compactMap { PinPlace(e7Longitude: $0, latitude: 0) }
        #expect(try store.visited(places, by: "bea") == Set(places.suffix(1)))
    }

    @Test(.onlySQLite("libraries of earlier versions are files"))
    func `A library of the previous version is upgraded, and its waypoints become pins`() throws {
        let path = folder.path + "/old"
        do {
            let library = try Library(folder: path, zoneIfNew: "UTC")
            _ = try run(library.database, [], [track(start: 1_000_000, at: [2, 5])])
        }
        do {
            let connection = try Connection(path: path + "/tracks.sqlite", options: OpenOptions(mode: .create))
            try connection.execute(
                """
                DROP TABLE pin; DROP TABLE pin_origin; DROP TABLE pin_vote; DROP TABLE pin_report; DROP TABLE pin_comment; DROP TABLE pin_comment_vote; DROP TABLE pin_hidden; DELETE FROM meta WHERE name = 'marked'; DELETE FROM row_sum;
                PRAGMA user_version = 6
                """)
        }
        let library = try Library(folder: path)
        try library.catchUp()
        #expect(try pins(library.database).compactMap(\.caption).sorted() == ["m2", "m5"])
    }

    @Test func `Votes for comments are counted once a person, and go with the comment, its pin and the person`() throws
    {
        let store = try TrackDatabase.fresh(folder)
        let place = try #require(PinPlace(longitude: 8, latitude: 47))
        let pins = try (0..<2).map { _ in try store.addPin(PinContent(place, source: .hand, located: .hand)).id }
        let first = try #require(try store.addComment("one", of: "ada", on: pins[0])).number
        let second = try #require(try store.addComment("two", of: "bea", on: pins[0])).number
        func scores() throws -> [Int] { try store.read { try $0.comments(on: pins[0]).map(\.score) } }
        func rows() throws -> Int64? {
            try store.read { try $0.session.integer("SELECT count(*) FROM pin_comment_vote") }
        }
        for person in ["ada", "cleo", "cleo", nil] {
            #expect(try store.setVote(true, of: person, onComment: second, of: pins[0]))
        }
        #expect(try store.setVote(true, of: "bea", onComment: first, of: pins[0]))
        #expect(try scores() == [1, 3])
        #expect(try store.setVote(false, of: nil, onComment: second, of: pins[0]))
        #expect(try scores() == [1, 2])
        // On another pin there is no such comment.
        #expect(try !store.setVote(true, of: "ada", onComment: first, of: pins[1]))
        #expect(try !store.setVote(true, of: "ada", onComment: 99, of: pins[0]))
        // The votes of a person, and those for the comments of a person.
        #expect(try store.removeFeedback(of: "cleo") == 1)
        #expect(try scores() == [1, 1])
        #expect(try store.removeFeedback(of: "ada") == 2)
        #expect(try scores() == [0] && rows() == 0)
        #expect(try store.setVote(true, of: "ada", onComment: second, of: pins[0]))
        #expect(try store.verify() == [])
        _ = try store.markRemoved(pins: [pins[0]])
        try store.eraseRemoved()
        #expect(try rows() == 0)
        #expect(try store.verify() == [])
    }

    @Test func `Votes, comments and what the owner set go to the pins that are read instead`() throws {
        let store = try TrackDatabase.fresh(folder)
        func importPins(_ east: Double, _ names: [String]) throws -> ImportOrigin {
            let number = try store.beginImportRun(["a.gpx"])
            let session = try store.beginImport(of: number)
            let pins = names.enumerated().map { index, name in
                let place = PinPlace(longitude: east + Double(index), latitude: 47) ?? Self.origin
                var pin = PinContent(place, source: .waypoint, located: .recorded)
                pin.addAttribute(PinAttribute.name, name)
                return pin
            }
            try session.end(pins).store(OutcomeCollector(file: 1))
            try session.finish()
            return ImportOrigin(import: number, file: 1)
        }
        let old = try importPins(8, ["Hut", "Summit", "Lake"])
        let hut = try #require(try pins(store).first { $0.attributes[PinAttribute.name] == "Hut" })
        _ = try store.setVote(true, of: "ada", on: hut.id)
        let comment = try #require(try store.addComment("nice", of: "bea", on: hut.id))
        #expect(try store.setVote(true, of: "cleo", onComment: comment.number, of: hut.id))
        let new = try importPins(18, ["Lake", "Hut", "Bridge"])
        try store.replace([old], by: new)
        let left = try pins(store)
        #expect(left.map(\.place.degrees.longitude).sorted() == [18, 19, 20])
        let replaced = try #require(left.first { $0.attributes[PinAttribute.name] == "Hut" })
        #expect(replaced.score == 1 && replaced.comments == 1 && left.reduce(0) { $0 + $1.comments } == 1)
        #expect(try store.read { try $0.comments(on: replaced.id).map(\.score) } == [1])
        #expect(try store.verify() == [])
    }
}

extension Optional {
    /// The value of a constant that is known to exist.
    fileprivate var unsafelyUnwrappedForTests: Wrapped {
        guard let self else { preconditionFailure("the constant does not exist") }
        return self
    }
}
