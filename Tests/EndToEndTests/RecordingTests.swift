import Foundation
import FoundationNetworking
import Testing

@Suite("Recording to the built server")
struct RecordingTests {
    /// The number of kills in one run, which take some seconds; a script does thousands.
    private static let kills = 30

    /// The seconds of all points in the library, read from a replay.
    private func stored(_ fixture: LibraryFixture) throws -> [Int] {
        var base = 0
        return try LibraryFixture.objects(fixture.run("replay", "--speed", "max").out).compactMap { event in
            let data = try #require(event["data"] as? [String: Any])
            if let start = data["t0"] as? Int { base = start }
            guard event["event"] as? String == "frame", let step = data["dt"] as? Int else { return nil }
            return (base + step) / 1000 - 1_600_000_000
        }
    }

    @Test func `Every acknowledged point survives a kill at any time, and is stored once`() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Scripts/kill-recording").standardizedFileURL
        let run = Process()
        run.executableURL = script
        run.arguments = ["--kills", "\(Self.kills)", "--program", try BuiltProgram.path(), "--flush", "20ms"]
        let said = Pipe()
        run.standardOutput = said
        try run.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        run.waitUntilExit()
        #expect(run.terminationStatus == 0, "\(text)")
        #expect(text.contains(" 0 lost, 0 duplicated"), "\(text)")
    }

    @Test func `A stopping server flushes its buffer, and removals also apply to buffered points`() async throws {
        let fixture = try LibraryFixture()
        let server = try Server(fixture)
        let url = try #require(URL(string: server.origin + "/v1/record/phone"))
        func record(_ second: Int) async throws {
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.httpBody = Data("{\"t\":\(1_600_000_000 + second),\"lon\":13.4,\"lat\":52.5}".utf8)
            let (_, answer) = try await URLSession.shared.data(for: request)
            #expect((answer as? HTTPURLResponse)?.statusCode == 200)
        }
        try await record(1)
        #expect(try fixture.ids().isEmpty)
        var flush = URLRequest(url: url.appendingPathComponent("flush"))
        flush.httpMethod = "POST"
        _ = try await URLSession.shared.data(for: flush)
        let id = try #require(try fixture.ids().first)
        // A point of the same track that is still buffered when another process removes the track.
        try await record(2)
        let removed = try fixture.run("tracks", "remove", id)
        #expect(removed.code == 0, "\(removed.err)")
        try await record(40_000)
        let ended = server.end()
        #expect(ended.code == 0)
        #expect(try stored(fixture) == [40_000])
    }
}
