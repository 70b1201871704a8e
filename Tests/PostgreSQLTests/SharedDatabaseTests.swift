import Database
import Foundation
import Locking
import PostgreSQL
import PostgreSQLStorage
import TestPostgreSQL
import Testing

@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed; run Scripts/setup test"))
struct SharedDatabaseTests {
    private let server: PostgreSQLDatabase

    init() throws {
        server = try PostgreSQLServer.shared().makeDatabase()
    }

    /// What a process shares with others.
    private func process(_ speed: Speed = .fast) throws -> any SharedDatabase {
        let location = try PostgreSQLLocation("\(server.location)&schema=rides")
        return try #require(PostgreSQLStorage(location, accelerations: speed.accelerations).shared)
    }

    private func session() -> PostgreSQLSession {
        var options = SessionOptions(location: server.location, name: "test")
        options.schema = "rides"
        return PostgreSQLSession(options)
    }

    /// Lets all leases run out, as if their holders had been stopped for long.
    private func expireLeases() throws {
        try session().run("UPDATE library_lease SET until = now() - interval '1 second'")
    }

    @Test func `nothing is created by reading`() throws {
        let shared = try process()
        #expect(try shared.document("tokens") == nil && shared.documentRevision("tokens") == nil)
        #expect(try shared.documentCount(withPrefix: "") == 0)
        #expect(try shared.leases(withPrefix: "").isEmpty && shared.logs().isEmpty)
        try shared.endExpiredLeases()
        #expect(try session().integer("SELECT 1 FROM pg_namespace WHERE nspname = 'rides'") == nil)
    }

    /// Waits until announcements arrive.
    private func heard(_ shared: any SharedDatabase, _ kind: Announcement, after count: Int) throws -> Int {
        for _ in 0..<3000 {
            if let heard = shared.announcements(of: kind), heard > count { return heard }
            Thread.sleep(forTimeInterval: 0.02)
        }
        throw StoreError(.other, code: "test", message: "nothing was announced", statement: nil)
    }

