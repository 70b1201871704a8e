import Database
import Digest
import Files
import SQLite
import TestLibrary
import Testing
import Tracks

@testable import GridStorage
@testable import PrimaryStore
@testable import TrackStore

/// Ids, digests and rows of one small library: values that exist in libraries on disk and in the links of their users.
@Suite(.eachStore) struct KnownAnswerTests {
    private let folder: TemporaryFolder
    private let library: Library

    /// Three points, a second apart, seven metres apart.
    private static let chunk = PointColumns(
        unit: .decimal(places: 7), longitudes: [134_000_000, 134_000_700, 134_001_400],
        latitudes: [525_000_000, 525_000_100, 525_000_200],
        times: [1_559_390_400_000, 1_559_390_401_000, 1_559_390_402_000], segmentStarts: [0],
        fields: [FieldColumn(name: FieldName.elevation, values: .numbers(places: 1, [345, 350, 355]))])

    /// A library whose random id is replaced by a known one, with a file of nobody, the same file of a person, and a
    /// device.
    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path + "/library"
        do {
            let new = try TrackDatabase(folder: path, zoneIfNew: "Europe/Berlin", now: { 1_559_390_400 })
            try new.write { try $0.session.run("UPDATE meta SET value = 'library' WHERE name = 'library'") }
        }
        let database = try TrackDatabase(folder: path, now: { 1_559_390_400 })
        try database.add([Self.chunk], source: "a.gpx")
        try database.add([([Self.chunk], RecordingHeader(person: "ada", source: "a.gpx"))])
        try database.add([Self.chunk], source: "phone", device: "phone")
        library = try Library(folder: path)
        try library.catchUp()
    }

    @Test func `Ids of tracks keep their values`() throws {
        #expect(
            try library.database.allTracks().sorted { $0.number < $1.number }.map(\.id) == [
                "Ip0Mf00A1H", "ZMd3nm2vkN", "nv-f00QVKb",
            ])
    }

    @Test func `The digests of tracks keep their values`() throws {
        let digests = try library.database.allTracks().sorted { $0.number < $1.number }.map(\.digest.description)
        #expect(
            digests == [
                "528989d8ff5efa9beaf160fafca0aa96d20043105f2eed523a9f57320abe39ab",
                "528989d8ff5efa9beaf160fafca0aa96d20043105f2eed523a9f57320abe39ab",
                "528989d8ff5efa9beaf160fafca0aa96d20043105f2eed523a9f57320abe39ab",
            ])
    }

    @Test func `The digests of the change log keep their values`() throws {
        #expect(
            try library.database.changes(since: 0).map(\.digest.description)
                == [
                    "6f8b0b9e5fef40f9bfc96d65cd060788898e38cfb67d61fad1dcdcfcf59472ae",
                    "541bb89ca943e7e1b2d06ccb1714fb43bb7d93aa86badd9c81a5b94c67dce9c4",
                    "fd71fce3cf5acabec7e8cca62f1ee1638ccb220e35c56343858f27866c6348d4",
                ])
    }

    @Test func `The rows of the grid keep their bytes`() throws {
        let lines = try GridDump.textLines(library.grid)
        #expect(lines.count == 72)
        func digest(_ lines: [String]) -> String {
            ContentDigest(of: Array(lines.joined(separator: "\n").utf8)).description
        }
        let tiles = lines.filter { !$0.hasPrefix("ledger") && !$0.hasPrefix("minutes") && !$0.hasPrefix("stays") }
        #expect(digest(tiles) == "c7a485d8e12275218ae8c069a281db49d2b122aadfe1d2b53d4783001e7d2fff")
        #expect(digest(lines) == "f35e1cdd703122a5834528b7aeca4983606c0959853d209e7bdcc4793d76c531")
    }

    @Test func `Checksums of the rows of the grid keep their values`() {
        func checksum(_ row: GridRowChecksum, _ bytes: [UInt8]) -> UInt64? {
            guard case .blob(let blob) = row.blobWithChecksum(bytes), blob.starts(with: bytes) else { return nil }
            return blob.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        #expect(checksum(GridRowChecksum(.logs, key: 5).adding(9), [1, 2, 3]) == 0x0319_23D1_C5F8_1F86)
        let tile = GridRowChecksum.tile(0xC_0062_4BEA, digest: -3, visits: 4, cells: 5, dense: 1)
        #expect(checksum(tile, []) == 0xE9A5_5528_3044_7FFC)
        let track = GridRowChecksum.track(7, digest: 0x1234, activity: 2, start: nil, days: (nil, 18_262))
        #expect(checksum(track, [255]) == 0x1A0C_AE68_28D0_9537)
    }
}
