import Foundation
import HTTPCore
import PNG
import PrimaryStore
import Testing
import TileService
import TrackStore
import Tracks

@Suite struct StatisticsRouteTests {
    private struct Sums: Decodable, Equatable {
        var tracks: Int
        var metres: Double
        var seconds: Double
        var movingSeconds: Double
        var climb: Double
        var days: Int
    }

    private struct Answer: Decodable {
        struct Row: Decodable {
            var period: String
            var from: String
            var tracks: Int
            var metres: Double
            var seconds: Double
            var days: Int
        }
        struct Streak: Decodable {
            var longest: Int
            var from: String?
            var to: String?
            var current: Int
        }
        struct Number: Decodable {
            var number: Int
            var missing: Int
        }
        var by: String
        var zone: String
        var rows: [Row]
        var total: Sums
        var streak: Streak
        var eddington: [String: Number]
    }

    private func answer(_ town: Town, _ query: String) throws -> Answer {
        let response = town.get("/v1/stats?\(query)")
        #expect(response.status == .ok && response[.contentType] == "application/json", "\(query)")
        return try JSONDecoder().decode(Answer.self, from: Data(response.bytes))
    }

    @Test func `totals agree with the list of tracks, in every period`() throws {
        let town = try Town()
        let tracks = try #require(try town.library.database.tracks(limit: 9)).tracks
        // Two of the three were recorded at the same time: the longer one counts.
        let metres = Dictionary(grouping: tracks, by: \.start).values.reduce(0) { $0 + ($1.map(\.metres).max() ?? 0) }
        for (by, periods) in [
            ("day", ["2019-06-01", "2019-06-02"]), ("week", ["2019-W22"]), ("month", ["2019-06"]), ("year", ["2019"]),
        ] {
            let answer = try answer(town, "by=\(by)")
            #expect(answer.by == by && answer.zone == "Europe/Berlin" && answer.rows.map(\.period) == periods)
            #expect(answer.total.tracks == 3 && answer.total.days == 2)
            #expect(abs(answer.total.metres - metres) < 0.01)
            #expect(abs(answer.rows.reduce(0) { $0 + $1.metres } - answer.total.metres) < 1e-6)
            #expect(answer.total.seconds == 118 && answer.total.movingSeconds == 118)
            #expect(answer.streak.longest == 2 && answer.streak.from == "2019-06-01" && answer.streak.current == 0)
            #expect(answer.eddington["km"]?.number == 0 && answer.eddington["mi"]?.missing == 1)
        }
        #expect(try answer(town, "by=week").rows[0].from == "2019-05-27")
    }

    @Test func `layer, activity, person and window select tracks`() throws {
        let town = try Town()
        #expect(try answer(town, "activity=walking").total.tracks == 1)
        #expect(try answer(town, "layer=cycling").total.tracks == 2)
        #expect(try answer(town, "layer=ride&activity=walk").total.tracks == 0)
        #expect(try answer(town, "person=").total.tracks == 3)
        #expect(try answer(town, "from=2019-06-02").total.tracks == 1)
        #expect(try answer(town, "to=2019-06-01").total.tracks == 2)
        #expect(try answer(town, "from=2019-06-01T23:00:00Z&to=2019-06-02T23:00:00Z").total.tracks == 1)
        for (query, status) in [
            ("layer=nope", Status.notFound), ("person=nobody", .notFound), ("by=decade", .badRequest),
            ("from=2020-01-01&to=2019-01-01", .badRequest), ("from=yesterday", .badRequest),
            ("by=day&by=day", .badRequest), ("theme=blue", .badRequest), ("size=1x1", .badRequest),
        ] {
            #expect(town.get("/v1/stats?\(query)").status == status, "\(query)")
        }
    }

    @Test func `a removed track was never counted`() throws {
        let town = try Town()
        let before = try answer(town, "by=day")
        try town.library.ride(day: 4, count: 500, activity: "ride")
        try town.library.catchUp()
        town.server.poll()
        let response = town.get("/v1/stats?by=day")
        #expect(try answer(town, "by=day").total.tracks == 4)
        let added = try #require(try town.library.database.tracks(limit: 1)?.tracks.first)
        _ = try town.library.remove([added.id], drop: { _ in })
        town.server.poll()
        #expect(try answer(town, "by=day").total == before.total)
        #expect(town.get("/v1/stats?by=day", [(.ifNoneMatch, response[.eTag] ?? "")]).status == .ok)
    }