    @Test func `a commit is announced to the processes that listen, also after the connection was lost`() throws {
        let (first, second) = (try process(), try process())
        let kinds = Locked<[Announcement]>([])
        second.onAnnouncement { kind in kinds.withLock { $0.append(kind) } }
        var count = try heard(second, .document, after: 0)
        try first.changeDocument("a") { $0 = [1] }
        count = try heard(second, .document, after: count)
        #expect(kinds.withLock { $0.last } == .document)
        let content = try #require(second.announcements(of: .content))
        let location = try PostgreSQLLocation("\(server.location)&schema=rides")
        let database = try PostgreSQLStorage(location).database(.tracks, isReadOnly: false)
        try database.upgradeTables(in: database.writer())
        _ = try heard(second, .content, after: content)
        // Another library is none of its business.
        let elsewhere = try PostgreSQLLocation("\(server.location)&schema=other")
        try PostgreSQLStorage(elsewhere).shared?.changeDocument("a") { $0 = [1] }
        #expect(second.announcements(of: .document) == count)
        try session().execute([
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE query LIKE 'LISTEN%' OR query LIKE 'NOTIFY%' AND pid <> pg_backend_pid()
            """
        ])
        // What was announced meanwhile is not heard, so the return of the connection counts as an announcement.
        _ = try heard(second, .document, after: count)
        try first.changeDocument("a") { $0 = [2] }
        #expect(try first.document("a") == [2])
    }

    @Test func `without announcements nothing is heard, and each question is asked`() throws {
        let shared = try process(.plain)
        try shared.changeDocument("a") { $0 = [1] }
        #expect(shared.announcements(of: .document) == nil)
        let asked = Locked(0)
        let observed = ObservedAnswer<Int, ContinuousClock.Instant>(.document)
        for _ in 0..<3 {
            _ = observed.answer(shared, now: .now) {
                asked.withLock {
                    $0 += 1
                    return $0
                }
            }
        }
        #expect(asked.withLock { $0 } == 3)
    }

    @Test func `an answer is asked for again after an announcement`() throws {
        let (first, second) = (try process(), try process())
        var count = try heard(second, .document, after: 0)
        let asked = Locked(0)
        let observed = ObservedAnswer<Int, ContinuousClock.Instant>(.document)
        func answer() -> Int {
            observed.answer(second, now: .now) {
                asked.withLock {
                    $0 += 1
                    return $0
                }
            }
        }
        let known = answer()
        #expect(answer() == known)
        try first.changeDocument("a") { $0 = [1] }
        count = try heard(second, .document, after: count)
        #expect(answer() == known + 1)
    }

    @Test(arguments: Speed.allCases)
    func `one process at a time holds a lease`(speed: Speed) throws {
        let (first, second) = (try process(speed), try process(speed))
        var lease = try first.lease("a/1", value: 5)
        #expect(lease?.isLost == false && lease?.isCertain == true)
        #expect(try second.lease("a/1", value: 0) == nil && first.lease("a/1", value: 0) == nil)
        let other = try #require(try second.lease("a/2", value: 7))
        #expect(try second.leases(withPrefix: "a/").map(\.name) == ["a/1", "a/2"])
        #expect(try second.leases(withPrefix: "a/").map(\.value) == [5, 7])
        #expect(try second.leases(withPrefix: "b").isEmpty)
        #expect(try lease?.publish(6) == true)
        #expect(try second.leases(withPrefix: "a/1").map(\.value) == [6])
        lease = nil
        #expect(try second.leases(withPrefix: "a/").map(\.name) == ["a/2"])
        #expect(try first.lease("a/1", value: 0) != nil)
        withExtendedLifetime(other) {}
    }

    @Test func `a lease that has run out is lost as soon as somebody notices`() throws {
        let (first, second) = (try process(), try process())
        let lease = try #require(try first.lease("a", value: 0))
        try expireLeases()
        #expect(try second.leases(withPrefix: "").isEmpty)
        // Nobody relies on its end yet.
        #expect(try lease.publish(1) && !lease.isLost)
        #expect(try second.lease("a", value: 0) == nil)
        try expireLeases()
        let taken = try #require(try second.lease("a", value: 0))
        #expect(try !lease.publish(2) && lease.isLost && !lease.isCertain)
        #expect(try !lease.answer(1))
        #expect(throws: StoreError.self) { try lease.hold(in: session()) }
        try taken.hold(in: session())
        try expireLeases()
        try first.endExpiredLeases()
        #expect(throws: StoreError.self) { try taken.hold(in: session()) }
    }

    @Test func `leases are renewed, and the loss of one is noticed, without being asked`() async throws {
        let shared = try process()
        let kept = try #require(try shared.lease("kept", value: 0))
        let lost = try #require(try shared.lease("lost", value: 0))
        try session().run("UPDATE library_lease SET until = now() + interval '5 seconds'")
        try session().run("DELETE FROM library_lease WHERE name = 'lost'")
        for _ in 0..<100 where !lost.isLost { try await Task.sleep(for: .milliseconds(100)) }
        #expect(lost.isLost && !kept.isLost && kept.isCertain)
        let left = try session().integer(
            "SELECT CAST(extract(epoch FROM until - now()) AS BIGINT) FROM library_lease WHERE name = 'kept'")
        #expect(left ?? 0 > 20)
    }

    @Test func `a transaction that holds a lease keeps it until its end`() throws {
        let (first, second) = (try process(), try process())
        let lease = try #require(try first.lease("a", value: 0))
        let writer = session()
        try writer.begin(.writing)
        try expireLeases()
        try lease.hold(in: writer)
        // The row is locked, and not expired when the lock is released.
        let taken = Locked<Bool?>(nil)
        let thread = Thread {
            let lease = try? second.lease("a", value: 0)
            taken.withLock { $0 = lease != nil }
        }
        thread.start()
        Thread.sleep(forTimeInterval: 0.3)
        #expect(taken.withLock { $0 } == nil)
        try writer.commit()
        for _ in 0..<100 where taken.withLock({ $0 }) == nil { Thread.sleep(forTimeInterval: 0.05) }
        #expect(taken.withLock { $0 } == false)
        #expect(!lease.isLost)
    }

    @Test func `the holder of a lease is asked and answers`() throws {
        let (first, second) = (try process(), try process())
        #expect(try second.request(ofHolderOf: "a") == nil)
        let lease = try #require(try first.lease("a", value: 0))
        #expect(try second.request(ofHolderOf: "a") == 1)
        #expect(try second.request(ofHolderOf: "a") == 2)
        #expect(try first.leases(withPrefix: "a").map(\.requested) == [2])
        #expect(try lease.answer(2))
        #expect(try second.leases(withPrefix: "a").map(\.answered) == [2])
        // An answer to an earlier request changes nothing.
        #expect(try lease.answer(1))
        #expect(try second.leases(withPrefix: "a").map(\.answered) == [2])
    }

    @Test(arguments: Speed.allCases)
    func `documents are changed one after another`(speed: Speed) throws {
        let (first, second) = (try process(speed), try process(speed))
        try first.changeDocument("a") { $0 = [1] }
        let revision = try second.documentRevision("a")
        #expect(try second.document("a") == [1] && revision != nil)
        // No change, no new revision.
        try first.changeDocument("a") { _ in }
        #expect(try second.documentRevision("a") == revision)
        try first.changeDocument("a") { $0 = [] }
        #expect(try second.document("a") == [])
        #expect(try second.documentRevision("a") != revision)
        #expect(throws: CancellationError.self) {
            try second.changeDocument("a") { content in
                content = [2]
                throw CancellationError()
            }
        }
        #expect(try first.document("a") == [])
        try first.changeDocument("b/1") { $0 = [3] }
        try first.changeDocument("b/2") { _ in }
        #expect(try first.document("b/2") == nil)
        #expect(try first.documentCount(withPrefix: "b/") == 1)
        try first.changeDocument("a") { $0 = nil }
        #expect(try second.document("a") == nil)
    }

    @Test func `concurrent changes of a document are all kept`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let shared = try process()
                group.addTask {
                    for _ in 0..<25 { try shared.changeDocument("count") { $0 = ($0 ?? []) + [0] } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try process().document("count")?.count == 100)
    }

    @Test(arguments: Speed.allCases)
    func `segments are appended to, read and deleted by the holder of the lease`(speed: Speed) throws {
        let (first, second) = (try process(speed), try process(speed))
        let lease = try #require(try first.lease("log", value: 0))
        let (one, two) = (Segment(log: "log", number: 1, note: ""), Segment(log: "log", number: 2, note: "60"))
        #expect(try first.append([1], number: 1, to: one, lease))
        #expect(try first.append([2, 2], number: 2, to: one, lease))
        #expect(try first.append([3], number: 3, to: two, lease))
        #expect(try second.leases(withPrefix: "log").map(\.value) == [3])
        #expect(try second.logs() == ["log"])
        #expect(try second.segments(ofLog: "log") == [one, two])
        #expect(try second.parts(ofLog: "log", after: 1) == [[2, 2], [3]])
        var parts: [[UInt8]] = []
        try second.forEachPart(of: one) { parts.append($0) }
        #expect(parts == [[1], [2, 2]])
        #expect(try second.exists(one) && !second.exists(Segment(log: "log", number: 3, note: "")))
        #expect(try first.delete(one, lease))
        #expect(try second.segments(ofLog: "log") == [two] && !second.exists(one))
        // Another process takes over: the first one can neither append nor delete.
        try expireLeases()
        let taken = try #require(try second.lease("log", value: 0))
        #expect(try !first.append([4], number: 4, to: two, lease))
        #expect(try !first.delete(two, lease))
        #expect(try second.parts(ofLog: "log", after: 0) == [[3]])
        #expect(try second.delete(two, taken))
        #expect(try first.logs().isEmpty)
    }

    @Test func `what is recorded waits for the disk, whatever the settings of the database are`() throws {
        let name = try #require(try session().first("SELECT current_database()", []) { $0.text(0) })
        try session().run("ALTER DATABASE \(name) SET synchronous_commit = off")
        #expect(try session().first("SHOW synchronous_commit") { $0.text(0) } == "off")
        var options = SessionOptions(location: server.location, name: "test")
        options.isDurable = true
        #expect(try PostgreSQLSession(options).first("SHOW synchronous_commit") { $0.text(0) } == "on")
        try session().run("ALTER DATABASE \(name) SET synchronous_commit = remote_apply")
        #expect(try PostgreSQLSession(options).first("SHOW synchronous_commit") { $0.text(0) } == "remote_apply")
    }
}
