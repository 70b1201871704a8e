import Text
import TileLog

/// The head of an operator's layer in a dense tile; stored only if the layer has a fragment there.
///
/// The directory of the tile does not mention such layers, so that they can be added and removed without changing other
/// rows.
public struct LayerHeader: Sendable, Equatable {
    /// The sum of its fragments' digests.
    public var digest: UInt64
    /// The number of its fragments. If these are all fragments of the tile, the layer has no sums and uses those of the
    /// tile.
    public var fragmentCount: Int
    /// The periods that have a sum, ascending, and the number of cells of each.
    var sums: [(period: UInt16, cells: Int)]

    /// The period under which the head is stored: that of the untimed log, which has no sum.
    public static let period: UInt16 = StoredPeriod.untimed

    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest && left.fragmentCount == right.fragmentCount
            && left.sums.elementsEqual(right.sums, by: ==)
    }

    init(_ share: LayerShare, sums: [(period: UInt16, cells: Int)]) {
        digest = share.digest
        fragmentCount = share.fragmentCount
        self.sums = sums
    }

    /// Decodes a stored head.
    public init(decoding bytes: borrowing Span<UInt8>) {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        digest = cursor.next(in: bytes)
        fragmentCount = Int(truncatingIfNeeded: cursor.next(in: bytes) & 0x7FFF_FFFF)
        sums = []
        while !cursor.isAtEnd {
            let period = UInt16(truncatingIfNeeded: cursor.next(in: bytes))
            sums.append((period, Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFF_FFFF)))
        }
    }

    /// The stored form: digest, number of fragments, then period and cells of each sum, as varints.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(digest, to: &bytes)
        Varint.append(UInt64(fragmentCount), to: &bytes)
        for sum in sums {
            Varint.append(UInt64(sum.period), to: &bytes)
            Varint.append(UInt64(sum.cells), to: &bytes)
        }
        return bytes
    }

    func row(of layer: UInt8) -> TileRow.Sum {
        TileRow.Sum(layer: layer, period: Self.period, data: encoded())
    }
}
