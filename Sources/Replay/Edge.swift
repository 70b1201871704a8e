import Foundation
import TileMath
import Tracks

/// The straight connection of two consecutive points without a gap.
struct Edge {
    let start: PlayablePoint
    let end: PlayablePoint
    /// Metres from the track's first point to `start`, without gaps.
    let startMetres: Double
    let metres: Double

    init(from start: PlayablePoint, to end: PlayablePoint, startMetres: Double) {
        self.start = start
        self.end = end
        self.startMetres = startMetres
        metres = Geodesy.metres(start.longitude, start.latitude, end.longitude, end.latitude)
    }

    /// The frame at an instant between `start` and `end`, interpolated linearly in latitude and in longitude (the
    /// shorter way around).
    func frame(at instant: Int64) -> Frame {
        guard instant < end.time else {
            return Frame(recorded: end, metres: startMetres + metres, speed: hundredthsPerSecond, course: course)
        }
        let share = Double(instant - start.time) / Double(end.time - start.time)
        func between(_ from: some BinaryInteger, _ step: Int64) -> Int64 {
            Int64(from) + Int64((Double(step) * share).rounded())
        }
        var elevation: Int64?
        if let low = start.fields.elevation, let high = end.fields.elevation {
            // Elevations are fields of files, which may have any value.
            let (step, overflow) = high.subtractingReportingOverflow(low)
            if !overflow { elevation = between(low, step) }
        }
        let longitude = E7Longitude.wrapped(
            between(start.longitude, E7Longitude.difference(from: start.longitude, to: end.longitude)))
        let latitude = between(start.latitude, Int64(end.latitude) - Int64(start.latitude))
        var frame = Frame(
            instant: instant, longitude: longitude, latitude: Int32(latitude), index: start.index,
            metres: startMetres + metres * share)
        frame.elevation = elevation
        frame.speed = hundredthsPerSecond
        frame.course = course
        return frame
    }

    /// Hundredths of a metre a second; nil if both points have the same time.
    private var hundredthsPerSecond: Int64? {
        let milliseconds = end.time - start.time
        guard milliseconds > 0 else { return nil }
        return Int64((metres / Double(milliseconds) * 100_000).rounded())
    }

    /// The initial great-circle course at `start` in whole degrees, clockwise from north; nil if both points are at
    /// the same place.
    private var course: Int? {
        let step = E7Longitude.difference(from: start.longitude, to: end.longitude)
        guard step != 0 || start.latitude != end.latitude else { return nil }
        let unit = Double.pi / Double(E7Longitude.halfTurn)
        let (low, high, turn) = (Double(start.latitude) * unit, Double(end.latitude) * unit, Double(step) * unit)
        let east = sin(turn) * cos(high)
        let north = cos(low) * sin(high) - sin(low) * cos(high) * cos(turn)
        let degrees = Int((atan2(east, north) * 180 / .pi).rounded())
        return (degrees + 360) % 360
    }
}

/// The state of a track at one instant.
struct Frame: Equatable {
    /// Milliseconds since 1970.
    var instant: Int64
    /// 1e-7°.
    var longitude: Int32
    /// 1e-7°.
    var latitude: Int32
    /// Tenths of a metre.
    var elevation: Int64?
    /// Hundredths of a metre a second; nil if no edge leads to the point.
    var speed: Int64?
    /// Whole degrees, clockwise from north.
    var course: Int?
    /// The index of the point, or of the last point before an interpolated frame.
    var index: Int
    /// Metres from the track's first point.
    var metres: Double
    var isRecorded: Bool

    /// A frame between two recorded points.
    init(instant: Int64, longitude: Int32, latitude: Int32, index: Int, metres: Double) {
        self.instant = instant
        self.longitude = longitude
        self.latitude = latitude
        self.index = index
        self.metres = metres
        isRecorded = false
    }

    init(recorded point: PlayablePoint, metres: Double, speed: Int64? = nil, course: Int? = nil) {
        self.init(
            instant: point.time, longitude: point.longitude, latitude: point.latitude, index: point.index,
            metres: metres)
        elevation = point.fields.elevation
        self.speed = speed
        self.course = course
        isRecorded = !point.isTimeEstimated
    }
}
