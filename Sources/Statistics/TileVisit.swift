public import Text

/// A stay of a track within a tile of zoom level 17, from one border to the next.
public struct TileVisit: Sendable, Equatable {
    /// The tile of zoom level 17.
    public var tile: ExplorerTile
    /// When the track came into the tile, in milliseconds since 1970; nil without a time.
    public var enter: Int64?
    /// When it left the tile; not before `enter`.
    public var exit: Int64?

    /// Creates a visit.
    @inlinable
    public init(tile: ExplorerTile, enter: Int64?, exit: Int64?) {
        self.tile = tile
        self.enter = enter
        self.exit = exit
    }

    /// The zoom level of visits; coarser tiles are visited when one of their tiles is.
    public static let zoom = 17
}

/// A tile of an explorer's map. Ordered by row, then column.
public struct ExplorerTile: Sendable, Hashable, Comparable {
    /// `y << 32 | x`.
    public let key: UInt64

    /// The tile in a column, counted from the west, and a row, counted from the north.
    @inlinable
    public init(x: Int, y: Int) {
        key = UInt64(y) << 32 | UInt64(x)
    }

    @inlinable
    public var x: Int { Int(key & 0xFFFF_FFFF) }
    @inlinable
    public var y: Int { Int(key >> 32) }

    /// The tile that contains this one, at a zoom level coarser by `levels`.
    @inlinable
    public func ancestor(_ levels: Int) -> ExplorerTile {
        ExplorerTile(x: x >> levels, y: y >> levels)
    }

    @inlinable
    public static func < (left: ExplorerTile, right: ExplorerTile) -> Bool {
        left.key < right.key
    }
}

/// The visits of a track as bytes: about five for each.
public enum TileVisits {
    /// The visits as bytes.
    public static func encoded(_ visits: [TileVisit]) -> [UInt8] {
        var bytes: [UInt8] = []
        var (x, y, time) = (0, 0, Int64(0))
        for visit in visits {
            // The lowest bit says whether there are times.
            Varint.append(Varint.zigzag(Int64(visit.tile.x - x)) << 1 | (visit.enter == nil ? 0 : 1), to: &bytes)
            Varint.append(Varint.zigzag(Int64(visit.tile.y - y)), to: &bytes)
            (x, y) = (visit.tile.x, visit.tile.y)
            guard let enter = visit.enter, let exit = visit.exit else { continue }
            Varint.append(Varint.zigzag(enter &- time), to: &bytes)
            Varint.append(UInt64(bitPattern: exit &- enter), to: &bytes)
            time = exit
        }
        return bytes
    }

    /// Calls `body` with each visit that `encoded` has written.
    @inlinable
    public static func forEach(in bytes: borrowing Span<UInt8>, _ body: (TileVisit) throws -> Void) rethrows {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        var (x, y, time) = (Int64(0), Int64(0), Int64(0))
        let side = Int64(1) << Int64(TileVisit.zoom)
        while !cursor.isAtEnd {
            let head = cursor.next(in: bytes)
            x &+= Varint.unzigzag(head >> 1)
            y &+= Varint.unzigzag(cursor.next(in: bytes))
            guard x >= 0, x < side, y >= 0, y < side else { return }
            var visit = TileVisit(tile: ExplorerTile(x: Int(x), y: Int(y)), enter: nil, exit: nil)
            if head & 1 == 1 {
                let enter = time &+ Varint.unzigzag(cursor.next(in: bytes))
                time = enter &+ Int64(bitPattern: cursor.next(in: bytes))
                (visit.enter, visit.exit) = (enter, time)
            }
            try body(visit)
        }
    }
}
