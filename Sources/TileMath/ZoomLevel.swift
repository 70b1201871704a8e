/// A zoom level of the map: at zoom level z the world is 2^z × 2^z tiles.
public struct ZoomLevel: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 0 (the world in one tile) to 22.
    public let number: Int

    /// The deepest zoom level that can be requested.
    public static let deepest = ZoomLevel(unchecked: 22)
    /// The deepest zoom level with its own grid; deeper tiles enlarge it.
    public static let deepestGrid = ZoomLevel(unchecked: 16)

    /// nil unless `number` is in 0–22.
    public init?(_ number: Int) {
        guard (0...22).contains(number) else { return nil }
        self.number = number
    }

    init(unchecked number: Int) {
        self.number = number
    }

    /// The number of tiles along one side of the world: 2^z.
    public var tilesPerSide: Int { 1 << number }

    public var description: String { "\(number)" }

    public static func < (left: Self, right: Self) -> Bool {
        left.number < right.number
    }
}
