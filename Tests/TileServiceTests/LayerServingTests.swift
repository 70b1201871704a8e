import Foundation
import HTTPCore
import PictureStore
import TestLibrary
import TestSupport
import Testing
import TileMath
import TileService
import TrackQuery
import TrackStore
import Tracks

@testable import PrimaryStore
@testable import TileDrawing

@Suite(.eachStore) struct LayerServingTests {
    private struct Entry: Decodable {
        var name: String
        var kind: String
        var description: String
        var ready: Bool
        var progress: Double?
    }

    private func entry(_ server: TileServer, _ name: String) throws -> Entry? {
        try JSONDecoder().decode([Entry].self, from: Data(server.get("/layers").bytes)).first { $0.name == name }
    }

    /// Defines a layer like another process that is killed before it builds the layer.
    private func define(_ town: Town, _ name: String, _ condition: String) throws {
        let other = try town.otherProcess()
        _ = try other.database.addLayer(name: name, condition: try TrackCondition(parsing: condition))
        try other.catchUp()
    }

    @Test func `a layer is 503 until it is built while everything else is served, and then shows its tracks`() throws {
        let town = try Town()
        try define(town, "on wheels", "activity = ride")
        let server = try town.library.server()
        let path = try Town.path(14)
        let waiting = server.get("\(path)?layer=on%20wheels")
        #expect(waiting.status == .serviceUnavailable && waiting[.retryAfter] != nil)
        #expect(server.get("/tiles.json?layer=on%20wheels").status == .serviceUnavailable)
        #expect(server.get("\(path)?layer=ride").status == .ok)
        #expect(server.get("/health").status == .ok)
        let before = try #require(try entry(server, "on wheels"))
        #expect(!before.ready && before.progress == 0)
        server.poll()
        let after = try #require(try entry(server, "on wheels"))
        #expect(after.ready && after.progress == nil && after.kind == "where" && after.description == "activity = ride")
        for zoom in [0, 9, 14, 16, 18] {
            let path = try Town.path(zoom)
            let own = server.get("\(path)?layer=on%20wheels")
            let activity = server.get("\(path)?layer=ride")
            #expect(
                own.status == .ok && own.bytes.shown == activity.bytes.shown && own[.eTag] != activity[.eTag], "\(zoom)"
            )
        }
        let legend = server.get("/legend/heat.json?layer=on%20wheels")
        #expect(legend.status == .ok && legend.text.contains("\"layer\":\"on wheels\""))
        #expect(server.get("/tiles.json?layer=on%20wheels").text.contains("layer=on%20wheels"))
    }

    @Test func `layers are listed with their kinds`() throws {
        let town = try Town()
        #expect(try entry(town.server, "all")?.kind == "all")
        #expect(try entry(town.server, "ride")?.kind == "activity")
        #expect(try entry(town.server, "ride")?.ready == true)
    }

    @Test func `a tag adds a track to a layer on the map, and other layers keep their ETags`() throws {
        let town = try Town()
        try define(town, "tagged", "tag = x")
        town.server.poll()
        let path = try Town.path(14)
        let empty = town.get("\(path)?layer=tagged")
        #expect(empty.bytes.count == 116)
        let all = try #require(town.get(path)[.eTag])
        let other = try town.otherProcess()
        let ids = try #require(try other.database.tracks(limit: 10)).tracks.map(\.id)
        var edit = TrackEdit()
        edit.addedTags = ["x"]
        _ = try other.database.edit(ids, edit)
        try other.catchUp()
        town.server.poll()
        let tagged = town.get("\(path)?layer=tagged", [(.ifNoneMatch, empty[.eTag] ?? "")])
        #expect(tagged.status == .ok && tagged.bytes.count > 116)
        #expect(tagged.bytes.shown == town.get(path).bytes.shown)
        #expect(town.get(path, [(.ifNoneMatch, all)]).status == .notModified)
        (edit.addedTags, edit.removedTags) = ([], ["x"])
        _ = try other.database.edit(ids, edit)
        try other.catchUp()
        town.server.poll()
        let again = town.get("\(path)?layer=tagged")
        #expect(again.bytes.shown == empty.bytes.shown && again[.eTag] == empty[.eTag])
    }

    @Test func `a removed layer is unknown, and a new one of its name has its own condition`() throws {
        let town = try Town()
        let path = try Town.path(14)
        try define(town, "mine", "activity = ride")
        town.server.poll()
        let rides = town.get("\(path)?layer=mine")
        let revision = try town.revision
        let other = try town.otherProcess()
        #expect(try other.database.removeLayer(name: "mine"))
        try other.catchUp()
        town.server.poll()
        #expect(town.get("\(path)?layer=mine").status == .notFound)
        #expect(try town.revision != revision)
        try define(town, "mine", "activity = walk")
        town.server.poll()
        town.server.poll()
        let walks = town.get("\(path)?layer=mine", [(.ifNoneMatch, rides[.eTag] ?? "")])
        #expect(walks.status == .ok && walks.bytes.shown == town.get("\(path)?layer=walk").bytes.shown)
    }

    @Test func `a layer has priority over an activity of the same name`() throws {
        let town = try Town()
        try define(town, "swim", "activity = walk")
        try town.library.ride(day: 7, latitude: Town.latitude + 0.01, activity: "swim")
        try town.library.catchUp()
        town.server.poll()
        #expect(try entry(town.server, "swim")?.kind == "where")
        let path = try Town.path(14)
        #expect(town.get("\(path)?layer=swim").bytes.shown == town.get("\(path)?layer=walk").bytes.shown)
        #expect(town.get("/v1/tracks?layer=swim").bytes == town.get("/v1/tracks?layer=walk").bytes)
    }

    @Test func `a layer is prerendered as it is served, and its pictures are removed with it`() throws {
        let town = try Town()
        try define(town, "mine", "activity = walk")
        try town.library.finishLayers()
        let job = PrerenderJob(zooms: 0...16, layer: "mine", workers: 1, output: .cache(town.disk))
        let receipt = try Prerender(job, renderer: town.renderer()).run()
        #expect(receipt.drawn > 16)
        let server = try town.library.server(disk: town.disk)
        let served = server.get("\(try Town.path(15))?layer=mine")
        #expect(served.cacheResult == .disk)
        #expect(
            try served.bytes.shown
                == town.renderer().picture(TileRequest(layer: "mine", tile: Town.tile(15))).bytes.shown)
        #expect(try town.disk.drop { $0.layer == "mine" }.count == receipt.drawn)
        #expect(try town.disk.totals().pictures == 0)
    }
}
