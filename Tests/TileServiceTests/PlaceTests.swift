import Files
import Foundation
import HTTPCore
import PrimaryStore
import TestSupport
import Testing
import Text
import TileMath
import TrackStore
import Tracks

@testable import TileService

/// Who was at a place, and when.
@Suite struct PlaceTests {
    private struct Answer: Decodable {
        struct Track: Decodable {
            var id: String
            var start: String?
        }
        struct Cell: Decodable {
            var bbox: [Double]
        }
        var count: Int
        var quantile: Double
        var first: String?
        var last: String?
        var days: Int
        var tracks: [Track]
        var more: Bool
        var cell: Cell
    }

    private func ask(_ server: TileServer, _ query: String) throws -> Answer {
        let answer = server.get("/v1/at?\(query)")
        #expect(answer.status == .ok, "\(query): \(answer.text)")
        return try JSONDecoder().decode(Answer.self, from: Data(answer.bytes))
    }

    private func milliseconds(_ text: String?) throws -> Double {
        guard case .instant(let instant)? = DateText(try #require(text)) else { preconditionFailure("no instant") }
        return Double(instant)
    }

    @Test func `places and windows give what a point-by-point search finds`() throws {
        let folder = try TemporaryFolder()
        let library = try Library(folder: folder.path, zoneIfNew: "Europe/Berlin")
        let middles: [Int64] = [1_711_846_800, 1_709_245_800]
        let model = try InstantModel(zone: "Europe/Berlin", round: middles, in: library)
        let server = try library.server()
        var random = SeededRandom(seed: 17)
        let windows: [(Int64, Int64, String)] = [
            (.min, .max, ""), (middles[0] * 1000, .max, "&from=\(InstantFormatter.utc(middles[0] * 1000).dropLast())Z"),
            (
                middles[1] * 1000 - 3_000_000, middles[1] * 1000 + 5_000_000,
                "&from=\(InstantFormatter.utc(middles[1] * 1000 - 3_000_000))&to=\(InstantFormatter.utc(middles[1] * 1000 + 5_000_000))"
            ),
        ]
        for (from, to, query) in windows {
            let stays = model.stays(from: from, to: to)
            for turn in 0..<24 {
                let place = try #require(
                    model.outings.randomElement(using: &random)?.places.randomElement(using: &random)
                ).point
                let zoom = [16, 14, 9, 18, 22][turn % 5]
                let radius = [3, 0, 7][turn % 3]
                let level = min(zoom, 16)
                let reach = Int64(zoom > 16 ? (radius + (1 << (zoom - 16)) - 1) / (1 << (zoom - 16)) : radius)
                let shift = Int64(16 - level)
                // The centre of the place's unit, so that a rounded coordinate is still in the cell.
                let column = place.x >> (24 - Int64(level))
                let row = place.y >> (24 - Int64(level))
                let centre = WorldPoint(
                    x: column << (24 - Int64(level)) + 1 << (23 - Int64(level)),
                    y: row << (24 - Int64(level)) + 1 << (23 - Int64(level)))
                let near = stays.filter { stay in
                    let right = (stay.cell[0] >> shift) - column
                    let down = (stay.cell[1] >> shift) - row
                    return right * right + down * down <= reach * reach
                }
                let answer = try ask(
                    server, "lon=\(centre.longitude)&lat=\(centre.latitude)&z=\(zoom)&radius=\(radius)\(query)")
                var visitors: [[Int64]: Set<String>] = [:]
                for stay in near {
                    let who = "\(stay.day) \(model.outings[stay.outing].person ?? "")"
                    visitors[stay.cell.map { $0 >> shift }, default: []].insert(who)
                }
                #expect(answer.count == visitors.values.map(\.count).max() ?? 0, "\(zoom) \(radius) \(query)")
                #expect(answer.days == Set(near.map(\.day)).count)
                #expect(answer.tracks.count == Set(near.map(\.outing)).count && !answer.more)
                guard !near.isEmpty else {
                    #expect(answer.first == nil && answer.last == nil)
                    continue
                }
                // Cut lines end at a rounded place: on a slow line this is a difference of seconds.
                let first = try #require(near.map(\.times.lowerBound).min())
                let last = try #require(near.map(\.times.upperBound).max())
                #expect(abs(try milliseconds(answer.first) - first) < 10_000, "\(zoom) \(radius) \(query)")
                #expect(abs(try milliseconds(answer.last) - last) < 10_000, "\(zoom) \(radius) \(query)")
                let box = answer.cell.bbox
                let best = visitors.filter { $0.value.count == answer.count }.keys
                let cell = WorldPoint(longitude: (box[0] + box[2]) / 2, latitude: (box[1] + box[3]) / 2)
                #expect(best.contains([cell.x >> (24 - Int64(level)), cell.y >> (24 - Int64(level))]))
            }
        }
    }

