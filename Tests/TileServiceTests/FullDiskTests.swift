import Database
import Foundation
import HTTPCore
import Locking
import Testing
import TileService

/// Changes during which the disk becomes full: the answer says what was stored.
@Suite struct FullDiskTests {
    private struct PinList: Decodable {
        struct Pin: Decodable {
            var id: String
            var caption: String?
        }

        var pins: [Pin]
    }

    private struct TrackList: Decodable {
        struct Track: Decodable {
            var id: String
            var name: String?
        }

        var tracks: [Track]
    }

    private func pins(_ town: Town) throws -> [PinList.Pin] {
        try JSONDecoder().decode(PinList.self, from: Data(town.get("/v1/pins").bytes)).pins
    }

    private func tracks(_ town: Town) throws -> [TrackList.Track] {
        try JSONDecoder().decode(TrackList.self, from: Data(town.get("/v1/tracks").bytes)).tracks
    }

    private func patch(_ town: Town, _ path: String, _ json: String) -> Response {
        town.server.ask(Request(.patch, path, content: .bytes(Array(json.utf8))))
    }

    /// Writing the grid fails.
    private static func failGrid(_ failures: DiskFailures) {
        failures.begin { kind, sql in kind == .grid && sql == "BEGIN" }
    }

    // MARK: Imports

    @Test func `of an import that cannot begin, nothing is stored`() throws {
        let failures = DiskFailures()
        let town = try Town(failures: failures)
        failures.begin { _, sql in sql.contains("INSERT INTO import (") }
        let answer = try town.send(ChangeTests.gpx(day: 1), "?name=a.gpx")
        #expect(answer.status == .insufficientStorage && answer.text.contains("nothing was stored"), "\(answer.text)")
        #expect(try tracks(town).count == 3)
    }

    @Test(arguments: ["INSERT INTO import_file", "SELECT 1 FROM source WHERE import"])
    func `an import without receipts is answered with what was stored, and shown`(statement: String) throws {
        let failures = DiskFailures()
        let town = try Town(failures: failures)
        failures.begin { _, sql in sql.contains(statement) }
        let answer = try town.send(ChangeTests.gpx(day: 1), "?name=a.gpx")
        #expect(answer.status == .insufficientStorage)
        #expect(
            answer.text.contains("20 points were stored as import 1, but not the receipts of the files: "),
            "\(answer.text)")
        let health = town.get("/health").text
        #expect(health.contains("\"tracks\":4") && !health.contains("behind"), "\(health)")
        #expect(try tracks(town).count == 4)
    }

    @Test func `an import that the map cannot show yet is answered with what was stored`() throws {
        let failures = DiskFailures()
        let town = try Town(failures: failures)
        Self.failGrid(failures)
        let answer = try town.send(ChangeTests.gpx(day: 1), "?name=a.gpx")
        #expect(answer.status == .insufficientStorage)
        #expect(
            answer.text.contains("20 points were stored as import 1, but the map does not show them yet"),
            "\(answer.text)")
        #expect(town.get("/health").text.contains("\"status\":\"degraded\""))
    }

    @Test func `an import that fails after a part was stored is not said to have stored nothing`() throws {
        let failures = DiskFailures()
        let town = try Town(failures: failures)
        let files = (0..<140).map { number in
            let gpx = ChangeTests.gpx(day: 1 + number % 28)
            return ("\(number).gpx", gpx.replacingOccurrences(of: "13.41", with: "13.4\(number / 28)"))
        }
        // More than what is stored at once, and less than all.
        let limit = 80
        let chunks = Locked(0)
        failures.begin { _, sql in
            // The import cannot be ended either.
            if sql.contains("SELECT 1 FROM source WHERE import") { return true }
            guard sql.contains("INSERT INTO chunk") else { return false }
            return chunks.withLock { count in
                count += 1
                return count > limit
            }
        }
        let answer = try town.send(ChangeTests.form(files), "", ChangeTests.formType)
        #expect(answer.status == .insufficientStorage)
        #expect(try tracks(town).count > 3)
        #expect(answer.text.contains("were stored as import 1, the rest was not"), "\(answer.text)")
    }

    // MARK: Changes

    @Test func `a pin that the map cannot show yet is answered as stored`() throws {
        let failures = DiskFailures()
        let town = try Town(failures: failures)
        Self.failGrid(failures)
        let body = Array(#"{"lon":13.4,"lat":52.5,"caption":"one"}"#.utf8)
        let added = town.server.ask(Request(.post, "/v1/pins", content: .bytes(body)))
        #expect(added.status == .created, "\(added.text)")
        let pin = try #require(try pins(town).first)
        #expect(added[.location] == "/v1/pins/\(pin.id)")
        let edited = patch(town, "/v1/pins/\(pin.id)", #"{"caption":"two"}"#)
        #expect(edited.status == .ok && edited[.eTag] != nil, "\(edited.text)")
        #expect(try pins(town).map(\.caption) == ["two"])
        #expect(town.get("/health").text.contains("\"status\":\"degraded\""))
        failures.end()
        let start = ContinuousClock.now
        for seconds in [1, 2] { town.server.poll(now: start + .seconds(seconds)) }
        #expect(town.get("/health").text.contains("\"status\":\"ok\""), "\(town.get("/health").text)")
    }

    @Test func `an edited track that the map cannot show yet is answered as edited`() throws {
        let failures = DiskFailures()
        let town = try Town(failures: failures)
        let track = try #require(try tracks(town).first)
        Self.failGrid(failures)
        let answer = patch(town, "/v1/tracks/\(track.id)", #"{"name":"Commute","activity":"run"}"#)
        #expect(answer.status == .ok && answer.text.contains("Commute"), "\(answer.text)")
    }

    @Test func `a change that cannot be stored is refused because of the disk`() throws {
        let failures = DiskFailures()
        let town = try Town(failures: failures)
        failures.begin { kind, sql in kind == .tracks && sql == "BEGIN" }
        let body = Array(#"{"lon":13.4,"lat":52.5}"#.utf8)
        let added = town.server.ask(Request(.post, "/v1/pins", content: .bytes(body)))
        #expect(added.status == .insufficientStorage && added.text.contains("was not finished"), "\(added.text)")
        #expect(try pins(town).isEmpty)
    }
}
