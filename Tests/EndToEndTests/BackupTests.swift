import Files
import Foundation
import Locking
import Testing

@Suite("A backup with the built program")
struct BackupTests {
    private static let json = ["Content-Type": "application/json"]

    /// The seconds of all recorded points, read from a replay.
    private func recorded(_ fixture: LibraryFixture, _ library: String) throws -> Set<Int> {
        var base = 0
        var seconds: Set<Int> = []
        for event in try LibraryFixture.objects(
            fixture.run("replay", "--speed", "max", "--from", "2020-09-01", "--library", library).out)
        {
            guard let data = event["data"] as? [String: Any] else { continue }
            if let start = data["t0"] as? Int { base = start }
            guard event["event"] as? String == "frame", let step = data["dt"] as? Int else { continue }
            seconds.insert((base + step) / 1000 - 1_600_000_000)
        }
        return seconds
    }

    /// Points that a device records one after the other, until it is stopped.
    private final class Device: Sendable {
        private struct State {
            var acknowledged = 0
            var isStopped = false
            var hasEnded = false
        }
        private let state = Locked(State())

        init(_ server: Server) throws {
            let client = try RawHTTPClient(server.origin)
            Thread.detachNewThread { [state] in
                for second in 1... where !state.withLock({ $0.isStopped }) {
                    let body = "{\"t\":\(1_600_000_000 + second),\"lon\":13.4,\"lat\":\(52.5 + Double(second) * 1e-5)}"
                    let answer = try? client.ask(
                        "POST", "/v1/record/phone", headers: BackupTests.json, body: Array(body.utf8))
                    guard answer?.status == 200 else { break }
                    state.withLock { $0.acknowledged = second }
                    if state.withLock({ $0.isStopped }) { break }
                }
                state.withLock { $0.hasEnded = true }
            }
        }

        var acknowledged: Int { state.withLock { $0.acknowledged } }
        func stop() -> Bool {
            state.withLock { $0.isStopped = true }
            return eventually { state.withLock { $0.hasEnded } }
        }
    }

    @Test func `backups while a device records and files are imported have all that was acknowledged before`() throws {
        let fixture = try LibraryFixture()
        #expect(try fixture.run("import", fixture.walk("a.gpx")).code == 0)
        let files = try fixture.sample("many", tracks: 60)
        // Points move into the tracks all the time, also while a backup is made.
        let server = try Server(fixture, "--flush", "50ms")
        let device = try Device(server)
        let importing = try fixture.start("import", files)
        for round in 0..<6 {
            let before = device.acknowledged
            #expect(eventually { device.acknowledged > before })
            let known = device.acknowledged
            let backup = fixture.folder + "/\(round).tar.zst"
            let saved = try fixture.run("backup", backup)
            #expect(saved.code == 0, "\(saved)")
            let restored = fixture.folder + "/restored-\(round)"
            let made = try fixture.run("restore", backup, "--library", restored)
            #expect(made.code == 0, "\(made)")
            let found = try recorded(fixture, restored)
            #expect(Set(1...known).subtracting(found).isEmpty, "of \(known)")
            #expect(try fixture.run("verify", "--library", restored).code == 0)
            // Tracks are in it as a whole or not at all.
            let all = Set(try fixture.contents())
            let streams = try LibraryFixture.objects(
                fixture.run("tracks", "list", "--json", "--where", "device = phone").out
            ).count
            let rest = try Set(fixture.contents(library: restored)).subtracting(all)
            // The track of the device has grown since.
            #expect(rest.count <= max(1, streams), "\(rest)")
        }
        #expect(importing.ended().code == 0)
        #expect(device.stop())
        #expect(server.end().code == 0)
    }

    @Test func `a restored library has the same tracks and tiles`() throws {
        let fixture = try LibraryFixture()
        #expect(try fixture.run("import", fixture.sample("many", tracks: 30)).code == 0)
        let backup = fixture.folder + "/library.tar.zst"
        let saved = try fixture.run("backup", backup)
        #expect(saved.code == 0, "\(saved)")
        let restored = fixture.folder + "/restored"
        #expect(try fixture.run("restore", backup, "--library", restored).code == 0)
        #expect(try fixture.contents(library: restored) == fixture.contents())
        let folders = [fixture.library, restored].map { ($0, $0 + "-tiles") }
        for (library, tiles) in folders {
            let drawn = try fixture.run(
                "prerender", "--zoom", "0-12", "--style", "heat", "--output", tiles, "--library", library)
            #expect(drawn.code == 0, "\(drawn)")
        }
        var pictures: [[String: [UInt8]]] = []
        for (_, tiles) in folders {
            var found: [String: [UInt8]] = [:]
            try Folder.walk(tiles) { path in
                if path.hasSuffix(".png") { found[String(path.dropFirst(tiles.count))] = try AtomicFile.read(path) }
            }
            pictures.append(found)
        }
        #expect(pictures[0].count > 20 && pictures[0] == pictures[1])
    }

    @Test func `a full disk gives a clear error, and leaves no half file`() throws {
        let fixture = try LibraryFixture()
        #expect(try fixture.run("import", fixture.sample("many", tracks: 30)).code == 0)
        let backup = fixture.folder + "/library.tar.zst"
        for bytes in [0, 10_000, 200_000] {
            let run = try Running(
                ["backup", backup], library: fixture.library, folder: fixture.folder, limitBytes: bytes)
            let ended = run.ended()
            #expect(ended.code == 74 && !ended.wasKilled, "\(bytes) \(ended)")
            let left = try Folder.entries(of: fixture.folder).map(\.path).filter { $0.hasPrefix(backup) }
            #expect(left.isEmpty, "\(left)")
        }
    }
}
