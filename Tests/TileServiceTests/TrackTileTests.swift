import Files
import Foundation
import GridStorage
import HTTPCore
import HeatGrid
import PNG
import PrimaryStore
import RequestHandling
import SampleTracks
import Styling
import TestLibrary
import TestSupport
import Testing
import TileMath
import TileService
import TrackStore
import Tracks

@testable import TileDrawing

/// Tiles of single tracks.
@Suite struct TrackTileTests {
    private func ids(_ library: Library) throws -> [String] {
        try #require(try library.database.tracks(limit: 1000)).tracks.map(\.id)
    }

    /// The ids of the tracks in another library that have the same points.
    private func matchingTracks(of ids: [String], of library: Library, in other: Library) throws -> [String] {
        let digests = try ids.map { try #require(try library.database.track(id: $0)).digest }
        return try #require(try other.database.tracks(limit: 1000)).tracks.filter {
            digests.contains($0.digest)
        }.map(\.id)
    }

    /// The pixels that are not transparent.
    private func pixels(_ bytes: [UInt8]) throws -> Set<Int> {
        let image = try PNGReader.image(of: bytes).bytes
        return Set(stride(from: 3, to: image.count, by: 4).filter { image[$0] != 0 })
    }

    /// A library in a folder of its own with the matching tracks of a sample city.
    private func library(
        _ folder: TemporaryFolder, _ name: String, where fits: (Int) -> Bool = { _ in true }
    ) throws -> Library {
        let library = try Library(in: folder, name, zone: "UTC")
        let tracks = SampleTracks(SampleSpec(size: .tracks(24), seed: 3, years: 1)).enumerated()
        try library.add(tracks.filter { fits($0.offset) }.map(\.element))
        return library
    }

    @Test func `a set of tracks looks like a library with only these tracks, at every zoom level and size`() throws {
        let folder = try TemporaryFolder()
        let whole = try library(folder, "whole")
        let some = try library(folder, "some") { $0 % 4 == 1 }
        let chosen = try ids(some)
        // Ids differ between libraries; tracks are matched by their points.
        let same = try matchingTracks(of: chosen, of: some, in: whole)
        #expect(chosen.count == 6 && same.count == 6)
        let all = try TileRenderer(library: whole, styles: .builtIn, workers: 1, disk: nil)
        let few = try TileRenderer(library: some, styles: .builtIn, workers: 1, disk: nil)
        for zoom in [0, 9, 13, 16, 18] {
            let level = try #require(ZoomLevel(zoom))
            let keys = try some.grid.read {
                try $0.occupiedTiles(zoom: min(level, .deepestGrid), after: nil, limit: 4)
            }
            for key in keys {
                for query in ["", "&from=2019-01-01", "&layer=ride", "&minus=2000-01-01/2030-01-01"] {
                    // With `span=window`, the scale depends on these tracks only, so both libraries have the same
                    // scale.
                    let end = "&span=window\(query)"
                    guard try whole.database.activities().contains(.ride) || !query.contains("layer") else { continue }
                    let mine = try all.picture(
                        request(key.tile, "track=\(same.joined(separator: ","))\(end)", double: zoom == 13))
                    let theirs = try few.picture(
                        request(key.tile, "track=\(chosen.joined(separator: ","))\(end)", double: zoom == 13))
                    #expect(mine.bytes.shown == theirs.bytes.shown, "\(key.tile) \(query)")
                    if query.isEmpty { #expect(!mine.isEmpty) }
                }
            }
        }
    }

    @Test func `the union of two sets colours the pixels of both`() throws {
        let town = try Town()
        let ids = try ids(town.library)
        #expect(ids.count == 3)
        for zoom in [3, 10, 14, 16] {
            // A soft style also shows pixels to which two tracks contribute a little each.
            let path = try Town.path(zoom).replacing("/tiles/", with: "/tiles/heat-cells/")
            let one = try pixels(town.get("\(path)?track=\(ids[0])").bytes)
            let two = try pixels(town.get("\(path)?track=\(ids[1]),\(ids[2])").bytes)
            #expect(!one.isEmpty && !two.isEmpty)
            #expect(one.union(two) == (try pixels(town.get(path).bytes)))
        }
    }

    @Test func `the order of ids does not matter, and every set has its own ETag`() throws {
        let town = try Town()
        let ids = try ids(town.library)
        let path = try Town.path(14)
        let sets = [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]]
        let answers = sets.map { set in
            town.get("\(path)?track=\(set.map { ids[$0] }.joined(separator: ","))")
        }
        #expect(answers.allSatisfy { $0.status == .ok })
        #expect(Set(answers.map { $0[.eTag] }).count == sets.count)
        let turned = town.get("\(path)?track=\(ids[2]),\(ids[0])")
        #expect(turned[.eTag] == answers[4][.eTag] && turned.cacheResult == .hit)
        #expect(answers[6].bytes.shown == town.get(path).bytes.shown)
    }

