import Foundation
import TileLog

/// A property of lines by which a picture can colour them, as a code of 16 bits.
///
/// 0 stands for an unknown value. Where lines overlap, a picture shows the greatest value, which is drawn last; only for
/// activities the order depends on the style, so the code is a set of bits. So the code of several lines is the greatest
/// or the union of theirs, whatever their order.
public enum LineProperty: Int, CaseIterable, Sendable {
    /// Days since 1970-01-01, plus 32,768.
    case day
    /// A `SpeedCode`.
    case speed
    /// Metres, plus 32,768.
    case elevation
    /// The direction of movement: 1 for north to 16 for north-north-west, clockwise.
    case direction
    /// A bit for the number of each activity in the grid; bit 0 for no activity.
    case activity

    private static let offset: Int32 = 32_768
    /// The number of directions.
    public static let directions = 16

    /// The code of a day; days from 1880 to 2059 have their own.
    public static func code(day: Int32) -> UInt16 {
        day == FragmentOrder.untimedDay ? 0 : UInt16(clamping: max(1, day + offset))
    }

    /// The day of a code; nil if it is unknown.
    public static func day(ofCode code: UInt16) -> Int32? {
        code == 0 ? nil : Int32(code) - offset
    }

    /// The code of the mean of the elevations of a line's ends, or of the one that is known.
    @inline(__always)
    public static func code(elevations start: Int16, _ end: Int16) -> UInt16 {
        if start == TileLines.noElevation { return code(elevation: end) }
        if end == TileLines.noElevation { return code(elevation: start) }
        return code(elevation: Int16((Int(start) + Int(end)) / 2))
    }

    @inline(__always)
    private static func code(elevation: Int16) -> UInt16 {
        elevation == TileLines.noElevation ? 0 : UInt16(Int32(elevation) + offset)
    }

    /// The elevation of a code in metres; nil if it is unknown.
    public static func elevation(ofCode code: UInt16) -> Int? {
        code == 0 ? nil : Int(code) - Int(offset)
    }

    /// The code of a direction; 0 for a line without length. Directions on both sides of north have the same.
    @inline(__always)
    public static func code(east: Int32, south: Int32) -> UInt16 {
        guard east != 0 || south != 0 else { return 0 }
        // Clockwise from north, as on a compass.
        let turns = atan2(Double(east), -Double(south)) / (2 * .pi)
        let step = Int(((turns - turns.rounded(.down)) * Double(directions)).rounded())
        return UInt16(1 + step % directions)
    }

    /// The code of a track's activity, by its number in the grid.
    public static func code(activity number: UInt8) -> UInt16 {
        // Grids number activities from 1 to 11; a number of a later version would need more bits.
        number < 16 ? 1 << UInt16(number) : 1
    }
}

extension TileLines {
    /// The code of the line that ends at a vertex of a run, or of the point if the run has one vertex; for properties of
    /// the line itself.
    @inline(__always)
    func speedElevationDirection(
        at vertex: Int, of run: Range<Int>, _ speeds: borrowing Span<UInt8>, _ elevations: borrowing Span<Int16>
    ) -> (speed: UInt16, elevation: UInt16, direction: UInt16) {
        guard vertex > run.lowerBound else {
            return (0, LineProperty.code(elevations: elevations[vertex], elevations[vertex]), 0)
        }
        return (
            UInt16(speeds[vertex]), LineProperty.code(elevations: elevations[vertex - 1], elevations[vertex]),
            LineProperty.code(east: xs[vertex] &- xs[vertex - 1], south: ys[vertex] &- ys[vertex - 1])
        )
    }
}
