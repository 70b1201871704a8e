import Files
import HTTPCore
import PictureStore
import PrimaryStore
import TestSupport
import Testing
import TileMath
import TileService
import TrackStore
import Tracks

@testable import TileDrawing

@Suite struct LibraryWatchTests {
    /// Far away: the tiles differ from zoom level 3 on.
    private static let away = (longitude: 151.2, latitude: -33.9)

    @Test func `another process's import is shown, and untouched tiles stay in memory`() throws {
        let town = try Town()
        let near = try Town.path(14)
        let far = try Town.tile(14, longitude: Self.away.longitude, latitude: Self.away.latitude)
        let farPath = "/tiles/14/\(far.x)/\(far.y).png"
        let revision = try town.revision
        let before = town.get(near)
        #expect(town.get(farPath).bytes.count == 116)
        let tag = try #require(before[.eTag])

        let other = try town.otherProcess()
        try other.ride(day: 5, longitude: Self.away.longitude, latitude: Self.away.latitude)
        try other.catchUp()
        town.server.poll()

        #expect(town.get(farPath).bytes.count > 116)
        let after = town.get(near, [(.ifNoneMatch, tag)])
        #expect(after.status == .notModified && after.cacheResult == .hit)
        #expect(try town.revision != revision)
        #expect(town.get("\(near)?v=\(revision)")[.cacheControl] == "private, no-cache")
        #expect(town.get("/health").text.contains("\"tracks\":4"))
    }

    @Test func `a touched tile gets another ETag, and its old one gives no 304`() throws {
        let town = try Town()
        let path = try Town.path(14)
        let before = town.get(path)
        let other = try town.otherProcess()
        try other.ride(day: 9, latitude: Town.latitude + 0.004)
        try other.catchUp()
        town.server.poll()
        let after = town.get(path, [(.ifNoneMatch, before[.eTag] ?? "")])
        #expect(after.status == .ok && after.bytes.shown != before.bytes.shown)
        #expect(try after.bytes.shown == town.renderer().picture(TileRequest(tile: Town.tile(14))).bytes.shown)
    }

    @Test func `a grid that is behind is updated once the primary store is idle, and old tiles are served until then`()
        throws
    {
        let town = try Town()
        let path = try Town.path(14)
        let before = town.get(path)
        let start = ContinuousClock.now
        town.server.poll(now: start)
        try town.otherProcess().ride(day: 9, latitude: Town.latitude + 0.004)
        town.server.poll(now: start)
        #expect(town.get(path).bytes.shown == before.bytes.shown)
        let health = town.get("/health")
        #expect(health.status == .ok && health.text.contains("\"behind\":true"))
        town.server.poll(now: start + .milliseconds(500))
        #expect(town.get(path).bytes.shown != before.bytes.shown)
        town.server.poll(now: start + .milliseconds(700))
        #expect(!town.get("/health").text.contains("behind"))
    }

    @Test func `a primary store that is never idle delays the update only for a limited time`() throws {
        let town = try Town()
        let path = try Town.path(14)
        let before = town.get(path)
        let start = ContinuousClock.now
        let other = try town.otherProcess()
        for (number, milliseconds) in [0, 100, 200, 300].enumerated() {
            try other.ride(day: 10 + Int64(number), latitude: Town.latitude + 0.004)
            town.server.poll(now: start + .milliseconds(milliseconds))
            #expect(town.get(path).bytes.shown == before.bytes.shown)
        }
        try other.ride(day: 20, latitude: Town.latitude + 0.004)
        town.server.poll(now: start + .seconds(20))
        #expect(town.get(path).bytes.shown != before.bytes.shown)
    }

    @Test func `there are no tiles until the grid is built, and health reports it`() throws {
        let town = try Town(isPrepared: false)
        let path = try Town.path(14)
        for target in [path, "/tiles.json", "/legend/heat.json", "/legend/heat.png", "/health"] {
            let answer = town.get(target)
            #expect(answer.status == .serviceUnavailable, "\(target)")
            #expect(answer[.retryAfter] != nil)
        }
        #expect(town.get("/health").text.contains("\"status\":\"rebuilding\""))
        #expect(town.get("/").status == .ok)
        town.server.poll()
        for target in [path, "/tiles.json", "/legend/heat.json", "/health"] {
            #expect(town.get(target).status == .ok, "\(target)")
        }
        #expect(town.get(path).bytes.count > 116)
    }

    @Test func `another time zone rebuilds the grid and changes the revision`() throws {
        let town = try Town()
        let revision = try town.revision
        let path = try Town.path(14)
        _ = town.get(path)
        try town.otherProcess().database.setZone("Pacific/Auckland")
        #expect(try town.library.server().get(path).status == .serviceUnavailable)
        town.server.poll()
        #expect(town.get(path).status == .ok)
        #expect(try town.revision != revision)
    }

    @Test func `an empty library is served as an empty world`() throws {
        let town = try Town()
        let empty = try Library(folder: town.folder.path + "/empty")
        let server = try empty.server()
        server.poll()
        #expect(server.get("/tiles/0/0/0.png").bytes.count == 116)
        #expect(server.get("/tiles.json").text.contains("\"bounds\":[-180,-85.05112,180,85.05112]"))
        #expect(server.get("/health").text.contains("\"tracks\":0"))
    }

    @Test func `tracks removed by another process are dropped from memory and disk before the removal is acknowledged`()
        throws
    {
        let town = try Town()
        for scale in TileScale.allCases {
            let job = PrerenderJob(zooms: 0...16, scale: scale, workers: 1, output: .cache(town.disk))
            _ = try Prerender(job, renderer: town.renderer()).run()
        }
        try town.server.start()
        defer { town.server.stop() }
        let paths = try (0...22).flatMap { [try Town.path($0), try Town.path($0, "@2x.png")] }
        for path in paths { #expect(town.get(path).bytes.count > 116) }
        let other = try town.otherProcess()
        let ids = try #require(try other.database.tracks(limit: 100)).tracks.map(\.id)
        let outcome = try other.remove(ids) { try town.disk.drop($0) }
        #expect(outcome == .complete)
        for path in paths { #expect(town.get(path).bytes.count <= 139, "\(path)") }
        #expect(try town.disk.totals().pictures == 0)
    }
}
