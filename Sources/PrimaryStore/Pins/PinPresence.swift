import Database
internal import Foundation
public import Pins
internal import Text
import TileMath
internal import Tracks

/// Where persons are and were, for pins whose content only those may read who are or were there.
///
/// This does not protect the content: a client can send invented points.
extension TrackDatabase {
    /// The maximum distance of a point from the place.
    static let presenceMetres = 100.0
    /// The maximum age of the point of a person who is at the place.
    static let presenceMilliseconds: Int64 = 10 * 60_000
    /// The clocks of phones are ahead by seconds, not by minutes.
    private static let clockSkewMilliseconds: Int64 = 60_000
    /// The worst accuracy of a point that counts; a point without one counts.
    static let presenceAccuracyMetres = 100.0
    /// The maximum speed between two points: more than that of airliners.
    static let presenceMetresPerSecond = 350.0
    /// A longer step between two points says nothing about the places between.
    private static let stepMetres = 2000.0

    /// Those of the places at which a person recorded a point within the last ten minutes.
    public func occupied(_ places: [PinPlace], by person: String, now: Int64) throws -> Set<PinPlace> {
        let from = now - Self.presenceMilliseconds
        let until = now + Self.clockSkewMilliseconds
        let points = try read { try $0.latestPoints(of: person, since: from) }
        var found: Set<PinPlace> = []
        for (index, point) in points.enumerated() where point.time >= from && point.time <= until {
            guard point.accuracy <= Self.presenceAccuracyMetres,
                index == 0 || point.isReachable(from: points[index - 1], Self.presenceMetresPerSecond)
            else { continue }
            for place in places where place.metres(to: point.place) <= Self.presenceMetres { found.insert(place) }
        }
        return found
    }

    /// Those of the places to which tracks of a person ever came near.
    public func visited(_ places: [PinPlace], by person: String) throws -> Set<PinPlace> {
        try read { try $0.visited(places, by: person, within: Self.presenceMetres, stepMetres: Self.stepMetres) }
    }
}

/// A recorded point, as far as presence needs it.
struct PresencePoint {
    var time: Int64
    var place: PinPlace
    /// Metres; 0 if unknown.
    var accuracy: Double

    /// Whether somebody can have come from another point that fast. Steps within the accuracy of receivers do not
    /// count.
    func isReachable(from other: PresencePoint, _ metresPerSecond: Double) -> Bool {
        let metres = place.metres(to: other.place)
        return metres <= max(accuracy, other.accuracy) || metres <= metresPerSecond * Double(time - other.time) / 1000
    }
}

extension PinPlace {
    func metres(to other: PinPlace) -> Double {
        Geodesy.metres(longitude, latitude, other.longitude, other.latitude)
    }

    /// The way from another place in metres to the east and to the north, where the circles of latitude are shorter than
    /// the equator by a factor.
    private func offset(from origin: PinPlace, _ scale: Double) -> (east: Double, north: Double) {
        let metres = EarthSphere.metresPerUnit
        let units = E7Longitude.difference(from: origin.longitude, to: longitude)
        return (Double(units) * metres * scale, Double(Int64(latitude) - Int64(origin.latitude)) * metres)
    }

    /// Metres to the line between two places, as far as they are near.
    func metres(toLineFrom start: PinPlace, to end: PinPlace) -> Double {
        let scale = cos(degrees.latitude * Double.pi / 180)
        // Not between their offsets from here: on the other side of the Earth one may be to the east, one to the west.
        let (a, (east, north)) = (start.offset(from: self, scale), end.offset(from: start, scale))
        let square = east * east + north * north
        // The foot of the perpendicular, as a share of the line; at its ends if it is beyond them.
        let share = square > 0 ? min(1, max(0, -(a.east * east + a.north * north) / square)) : 0
        let (x, y) = (a.east + share * east, a.north + share * north)
        return (x * x + y * y).squareRoot()
    }
}

