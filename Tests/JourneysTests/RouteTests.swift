import Foundation
import Journeys
import TestSupport
import Testing
import Text
import TileMath
import Tracks

@Suite struct RouteTests {
    private func point(_ longitude: Double, _ latitude: Double) throws -> GeoPoint {
        try #require(GeoPoint(longitude: longitude, latitude: latitude))
    }

    @Test func `metres along a line find its points, and places are where the line passes them in order`() throws {
        // There and back: the second place is on the way back.
        let line = try [point(0, 0), point(0.1, 0), point(0, 0)]
        let places = try [
            JourneyPlace("Start", at: point(0, 0)), JourneyPlace("Turn", at: point(0.1, 0.001)),
            JourneyPlace("Half", at: point(0.05, 0)), JourneyPlace("End", at: point(0, 0)),
        ]
        let measure = RouteMeasure(try JourneyRoute("There and back", line: line, places: places))
        let whole = 2 * Geodesy.metres(0, 0, 1_000_000, 0)
        #expect(abs(measure.length - whole) < 0.001)
        let parts = measure.placeMetres.map { $0 / whole }
        for (part, expected) in zip(parts, [0, 0.5, 0.75, 1]) { #expect(abs(part - expected) < 1e-6) }
        #expect(abs(measure.point(at: whole / 4).point.longitude - 0.05) < 1e-6)
        #expect(measure.point(at: whole * 0.75).corner == 1)
        #expect(
            abs(measure.point(at: -1).point.longitude) < 1e-6
                && abs(measure.point(at: 2 * whole).point.longitude) < 1e-6)
        #expect(measure.line(upTo: whole * 0.75).count == 3 && measure.line(upTo: 0).count == 1)
    }

    @Test func `a line over 180° is not torn`() throws {
        let places = try [JourneyPlace("West", at: point(179, -17)), JourneyPlace("East", at: point(-179, -17))]
        let measure = RouteMeasure(try JourneyRoute("Fiji", places: places))
        #expect(abs(measure.length - Geodesy.metres(1_790_000_000, -170_000_000, -1_790_000_000, -170_000_000)) < 0.01)
        let middle = measure.point(at: measure.length / 2).point
        #expect(abs(abs(middle.longitude) - 180) < 1e-5 && abs(middle.latitude + 17) < 1e-5)
        let line = measure.line(upTo: measure.length)
        #expect(line[1].x > line[0].x)
    }

    @Test(arguments: 0..<20) func `points at increasing metres are that far from each other`(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let line = try (0..<20).map { _ in
            try point(Double(random.below(2000)) / 1e4 + 8, Double(random.below(2000)) / 1e4 + 47)
        }
        let places = try [JourneyPlace("A", at: point(8.01, 47.01)), JourneyPlace("B", at: point(8.1, 47.1))]
        let measure = RouteMeasure(try JourneyRoute("Random", line: line, places: places))
        #expect(measure.placeMetres[0] <= measure.placeMetres[1])
        var sum = 0.0
        var last = measure.point(at: 0).point
        let steps = 4000
        for step in 1...steps {
            let next = measure.point(at: measure.length * Double(step) / Double(steps)).point
            func e7(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }
            sum += Geodesy.metres(e7(last.longitude), e7(last.latitude), e7(next.longitude), e7(next.latitude))
            last = next
        }
        // Corners between two steps are cut.
        #expect(sum <= measure.length * 1.0001 && sum > measure.length * 0.99)
    }

    @Test func `metres that were recorded reach places, and more than the length is the length`() throws {
        let places = try (0..<3).map { JourneyPlace("P\($0)", at: try point(Double($0) * 0.01, 0)) }
        let route = try JourneyRoute("Line", places: places)
        let measure = RouteMeasure(route)
        #expect(JourneyProgress(metres: 0, on: measure).unlocked.count == 1)
        #expect(JourneyProgress(metres: -5, on: measure) == JourneyProgress(metres: 0, on: measure))
        let half = JourneyProgress(metres: measure.placeMetres[1], on: measure)
        #expect(half.unlocked.map(\.place) == [0, 1] && !half.isDone(on: route))
        let all = JourneyProgress(metres: 1e9, on: measure)
        #expect(all.metres == measure.journeyMetres && all.isDone(on: route))
    }

    @Test func `a route is the same after JSON and GeoJSON`() throws {
        var random = SeededRandom(seed: 9)
        for index in 0..<20 {
            var places: [JourneyPlace] = []
            for number in 0..<(2 + random.below(5)) {
                let longitude = Double(random.below(3_600_000)) / 1e4 - 180
                var place = JourneyPlace("Place \"\(number)\" é", at: try point(longitude, Double(number)))
                if number % 2 == 0 { place.description = "Line 1\nLine 2" }
                if number % 3 == 0 { place.tags = ["sea", "old town"] }
                if number == 1 { place.credit = "CC BY 4.0" }
                if number == 2 { place.seconds = 77 }
                places.append(place)
            }
            var line: [GeoPoint] = []
            if index % 2 == 1 {
                for corner in 0..<9 { line.append(try point(Double(corner), 1 + Double(random.below(9)))) }
            }
            let route = try JourneyRoute(
                "R\(index)", level: 60 + index, isSingle: index % 3 == 0, line: line, places: places)
            #expect(try JourneyRoute(json: Array(route.json.text.utf8), name: "x") == route)
            #expect(try JourneyRoute(json: Array(route.geoJSON.text.utf8), name: "x") == route)
        }
    }

    @Test(arguments: [
        ("", "not valid JSON"), ("[]", "JSON object"), ("{}", "places has to be a list"),
        (#"{"places":[{"name":"a","lon":1,"lat":2}]}"#, "2 to 1000 places, not 1"),
        (#"{"places":[{"name":"a","lon":1,"lat":99},{"name":"b","lon":1,"lat":2}]}"#, "lon and lat"),
        (#"{"places":[{"lon":1,"lat":9},{"name":"b","lon":1,"lat":2}]}"#, "no name"),
        (#"{"level":0,"places":[{"name":"a","lon":1,"lat":9},{"name":"b","lon":1,"lat":2}]}"#, "1 to 86400"),
        (#"{"level":1.5,"places":[{"name":"a","lon":1,"lat":9},{"name":"b","lon":1,"lat":2}]}"#, "whole number"),
        (#"{"line":[[1,2],[1,95]],"places":[{"name":"a","lon":1,"lat":9},{"name":"b","lon":1,"lat":2}]}"#, "[lon,lat]"),
        (#"{"line":[[1,2]],"places":[{"name":"a","lon":1,"lat":9},{"name":"b","lon":1,"lat":2}]}"#, "points, not 1"),
        (#"{"single":1,"places":[{"name":"a","lon":1,"lat":9},{"name":"b","lon":1,"lat":2}]}"#, "true or false"),
        (#"{"places":[{"name":"a","lon":1,"lat":9,"tags":"x"},{"name":"b","lon":1,"lat":2}]}"#, "tags"),
        (#"{"type":"Feature"}"#, "FeatureCollection"),
    ]) func `what is wrong in a route is named`(text: String, words: String) throws {
        do throws(JourneyError) {
            _ = try JourneyRoute(json: Array(text.utf8), name: "x")
            Issue.record("\(text) is no route")
        } catch {
            #expect(error.reason.contains(words), "\(error.reason)")
        }
    }
}
