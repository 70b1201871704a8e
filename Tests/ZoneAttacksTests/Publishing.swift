import Digest
import Editions
import Foundation
import TileMath
import Tracks
import ZoneAttacks

/// Ways to publish trips.
enum Publishing {
    /// As an edition with zones does.
    static func cut(_ trips: [Trip], zones: [PrivacyZone]) -> [PublishedTrack] {
        trips.compactMap { trip in
            var cutter = PointCutter(zones: zones, times: Int64.min + 1..<Int64.max, showsUntimed: true)
            guard let points = cutter.cut(trip.points) else { return nil }
            let starts = points.segmentStarts.contains(0) ? points.segmentStarts : [0] + points.segmentStarts
            let converter = E7Converter(unit: points.unit)
            let segments = zip(starts, starts.dropFirst() + [points.count]).map { start, end in
                (start..<end).map { index in
                    PublishedPlace(
                        longitude: converter.e7(points.longitudes[index]),
                        latitude: converter.e7(points.latitudes[index]))
                }
            }
            return PublishedTrack(segments: segments, day: trip.day)
        }
    }

    /// Without a length of the way at the beginning and at the end.
    static func trimmed(_ trips: [Trip], metres: () -> Double) -> [PublishedTrack] {
        trips.compactMap { trip in
            var places = trip.places[...]
            places = places.dropFirst(count(places.lazy.map { $0 }, metres()))
            places = places.dropLast(count(places.reversed(), metres()))
            return places.count > 1 ? PublishedTrack(segments: [Array(places)], day: trip.day) : nil
        }
    }

    private static func count(_ places: some Sequence<PublishedPlace>, _ metres: Double) -> Int {
        var sum = 0.0
        var count = 0
        var last: PublishedPlace?
        for place in places {
            if let last { sum += self.metres(last, place) }
            last = place
            guard sum < metres else { break }
            count += 1
        }
        return count
    }

    static func metres(_ one: PublishedPlace, _ other: PublishedPlace) -> Double {
        Geodesy.sphereMetres(one.longitude, one.latitude, other.longitude, other.latitude)
    }

    static func metres(of trip: Trip) -> Double {
        zip(trip.places, trip.places.dropFirst()).reduce(0) { $0 + metres($1.0, $1.1) }
    }
}
