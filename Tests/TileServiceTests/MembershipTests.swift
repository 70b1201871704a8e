import Files
import HTTPCore
import Locking
import Testing
import TileService

@testable import PrimaryStore
@testable import TrackStore

/// A membership that lapses when a test says so.
private final class LapsingMembership: Membership, Member {
    private let isLapsed = Locked(false)

    func lapse(_ value: Bool) { isLapsed.withLock { $0 = value } }

    var mayServe: Bool { isLapsed.withLock { !$0 } }

    var lease: MemberLease? { MemberLease(name: "me", seconds: 12) }

    func publish(_ head: Head) throws {}

    func join(head: Head, poll: @escaping @Sendable () -> Void) throws -> any Member { self }

    func waitUntilConfirmed(_ revision: Int64, timeoutMilliseconds: Int) throws -> Bool { true }
}

@Suite struct MembershipTests {
    @Test func `a server for which removals no longer wait answers no reader until it is a member again`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library"
        let files = LibraryCoordination.files(in: path)
        let membership = LapsingMembership()
        let library = try Library(
            folder: path, zoneIfNew: "UTC", isReadOnly: nil,
            coordination: LibraryCoordination(
                recordingLog: files.recordingLog, refusals: files.refusals, membership: membership, folder: path))
        let server = try library.server(disk: nil) { _ in }
        try server.start()
        defer { server.stop() }
        #expect(server.get("/v1/tracks").status == .ok)
        #expect(server.get("/health").text.contains(#""node":{"lag":0"#))
        #expect(server.get("/health").text.contains(#""lease":12,"name":"me"}"#))
        #expect(server.get("/metrics").text.contains("\ntileserve_lease_seconds{node=\"me\"} 12.0\n"))
        membership.lapse(true)
        let refused = server.get("/v1/tracks")
        #expect(refused.status == .serviceUnavailable)
        #expect(refused[.retryAfter] != nil)
        #expect(server.get("/tiles/heat/0/0/0.png").status == .serviceUnavailable)
        #expect(server.get("/").status == .ok)
        membership.lapse(false)
        #expect(server.get("/v1/tracks").status == .ok)
    }
}
