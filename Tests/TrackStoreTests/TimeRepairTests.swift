import Database
import Files
import SQLite
import TestLibrary
import Testing
import Tracks

@testable import PrimaryStore
@testable import RecordingStore

/// Libraries of versions that accepted any number as a time.
@Suite(.eachStore) struct TimeRepairTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let stamps: [Int64] = [
        -9_223_372_036_854_775_000, .max, -8_640_000_000_000_000, -2_177_452_800_000, 0, 4_102_444_800_000,
        9_000_000_000_000_000,
    ]

    private func chunk(_ times: [Int64]) -> PointColumns {
        PointColumns(
            unit: .decimal(places: 6), longitudes: times.indices.map { 13_400_000 + Int64($0) * 10 },
            latitudes: times.indices.map { _ in 52_500_000 }, times: times, segmentStarts: [0])
    }

    private func edit(_ store: TrackDatabase, _ body: (Connection) throws -> Void) throws {
        let connection = try Connection(path: store.path)
        try body(connection)
        try connection.run("DELETE FROM meta WHERE name = 'plausible_times'")
        // An earlier version stored no sums of rows.
        try connection.setUserVersion(4)
    }

    private func open() throws -> TrackDatabase { try TrackDatabase.fresh(folder) }

    @Test(.onlySQLite("libraries of earlier versions are files"), arguments: stamps)
    func `A stream with an implausible time can be opened and loses no point`(stamp: Int64)
        throws
    {
        do {
            let store = try open()
            try store.add([trickle([1_600_000_000, 1_600_000_060])], device: "phone")
            // The row that a flush of an earlier version wrote, with its track.
            let raw = chunk([stamp])
            try edit(store) { connection in
                try connection.run(
                    """
                    INSERT INTO stream_chunk (stream, first_time, last_time, first_east, first_north, points, bytes)
                    SELECT number, ?, ?, 134000000, 525000000, 1, ? FROM stream
                    """, [.integer(stamp), .integer(stamp), .blob(raw.encoded())])
                try connection.run(
                    """
                    INSERT INTO track (state, id, person, stream, digest, source, device, gap, start, finish, span, points,
                    untimed, metres, anchor)
                    SELECT 0, 'stamped', person, number, zeroblob(32), source, device, gap, ?, ?, 0, 1, 0, 0, ? FROM stream
                    """, [.integer(stamp), .integer(stamp), .integer(stamp)])
            }
        }
        let store = try open()
        let tracks = try store.allTracks()
        #expect(tracks.map(\.points).reduce(0, +) == 3)
        #expect(tracks.map(\.isStream) == [true, false])
        #expect(tracks[0].start == 1_600_000_000_000)
        #expect(tracks[1].start == nil)
        #expect(try store.track(id: "stamped") == nil)
        let found = try store.implausibleTimes()
        #expect(found.map(\.track.number) == [tracks[1].number])
        #expect(found.map(\.points) == [1])
        let column = try #require(try store.points(of: tracks[1]).column(FieldName.implausibleTime)?.values)
        #expect(column == .numbers(places: 0, [stamp]))
        #expect(try store.verify().isEmpty)
        // When it is opened again, nothing changes.
        let revision = try store.head().revision
        #expect(try open().head().revision == revision)
    }

    @Test(.onlySQLite("libraries of earlier versions are files"), arguments: stamps)
    func `A file recording with an implausible time is repaired in place`(stamp: Int64)
        throws
    {
        let times = [1_600_000_000_000, stamp, 1_600_000_002_000]
        var id = ""
        do {
            let store = try open()
            try store.add([chunk([1_600_000_000_000, 1_600_000_001_000, 1_600_000_002_000])])
            id = try #require(try store.allTracks().first?.id)
            try edit(store) { connection in
                try connection.run("UPDATE chunk SET bytes = ?", [.blob(chunk(times).encoded())])
                try connection.run(
                    "UPDATE track SET start = min(start, ?1), finish = max(finish, ?1)", [.integer(stamp)])
            }
        }
        let store = try open()
        let track = try #require(try store.track(id: id))
        #expect(track.points == 3)
        #expect(track.untimed == 1)
        #expect(track.start == 1_600_000_000_000)
        #expect(track.end == 1_600_000_002_000)
        #expect(try store.verify().isEmpty)
        #expect(try store.implausibleTimes().map(\.points) == [1])
        // The same file, read with the current rules, is the same recording.
        let again = try store.add([chunk(times).withPlausibleTimes()])
        #expect(again.duplicatePoints == 3)
        #expect(again.points == 0)
    }

    @Test(.onlySQLite("libraries of earlier versions are files"))
    func `Two recordings that differ only in implausible times are merged`() throws {
        let times: [Int64] = [1_600_000_000_000, -2_177_452_800_000]
        do {
            let store = try open()
            try store.add([chunk(times).withPlausibleTimes()], source: "new.gpx")
            try store.add([chunk([1_600_000_000_000, 1_600_000_001_000])], source: "old.gpx")
            try edit(store) { connection in
                let old = try connection.integer("SELECT number FROM track WHERE source = 'old.gpx'") ?? 0
                try connection.run(
                    "UPDATE chunk SET bytes = ? WHERE key >> 24 = ?", [.blob(chunk(times).encoded()), .integer(old)])
                try connection.run("UPDATE track SET start = ? WHERE number = ?", [.integer(times[1]), .integer(old)])
                try connection.run("UPDATE track SET id = 'old' WHERE number = ?", [.integer(old)])
            }
        }
        let store = try open()
        let tracks = try store.allTracks()
        #expect(tracks.map(\.source) == ["new.gpx"])
        #expect(try store.track(id: "old")?.id == tracks.first?.id)
        #expect(try store.verify().isEmpty)
    }

    @Test func `Recorded points with implausible times become one file recording`() throws {
        let store = try open()
        let stamped = chunk([1_600_000_000_000, 0, 1_600_000_001_000, -2_177_452_800_000])
        for log in ["a", "b"] {
            let recorded = RecordedPoints(
                person: nil, device: "phone", source: "owntracks", points: stamped.withPlausibleTimes())
            let read = try #require(RecordedPoints(decoding: recorded.encoded()))
            _ = try store.moveRecorded(RecordedLog([read]), ofLog: log, samplingMilliseconds: nil)
            try store.deleteProgress(log: log)
        }
        let tracks = try store.allTracks()
        #expect(tracks.map(\.points) == [2, 2])
        #expect(tracks.map(\.untimed) == [0, 2])
        #expect(try store.implausibleTimes().map(\.points) == [2])
        // A log of an earlier version contains the implausible numbers as times.
        let earlier = RecordedPoints(person: nil, device: "phone", source: "owntracks", points: stamped)
        #expect(RecordedPoints(decoding: earlier.encoded())?.points == stamped.withPlausibleTimes())
    }

    @Test(.onlySQLite("libraries of earlier versions are files"), arguments: [Int32(-1), .min])
    func `An impossible schema version is reported as damage`(version: Int32) throws {
        _ = try open()
        let connection = try Connection(path: folder.path + "/library/tracks.sqlite")
        try connection.setUserVersion(version)
        #expect(throws: LibraryError.self) { _ = try open() }
    }
}