    private struct Listed: Decodable {
        struct Track: Decodable {
            var id: String
            var metres: Double
            var seconds: Double
            var movingSeconds: Double?
            var climb: Double?
            var sameTimeAs: [String]?
        }

        var tracks: [Track]
    }

    private struct Days: Decodable {
        struct Day: Decodable {
            var day: String
            var tracks: Int
            var metres: Double
            var seconds: Double
        }

        var days: [Day]
    }

    @Test func `tracks at the same time name each other, and the calendar counts them once, as totals do`() throws {
        let town = try Town()
        let listed = try JSONDecoder().decode(Listed.self, from: Data(town.get("/v1/tracks").bytes)).tracks
        let doubled = listed.filter { $0.sameTimeAs != nil }
        #expect(listed.count == 3 && doubled.count == 2)
        #expect(doubled[0].sameTimeAs == [doubled[1].id] && doubled[1].sameTimeAs == [doubled[0].id])
        for track in listed {
            #expect(track.movingSeconds == track.seconds && track.climb == 0)
            let single = try JSONDecoder().decode(
                Listed.Track.self, from: Data(town.get("/v1/tracks/\(track.id)").bytes))
            #expect(single.sameTimeAs == track.sameTimeAs)
        }
        let totals = try answer(town, "by=day").rows
        for zone in ["", "&tz=Europe/Berlin", "&tz=UTC"] {
            let response = town.get("/v1/calendar?year=2019\(zone)")
            let days = try JSONDecoder().decode(Days.self, from: Data(response.bytes)).days
            #expect(days.map(\.day) == totals.map(\.period) && days.map(\.tracks) == [2, 1])
            for (day, row) in zip(days, totals) {
                #expect(abs(day.metres - row.metres) < 0.11 && day.seconds == row.seconds, "\(zone)")
            }
        }
    }

    @Test func `totals are CSV and charts, too`() throws {
        let town = try Town()
        let csv = town.get("/v1/stats.csv?by=day")
        #expect(csv[.contentType] == "text/csv; charset=utf-8")
        let lines = csv.text.split(separator: "\n")
        #expect(lines.count == 3 && lines[0] == "period,from,tracks,metres,seconds,moving_seconds,climb,days")
        #expect(lines[1].hasPrefix("2019-06-01,2019-06-01,2,") && lines[1].hasSuffix(",59,59,0,1"))
        for theme in ["light", "dark"] {
            let svg = town.get("/v1/stats.svg?by=day&theme=\(theme)")
            #expect(svg[.contentType] == "image/svg+xml" && svg.text.contains("<svg"))
            let tag = svg[.eTag] ?? ""
            #expect(town.get("/v1/stats.svg?by=day&theme=\(theme)", [(.ifNoneMatch, tag)]).status == .notModified)
            #expect(town.get("/v1/stats.svg?by=day&theme=\(theme)&value=climb", [(.ifNoneMatch, tag)]).status == .ok)
            let png = town.get("/v1/stats.png?by=day&theme=\(theme)&size=400x300")
            let image = try PNGReader.image(of: png.bytes)
            #expect(image.width == 800 && image.height == 600)
        }
    }

    @Test func `the review of a year names the longest track`() throws {
        struct Review: Decodable {
            struct Track: Decodable {
                var id: String
                var date: String
            }
            struct Day: Decodable { var date: String }
            var year: Int
            var total: Sums
            var longestTrack: Track?
            var biggestDay: Day?
            var mostActiveWeekday: String?
        }
        let town = try Town()
        let longer = town.library
        try longer.ride(day: 9, count: 500, activity: "ride")
        try longer.catchUp()
        town.server.poll()
        let newest = try #require(try longer.database.tracks(limit: 1)?.tracks.first)
        let response = town.get("/v1/stats/year/2019")
        #expect(response.status == .ok)
        let review = try JSONDecoder().decode(Review.self, from: Data(response.bytes))
        #expect(review.year == 2019 && review.total.tracks == 4 && review.total.days == 3)
        #expect(review.longestTrack?.id == newest.id && review.longestTrack?.date == "2019-06-10")
        #expect(review.biggestDay?.date == "2019-06-10" && review.mostActiveWeekday == "monday")
        let empty = try JSONDecoder().decode(Review.self, from: Data(town.get("/v1/stats/year/2001").bytes))
        #expect(empty.total.days == 0 && empty.longestTrack == nil && empty.mostActiveWeekday == nil)
        for year in ["19", "20190", "next", "0000"] {
            #expect(town.get("/v1/stats/year/\(year)").status == .notFound, "\(year)")
        }
    }
}
