public import TileLog

/// The content of a fragment in a line log: a sequence of runs.
///
/// A run is: a number (count of vertices × 4, + 2 with speeds, + 1 with elevations); the first vertex, then the
/// differences of each vertex from the one before (x, then y, zigzag); for each vertex except the first the zigzag
/// difference of its `SpeedCode` from the last one, which is 0 before the first; and for each vertex 0 if it has no
/// elevation, otherwise one more than the zigzag difference from the last elevation. Coordinates are those of
/// `TileLines`; numbers are varints, speeds and elevations those of a `NibbleWriter`.
public enum LineRuns: FragmentContent {
    static let speedFlag: UInt64 = 2
    static let elevationFlag: UInt64 = 1

    /// Runs that were added separately are concatenated.
    public static func united(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        left + right
    }
}