extension PointColumns {
    /// Calls `body` with the index and the place of each point.
    fileprivate func forEachPlace(_ body: (Int, PinPlace) -> Void) {
        let unit = E7Converter(unit: unit)
        for index in times.indices {
            let place = PinPlace(
                e7Longitude: Int64(unit.e7(longitudes[index])), latitude: Int64(unit.e7(latitudes[index])))
            if let place { body(index, place) }
        }
    }
}

extension TrackSnapshot {
    /// The recorded points of a person since a time, in order of time, and the one before them.
    fileprivate func latestPoints(of person: String, since from: Int64) throws -> [PresencePoint] {
        guard let number = try personNumber(named: person) else { return [] }
        // The newest track that ended before has the point before the first one.
        let tracks = try session.rows(
            """
            SELECT number FROM track WHERE state = 0 AND person + 0 = $1 AND finish >= coalesce(
            (SELECT max(finish) FROM track WHERE state = 0 AND person + 0 = $1 AND finish < $2), $2)
            """, [.integer(number), .integer(from)]
        ) { $0.integer(0) }
        var points: [PresencePoint] = []
        for track in tracks {
            try forEachChunk(ofTrack: track, fields: .only([FieldName.horizontalAccuracy])) { chunk in
                let accuracies = chunk.column(FieldName.horizontalAccuracy)?.numbers
                chunk.forEachPlace { index, place in
                    guard chunk.times[index] != PointColumns.untimed else { return }
                    var accuracy = 0.0
                    if let (places, numbers) = accuracies, numbers[index] != FieldColumn.absent {
                        accuracy = FixedDecimal(mantissa: numbers[index], places: places).double
                    }
                    points.append(PresencePoint(time: chunk.times[index], place: place, accuracy: accuracy))
                }
                // Of what is older, only the newest point is needed.
                if let newest = points.filter({ $0.time < from }).max(by: { $0.time < $1.time }) {
                    points = points.filter { $0.time >= from } + [newest]
                }
            }
        }
        return points.sorted { $0.time < $1.time }
    }

    fileprivate func visited(
        _ places: [PinPlace], by person: String, within metres: Double, stepMetres: Double
    ) throws -> Set<PinPlace> {
        guard let number = try personNumber(named: person) else { return [] }
        var left = Set(places)
        var found: Set<PinPlace> = []
        let tracks = try session.rows(
            """
            SELECT number, west, south, east, north FROM track
            WHERE state = 0 AND person + 0 = $1 AND west IS NOT NULL ORDER BY number
            """, [.integer(number)]
        ) { (number: $0.integer(0), bounds: E7Bounds(row: $0, from: 1)) }
        for track in tracks {
            let near = left.filter { $0.isNear(track.bounds) }
            guard !near.isEmpty else { continue }
            var last: PinPlace?
            try forEachChunk(ofTrack: track.number, fields: .none) { chunk in
                chunk.forEachPlace { index, place in
                    if chunk.segmentStarts.contains(index) { last = nil }
                    let start = last.flatMap { $0.metres(to: place) <= stepMetres ? $0 : nil } ?? place
                    for pin in near where !found.contains(pin) && pin.metres(toLineFrom: start, to: place) <= metres {
                        found.insert(pin)
                    }
                    last = place
                }
            }
            left.subtract(found)
            if left.isEmpty { break }
        }
        return found
    }
}

extension PinPlace {
    /// Whether the place is in a box, or some hundred metres from it.
    fileprivate func isNear(_ bounds: E7Bounds) -> Bool {
        // 0.002° are 222 m to the north.
        let margin: Int64 = 20_000
        guard Int64(latitude) >= Int64(bounds.south) - margin, Int64(latitude) <= Int64(bounds.north) + margin else {
            return false
        }
        let scale = max(cos(degrees.latitude * Double.pi / 180), 0.001)
        let (halfTurn, turn) = (E7Longitude.halfTurn, E7Longitude.turn)
        let wide = min(Int64(Double(margin) / scale), halfTurn)
        let width = (Int64(bounds.east) - Int64(bounds.west) + turn) % turn
        let east = (Int64(longitude) - Int64(bounds.west) + wide + turn) % turn
        return east <= width + 2 * wide
    }
}