    private let here = "lon=13.4001&lat=52.50001"

    @Test func `layers and tracks restrict the answer, newest first`() throws {
        let town = try Town()
        let all = try ask(town.server, "\(here)&z=10")
        #expect(all.count == 2 && all.days == 2 && all.tracks.count == 3)
        #expect(all.tracks.map(\.start) == all.tracks.map(\.start).sorted { ($0 ?? "") > ($1 ?? "") })
        #expect(all.quantile > 0 && all.quantile <= 1)
        #expect(try ask(town.server, "\(here)&z=10&layer=walk").tracks.count == 1)
        let one = try ask(town.server, "\(here)&z=10&track=\(try town.firstRide)")
        #expect(one.tracks.map(\.id) == [try town.firstRide] && one.count == 1)
        #expect(town.get("/v1/at?\(here)&z=10&layer=nope").status == .notFound)
        #expect(town.get("/v1/at?\(here)&z=10&track=nope").status == .notFound)
    }

    @Test func `an unvisited place has an empty list, and a busy place a limited one`() throws {
        let town = try Town()
        let nothing = try ask(town.server, "lon=-70&lat=-40&z=12")
        #expect(nothing.count == 0 && nothing.quantile == 0 && nothing.tracks.isEmpty && nothing.days == 0)
        #expect(nothing.first == nil && !nothing.more)
        for day in 2..<24 { try town.library.ride(day: Int64(day)) }
        try town.library.catchUp()
        town.server.poll()
        let many = try ask(town.server, "\(here)&z=8")
        #expect(many.count == 24 && many.tracks.count == 20 && many.more)
        #expect(many.first == "2019-06-01T12:00:00Z" && many.last?.hasPrefix("2019-06-24T12:00:5") == true)
    }

    @Test(arguments: ["lon=180&lat=10", "lon=-180&lat=10", "lon=13&lat=90", "lon=13&lat=-90", "lon=13&lat=85.06"])
    func `places at the world's edges are answered`(place: String) throws {
        let town = try Town()
        try town.library.ride(day: 9, longitude: 179.9999, latitude: 10)
        try town.library.catchUp()
        town.server.poll()
        for zoom in [0, 1, 16, 22] {
            let answer = try ask(town.server, "\(place)&z=\(zoom)&radius=16")
            // Near 180° the ride is on both sides.
            if place.hasSuffix("=10"), zoom == 16 { #expect(answer.count == 1) }
            #expect(answer.cell.bbox[0] < answer.cell.bbox[2] && answer.cell.bbox[1] < answer.cell.bbox[3])
        }
    }

    @Test(arguments: [
        "", "lon=1&lat=2", "lon=1&z=3", "lon=181&lat=0&z=3", "lon=0&lat=91&z=3", "lon=nan&lat=0&z=3",
        "lon=2e2&lat=0&z=3", "lon=0x1&lat=0&z=3", "lon=1&lat=2&z=23", "lon=1&lat=2&z=-1", "lon=1&lat=2&z=1.5",
        "lon=1&lat=2&z=3&radius=17", "lon=1&lat=2&z=3&radius=-1", "lon=1&lat=2&z=3&radius=", "lon=1&lon=1&lat=2&z=3",
        "lon=1&lat=2&z=3&from=yesterday", "lon=1&lat=2&z=3&track=",
    ])
    func `an invalid place is a bad request`(query: String) throws {
        #expect(try Town().get("/v1/at?\(query)").status == .badRequest)
    }

    @Test func `an answer is cached and revalidated like tiles`() throws {
        let town = try Town()
        let answer = town.get("/v1/at?\(here)&z=12")
        let tag = try #require(answer[.eTag])
        #expect(answer[.cacheControl] == town.get(try Town.path(12))[.cacheControl])
        #expect(town.get("/v1/at?\(here)&z=12", [(.ifNoneMatch, tag)]).status == .notModified)
        _ = try town.library.remove([try town.firstRide]) { _ in }
        town.server.poll()
        #expect(town.get("/v1/at?\(here)&z=12", [(.ifNoneMatch, tag)]).status == .ok)
    }
}
