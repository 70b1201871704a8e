import Database
import Files
import Foundation
import Locking
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore
@testable import RecordingStore
@testable import TrackStore

/// Processes of one library, on one machine or several: each `Library` here is one of them.
@Suite(.eachStore) struct ServerNodeTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func process() throws -> Library {
        try Library(folder: folder.path + "/library", zoneIfNew: "UTC")
    }

    private func buffer(_ library: Library) -> RecordingBuffer {
        RecordingBuffer(database: library.database, log: library.coordination.recordingLog)
    }

    private func points(_ seconds: Range<Int64>, device: String = "phone") -> RecordedPoints {
        SyntheticRecording.recorded(
            seconds.map { SyntheticRecording.Point(second: $0, longitude: $0, latitude: 1) }, device: device)
    }

    /// Lets all leases run out, as if their holders had been stopped for long; false if processes have no leases.
    private func expireLeases(_ library: Library) throws -> Bool {
        guard library.coordination.shared != nil else { return false }
        try library.database.write {
            try $0.session.run("UPDATE library_lease SET until = clock_timestamp() - interval '1 second'")
        }
        return true
    }

    @Test func `each process reads what the others record`() throws {
        let (first, second) = (try process(), try process())
        let (a, b) = (buffer(first), buffer(second))
        try a.add([points(0..<2)])
        var position = RecordedPosition()
        let log = second.coordination.recordingLog
        // What was there before is not new.
        #expect(try log.newPoints(since: &position).isEmpty)
        try a.add([points(2..<4)])
        try a.add([points(4..<6), points(4..<5, device: "watch")])
        try b.add([points(100..<101)])
        func isEventually(_ expected: [RecordedPoints]) throws -> Bool {
            var found: [RecordedPoints] = []
            return try eventually {
                found += try log.newPoints(since: &position)
                return found == expected
            }
        }
        #expect(try isEventually([points(2..<4), points(4..<6), points(4..<5, device: "watch")]))
        // Also of sessions that begin later, and in other segments.
        try a.flush()
        try a.add([points(6..<7)])
        let c = buffer(try process())
        try c.add([points(7..<8, device: "c")])
        var found: [RecordedPoints] = []
        let isFound = try eventually {
            found += try log.newPoints(since: &position)
            return Set(found.map(\.device)) == ["phone", "c"] && found.count == 2
        }
        #expect(isFound, "\(found)")
        for buffer in [a, b, c] { try buffer.stop() }
    }

    @Test func `a process whose lease was taken records on, and nothing is lost or stored twice`() throws {
        let (first, second) = (try process(), try process())
        let (a, b) = (buffer(first), buffer(second))
        try a.add([points(0..<10)])
        guard try expireLeases(second) else { return }
        // The other one takes over.
        try b.flush()
        #expect(try second.database.totals().points == 10)
        try a.add([points(10..<20)])
        #expect(a.counts.buffered == 10)
        try a.flush()
        #expect(try second.database.totals().points == 20)
        #expect(a.counts.buffered == 0)
        // Also if it finds out only when it moves them.
        try a.add([points(20..<30)])
        _ = try expireLeases(second)
        try b.flush()
        let isMoved = eventually {
            _ = try? a.flush()
            return a.counts.buffered == 0
        }
        #expect(isMoved)
        for buffer in [a, b] { try buffer.stop() }
        #expect(try second.database.totals().points == 30)
        #expect(try second.database.hasMovedEverything())
        // Points that are moved twice would be counted as repeats.
        let counts = try second.database.content().flatMap { $0.points.fields }
        #expect(counts.isEmpty)
    }

    @Test func `a removal waits for each process, until it is known that it serves nothing`() throws {
        let (first, second) = (try process(), try process())
        let head = try first.database.head()
        let member = try first.coordination.membership.join(head: head) {}
        #expect(member.mayServe)
        let next = Head(revision: head.revision + 1, digest: head.digest)
        let others = second.coordination.membership
        #expect(try others.waitUntilConfirmed(head.revision, timeoutMilliseconds: 0))
        #expect(try !others.waitUntilConfirmed(next.revision, timeoutMilliseconds: 100))
        try member.publish(next)
        #expect(try others.waitUntilConfirmed(next.revision, timeoutMilliseconds: 0))
        guard try expireLeases(second) else { return }
        #expect(try others.waitUntilConfirmed(next.revision + 5, timeoutMilliseconds: 0))
        // It notices that it was not waited for, and reads the library twice: before it is a member again it may have read
        // too early.
        #expect(eventually { !member.mayServe })
        try member.publish(next)
        #expect(!member.mayServe)
        #expect(try !others.waitUntilConfirmed(next.revision, timeoutMilliseconds: 0))
        try member.publish(next)
        #expect(member.mayServe)
        #expect(try others.waitUntilConfirmed(next.revision, timeoutMilliseconds: 0))
    }

    @Test func `a removal includes what another process has recorded`() throws {
        let (first, second) = (try process(), try process())
        let a = buffer(first)
        try a.add([points(0..<5)])
        try a.flush()
        let id = try #require(try first.database.allTracks().first?.id)
        try a.add([points(5..<10)])
        let polling = BackgroundLoop { a.flushIfRequested() }
        #expect(try second.remove([id]) { _ in } == second.completeRemoval)
        polling.stop()
        #expect(try first.database.totals() == (0, 0))
        try a.stop()
    }

    @Test func `a removal does not wait longer than the lease of a killed process`() throws {
        let (first, second) = (try process(), try process())
        let a = buffer(first)
        try a.add([points(0..<5)])
        try a.flush()
        let id = try #require(try first.database.allTracks().first?.id)
        try a.add([points(5..<10)])
        guard second.coordination.shared != nil else { return }
        // It answers nothing, and its lease runs out while the removal waits.
        let expiring = Thread {
            Thread.sleep(forTimeInterval: 0.5)
            _ = try? self.expireLeases(second)
        }
        expiring.start()
        #expect(try second.remove([id]) { _ in } == second.completeRemoval)
        #expect(try second.database.totals() == (0, 0))
    }
}
