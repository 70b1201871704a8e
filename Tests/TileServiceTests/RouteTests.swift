import Dispatch
import Foundation
import HTTPCore
import OpenAPI
import PrimaryStore
import Recording
import RequestHandling
import Synchronization
import TestLibrary
import Testing
import TrackQuery
import TrackStore
import Tracks

@testable import TileService

/// The routes as documented, and the queues on which they are answered.
@Suite struct RouteTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        .standardizedFileURL

    /// The path of a file below `Sources/`, given as `MODULE/FILE.swift`.
    private func path(of file: String) throws -> String {
        let parts = file.split(separator: "/").map(String.init)
        let files = FileManager.default.enumerator(atPath: Self.sources.appending(path: parts[0]).path())
        let found = files?.compactMap { $0 as? String }.first { $0 == parts[1] || $0.hasSuffix("/" + parts[1]) }
        return try "\(parts[0])/\(#require(found))"
    }

    /// With `TILESERVE_WRITE_ROUTES=1` in the environment, the table is written instead.
    @Test func `ROUTES.md has the table of the server's routes`() throws {
        let head = "| method | path | permission | answers | handler |\n|---|---|---|---|---|\n"
        let rows = try Town().server.routes.map { route in
            "| \(route.method.rawValue) | `\(route.pattern)` | \(route.permission) | \(route.operation.summary) "
                + "| `\(try path(of: route.file))` |\n"
        }
        #expect(rows.count > 100)
        let document = Self.sources.appending(path: "TileService/ROUTES.md")
        var text = try String(contentsOf: document, encoding: .utf8)
        let start = try #require(text.range(of: head)).upperBound
        let end = try #require(text.range(of: "\n\n", range: text.index(before: start)..<text.endIndex)).lowerBound
        let table = start..<text.index(after: end)
        guard ProcessInfo.processInfo.environment["TILESERVE_WRITE_ROUTES"] == "1" else {
            #expect(
                text[table] == rows.joined(),
                "TILESERVE_WRITE_ROUTES=1 swift test --filter RouteTests writes the table of ROUTES.md")
            return
        }
        text.replaceSubrange(table, with: rows.joined())
        try text.write(to: document, atomically: true, encoding: .utf8)
    }

    @Test func `the page on recording lists every app's path and the name of every protocol`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Recording/RECORDING.md").standardizedFileURL
        let page = try String(contentsOf: path, encoding: .utf8)
        let paths = try Town().server.routes.filter { ["record", "session"].contains("\($0.permission)") }
            .map { "\($0.pattern)".split(separator: "/").filter { $0 != "index.php" } }
            .map { "/" + $0.prefix(["apps", "v1"].contains($0[0]) ? 2 : 1).joined(separator: "/") }
        #expect(Set(paths).count > 12)
        for path in Set(paths) { #expect(page.contains(path), "\(path)") }
        for format in RecordingFormat.allCases where format.source != RecordingFormat.own.source {
            #expect(page.contains("`\(format.source)`"), "\(format)")
        }
    }

    /// The routes that read the disk.
    private static let readers = [
        "/v1/tracks", "/v1/tracks/ID", "/v1/address?lon=13.4&lat=52.5", "/v1/places?q=ber",
        "/v1/position?t=2019-06-01T12:00:10Z", "/v1/at?lon=13.4&lat=52.5&z=14",
        "/v1/imports", "/legend/heat.json?from=2019-06-01&span=window", "/legend/heat.png", "/tiles.json?track=ID",
        "/tiles/heat.json?from=2019-06-01T10:00:00Z", "/v1/replay", "/v1/tracks/ID/replay", "/v1/calendar?year=2019",
        "/v1/replay/manifest", "/v1/tracks/ID/replay/manifest", "/v1/export?format=csv", "/v1/tracks/ID.gpx",
        "/metrics", "/v1/poster?bbox=13,52,14,53&format=png&dpi=36&base=none",
    ]

    @Test(arguments: readers)
    func `a waiting request is cancelled when its client disconnects, and delays no tile`(target: String) throws {
        let town = try Town()
        let id = try #require(try town.library.database.tracks(limit: 1)?.tracks.first?.id)
        let queue = Self.queue(of: target, town)
        let gate = queue.occupyWorkers()
        let target = target.replacing("ID", with: id)
        let reply = Mutex<OutgoingResponse?>(nil)
        guard case .deferred(let deferred) = town.server.answer(Request(.get, target)) else {
            Issue.record("\(target) is answered on the listener")
            return
        }
        let cancel = deferred.begin(Completion { given in reply.withLock { $0 = given } })
        #expect(queue.counts.waiting == 1)
        #expect(town.get(try Town.path(12)).status == .ok)
        cancel()
        #expect(queue.counts.waiting == 0 && queue.counts.cancelled == 1)
        for _ in 0..<queue.workers { gate.signal() }
        // Without cancellation the same request is answered.
        #expect(town.get(target).status == .ok)
    }

    @Test(arguments: [
        "/tiles/0/0/0.png", "/tiles/base/0/0/0.png", "/tiles/pins/0/0/0.png", "/tiles/explorer/0/0/0.png",
        "/tiles/explorer-17/0/0/0.png", "/tiles/countries/0/0/0.png", "/legend/heat.png", "/legend/countries.png",
    ])
    func `a picture has the same kinds of headers, whatever draws it`(target: String) throws {
        let town = try Town()
        let picture = town.get(target)
        #expect(picture.status == .ok && picture[.contentType] == "image/png")
        #expect(picture[.contentTypeOptions] == "nosniff" && picture[.cacheControl] != nil)
        let tag = try #require(picture[.eTag])
        let again = town.get(target, [(.ifNoneMatch, tag)])
        #expect(again.status == .notModified && again[.eTag] == tag)
    }

    @Test func `one long answer is made at once, so that a core is left for tiles`() throws {
        let queues = try Town().server.queues
        #expect(queues.long.workers == 1 && queues.reading.workers == queues.drawing.workers)
    }

    @Test func `calendars and manifests do not wait for a poster`() throws {
        let town = try Town()
        let gate = town.server.queues.posters.occupyWorkers()
        defer { for _ in 0..<town.server.queues.posters.workers { gate.signal() } }
        #expect(town.get("/v1/calendar?year=2019").status == .ok)
        #expect(town.get("/v1/replay/manifest").status == .ok)
    }

    /// The routes that may read many tracks or points.
    private static let longReaders = [
        "/v1/tracks?bbox=1,1,2,2", "/v1/calendar?year=2019", "/v1/replay/manifest", "/v1/export?format=csv",
        "/v1/replay?together=1&layer=ride", "/v1/position?t=2100-01-01T00:00:00Z&layer=none",
    ]

    @Test(arguments: longReaders)
    func `a request that reads much stops soon after its client disconnects`(target: String) throws {
        let town = try Town()
        try town.library.addManyTracks()
        _ = try town.library.database.addLayer(name: "none", condition: try TrackCondition(parsing: "activity = none"))
        let queue = Self.queue(of: target, town)
        // The client disconnects when the answer has begun. Where it was complete by then, another one tries.
        for _ in 0..<100 {
            let cancelled = queue.counts.cancelled
            let done = DispatchSemaphore(value: 0)
            let status = Mutex<Status?>(nil)
            guard case .deferred(let deferred) = town.server.answer(Request(.get, target)) else { break }
            let cancel = deferred.begin(
                Completion { reply in
                    status.withLock { $0 = reply.response.status }
                    done.signal()
                })
            while queue.counts.waiting > 0 {}
            cancel()
            done.wait()
            // A request that is cancelled before it begins has this status too.
            if status.withLock({ $0 }) == .internalServerError, queue.counts.cancelled == cancelled { return }
        }
        Issue.record("the answer was always completed")
    }

    private static func queue(of target: String, _ town: Town) -> WorkQueue {
        let queues = town.server.queues
        if target.hasPrefix("/v1/poster") { return queues.posters }
        let isLong = ["calendar", "manifest", "export", ".gpx"].contains { target.contains($0) }
        return isLong ? queues.long : queues.reading
    }
}

extension Library {
    /// Adds tracks of two points, one on each side of midnight.
    fileprivate func addManyTracks() throws {
        let session = try database.beginImport()
        for number in 0..<1_500 as Range<Int64> {
            let recording = try session.open()
            let midnight = (Town.firstDay / 86_400 * 86_400 + 79_200) * 1000 + number
            let chunk = PointColumns(
                unit: .decimal(places: 7), longitudes: [134_000_000, 134_000_700], latitudes: [number, number],
                times: [midnight - 1_000, midnight + 3_000], segmentStarts: [0])
            try session.append(chunk, to: recording)
            _ = try session.close(recording, header: RecordingHeader(activity: "ride", source: "\(number).gpx"))
        }
        try session.finish()
    }
}
