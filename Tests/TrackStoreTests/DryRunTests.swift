import Files
import Foundation
import TestLibrary
import TestSupport
import Testing
import TrackStore
import Tracks

@testable import PrimaryStore

@Suite(.eachStore) struct DryRunTests {
    /// Recordings of which some are equal, some begin with others, and some belong to devices.
    private func made(_ random: inout SeededRandom) -> [([PointColumns], RecordingHeader)] {
        (0..<(1 + random.below(6))).map { number in
            var header = RecordingHeader(source: "\(number).gpx")
            if random.below(3) == 0 { header.person = ["ada", "bea"][random.below(2)] }
            guard random.below(2) == 0 else {
                let count = [5, 20, 35, 5000][random.below(4)]
                return (outing(start: Int64(1_000_000 + random.below(4) * 100_000), count: count), header)
            }
            header.device = "phone \(random.below(2))"
            let seconds = (0..<(5 + random.below(40))).map { _ in Int64(2_000_000 + random.below(400) * 397) }
            return ([trickle(Array(Set(seconds)).sorted())], header)
        }
    }

    private func outcomes(
        _ recordings: [([PointColumns], RecordingHeader)], of store: TrackDatabase
    ) throws -> [RecordingOutcome] {
        let session = try store.beginImport()
        let collectors = try recordings.map { chunks, header in
            let recording = try session.open()
            for chunk in chunks { try session.append(chunk, to: recording) }
            return try session.close(recording, header: header)
        }
        try session.finish()
        return collectors.map(\.outcome)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `A dry run has the outcome of the import that follows`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: seed)
        let store = try TrackDatabase.fresh(folder)
        for _ in 0..<8 {
            var recordings = made(&random)
            if random.below(2) == 0 { recordings += recordings }
            let before = try (store.head(), store.content())
            let dry = try outcomes(recordings, of: TrackDatabase.dryRun(of: store))
            #expect(try store.head() == before.0 && store.content() == before.1)
            let real = try outcomes(recordings, of: store)
            #expect(dry == real)
        }
    }

    @Test func `A dry run without a library makes nothing and has the outcome of the first import`() throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 7)
        let recordings = made(&random) + made(&random)
        var dry = try outcomes(recordings, of: TrackDatabase.dryRun(of: nil))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let real = try outcomes(recordings, of: TrackDatabase.fresh(folder))
        for index in dry.indices {
            #expect(dry[index].hasProvisionalIDs == (dry[index].newTracks > 0 && recordings[index].1.device == nil))
            #expect(dry[index].similarTracks.count == real[index].similarTracks.count)
            dry[index].similarTracks = real[index].similarTracks
            dry[index].hasProvisionalIDs = false
        }
        #expect(dry == real)
    }

    @Test func `A dry run of a read-only library is possible`() throws {
        let folder = try TemporaryFolder()
        try TrackDatabase.fresh(folder).add(outing(start: 5, count: 30))
        let store = try TrackDatabase(folder: folder.path + "/library", isReadOnly: true)
        let recordings = [(outing(start: 5, count: 40), RecordingHeader(source: "a"))]
        let outcome = try outcomes(recordings, of: TrackDatabase.dryRun(of: store))
        #expect(outcome.map(\.points) == [10] && outcome.map(\.duplicatePoints) == [30])
    }
}