    @Test func `an ETag does not depend on track numbers`() throws {
        let there = try Town(isPrepared: false)
        let first = try #require(try ids(there.library).first)
        try there.library.catchUp()
        // The same rides, stored after another track that is then removed.
        let folder = try TemporaryFolder()
        let here = try Library(folder: folder.path, zoneIfNew: "Europe/Berlin")
        try here.ride(day: 40, activity: "ride")
        let passing = try ids(here)
        try here.ride(day: 0, latitude: Town.latitude + 0.002, activity: "walk")
        try here.ride(day: 1, activity: "ride")
        try here.ride(day: 0, activity: "ride")
        try here.catchUp()
        _ = try here.remove(passing) { _ in }
        let path = "\(try Town.path(14))?track="
        let twin = try #require(try matchingTracks(of: [first], of: there.library, in: here).first)
        let server = try there.library.server()
        let mine = try here.server().get(path + twin)
        #expect(mine.status == .ok && mine[.eTag] == server.get(path + first)[.eTag])
    }

    @Test(arguments: [
        ("track=", 400), ("track=a,", 400), ("track=,a", 400), ("track=a,,b", 400), ("track=a,a", 400),
        ("track=a&track=b", 400), ("track=nobody", 404), ("track=\(names(100))", 404), ("track=\(names(101))", 400),
    ])
    func `malformed ids are a problem`(query: String, status: Int) throws {
        let town = try Town()
        for path in [try Town.path(14), "/tiles.json", "/legend/heat.json", "/legend/heat.png"] {
            #expect(town.get("\(path)?\(query)").status.code == status, "\(path)")
        }
    }

    @Test func `a known id beside an unknown one is not found`() throws {
        let town = try Town()
        let known = try ids(town.library)[0]
        #expect(town.get("\(try Town.path(14))?track=\(known),nobody").status == .notFound)
    }

    @Test func `a track outside of the requested layer gives an empty tile`() throws {
        let town = try Town()
        let walk = try #require(
            try town.library.database.tracks(limit: 9)?.tracks.first { $0.activity == .walk })
        let path = try Town.path(14)
        #expect(town.get("\(path)?track=\(walk.id)&layer=walk").bytes.count > 116)
        #expect(town.get("\(path)?track=\(walk.id)&layer=ride").bytes.count == 116)
    }

    @Test func `a removed track is not found, cached or not`() throws {
        let town = try Town()
        let ids = try ids(town.library)
        let here = "\(try Town.path(14))?track=\(ids[0])"
        let elsewhere = "/tiles/14/0/0.png?track=\(ids[0])"
        let other = "\(try Town.path(14))?track=\(ids[1])"
        for path in [here, elsewhere, other] { #expect(town.get(path).status == .ok) }
        _ = try town.library.remove([ids[0]]) { _ in }
        town.server.poll()
        #expect(town.get(here).status == .notFound)
        #expect(town.get(elsewhere).status == .notFound)
        #expect(town.get("\(here),\(ids[1])").status == .notFound)
        #expect(town.get(other).status == .ok)
    }

    @Test func `a new track keeps the cached tiles of other tracks`() throws {
        let town = try Town()
        let path = "\(try Town.path(14))?track=\(try ids(town.library)[0])"
        _ = town.get(path)
        try town.library.ride(day: 3, longitude: 100)
        try town.library.catchUp()
        town.server.poll()
        #expect(town.get(path).cacheResult == .hit)
    }

    @Test func `TileJSON has the bounds of the tracks and repeats their ids`() throws {
        struct Answer: Decodable {
            var bounds: [Double]
            var tiles: [String]
        }
        let town = try Town()
        try town.library.ride(day: 5, longitude: 179.9999)
        try town.library.catchUp()
        town.server.poll()
        let tracks = try #require(try town.library.database.tracks(limit: 9)).tracks
        let walk = try #require(tracks.first { $0.activity == .walk })
        let answer = town.get("/tiles.json?track=\(walk.id)&layer=walk")
        let value = try JSONDecoder().decode(Answer.self, from: Data(answer.bytes))
        let box = try #require(walk.bounds)
        for (edge, e7) in zip(value.bounds, [box.west, box.south, box.east, box.north]) {
            #expect(abs(edge - Double(e7) / 1e7) < 1e-5)
        }
        #expect(value.tiles[0].contains("track=\(walk.id)&"))
        #expect(
            town.get("/tiles.json?track=\(walk.id)&layer=walk", [(.ifNoneMatch, answer[.eTag] ?? "")]).status
                == .notModified)
        let far = try #require(tracks.first { $0.activity == nil })
        let wide = town.get("/tiles.json?track=\(far.id)")
        #expect(try JSONDecoder().decode(Answer.self, from: Data(wide.bytes)).bounds[0] == -180)
    }

    private static func names(_ count: Int) -> String {
        (0..<count).map { "id\($0)" }.joined(separator: ",")
    }
}
