import Foundation
import HTTPCore
import PrimaryStore
import Statistics
import Testing
import TrackStore
import Tracks

@testable import TileService
@testable import TrackService

/// Where tracks begin and end, by name.
@Suite struct TrackPlacesTests {
    private struct Track: Decodable {
        struct Places: Decodable, Equatable {
            var from: String?
            var to: String?
            var loop: Bool
            var source: String
        }
        var id: String
        var name: String?
        var places: Places?
    }

    private struct List: Decodable {
        var tracks: [Track]
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ response: Response) throws -> Value {
        #expect(response.status == .ok, "\(response.text)")
        return try JSONDecoder().decode(type, from: Data(response.bytes))
    }

    /// Stores a track through places, [longitude, latitude], one a minute, and returns its id.
    private func add(_ places: [(Double, Double)], to library: Library, day: Int64) throws -> String {
        let session = try library.database.beginImport()
        let recording = try session.open()
        try session.append(
            PointColumns(
                unit: .decimal(places: 7), longitudes: places.map { Int64(($0.0 * 1e7).rounded()) },
                latitudes: places.map { Int64(($0.1 * 1e7).rounded()) },
                times: places.indices.map { (Town.firstDay + day * 86_400 + Int64($0) * 60) * 1000 },
                segmentStarts: [0]), to: recording)
        _ = try session.close(recording, header: RecordingHeader(source: "\(day).gpx"))
        try session.finish()
        let stored = try library.database.tracks(limit: 100)?.tracks ?? []
        return try #require(stored.first { $0.source == "\(day).gpx" }).id
    }

    private func places(_ town: Town, _ id: String) throws -> Track.Places? {
        try decoded(Track.self, town.get("/v1/tracks/\(id)")).places
    }

    @Test func `tracks have the names of the places where they begin and end, in lists and alone`() throws {
        let town = try Town()
        // From Potsdam towards Werder, in steps of some hundred metres.
        let way = (0...40).map { (step: Int) -> (Double, Double) in
            let share = Double(step)
            return (13.0591 - share * 0.0033, 52.3989 - share * 0.0005)
        }
        let there = try add(way, to: town.library, day: 3)
        let loop = try add(way + way.dropLast().reversed(), to: town.library, day: 4)
        let still = try add([way[0], way[0], way[0]], to: town.library, day: 5)
        let sea = try add([(-30, 40), (-30.001, 40)], to: town.library, day: 6)
        try town.library.catchUp()
        let away = try #require(try places(town, there))
        #expect(away.from == "Potsdam" && away.to?.hasPrefix("Werder") == true && !away.loop)
        #expect(away.source == "GeoNames")
        #expect(try places(town, loop) == Track.Places(from: "Potsdam", to: "Potsdam", loop: true, source: "GeoNames"))
        #expect(
            try places(town, still) == Track.Places(from: "Potsdam", to: "Potsdam", loop: false, source: "GeoNames"))
        #expect(try places(town, sea) == nil)
        let list = try decoded(List.self, town.get("/v1/tracks"))
        #expect(list.tracks.count == 7)
        for track in list.tracks { #expect(try places(town, track.id) == track.places) }
    }

    @Test func `names that come later are no change of the track`() throws {
        let town = try Town()
        let id = try add([(13.4, 52.5), (13.401, 52.5)], to: town.library, day: 3)
        let early = town.get("/v1/tracks/\(id)")
        #expect(try decoded(Track.self, early).places == nil)
        try town.library.catchUp()
        #expect(try places(town, id) != nil)
        let tag = try #require(early[.eTag])
        let edited = try town.patch(id, #"{"name":"Spree"}"#, tag)
        #expect(try decoded(Track.self, edited).name == "Spree" && edited.text.contains("GeoNames"))
        #expect(try town.patch(id, #"{"name":"Havel"}"#, tag).status == .preconditionFailed)
        let now = try #require(edited[.eTag])
        #expect(town.get("/v1/tracks/\(id)")[.eTag] == now)
        #expect(try town.patch(id, #"{"name":"Havel"}"#, now).status == .ok)
    }

    @Test func `a place names what is near, and a loop is long and closed`() throws {
        func ends(_ start: (Int32, Int32), _ end: (Int32, Int32)) -> TrackEnds {
            TrackEnds(
                startLongitude: start.0, startLatitude: start.1, endLongitude: end.0, endLatitude: end.1)
        }
        let potsdam = (Int32(130_591_000), Int32(523_989_000))
        let sea = (Int32(-300_000_000), Int32(400_000_000))
        #expect(TrackPlaces(ends(sea, sea), metres: 5_000) == nil)
        let out = try #require(TrackPlaces(ends(potsdam, sea), metres: 5_000))
        #expect(out.from == "Potsdam" && out.to == nil && !out.loop)
        // 300 m are 0.0027° of latitude.
        for (apart, metres, isLoop) in [
            (Int32(0), 1_000.0, true), (0, 999, false), (26_000, 5_000, true), (28_000, 5_000, false),
        ] {
            let places = TrackPlaces(ends(potsdam, (potsdam.0, potsdam.1 + apart)), metres: metres)
            #expect(places?.loop == isLoop, "\(apart) \(metres)")
        }
    }
}

extension Town {
    /// Edits a track, if it still has a tag.
    fileprivate func patch(_ id: String, _ json: String, _ tag: String) throws -> Response {
        server.ask(
            Request(
                .patch, "/v1/tracks/\(id)",
                headers: [(.host, "localhost"), (.ifMatch, tag)],
                content: .bytes(Array(json.utf8))))
    }
}
