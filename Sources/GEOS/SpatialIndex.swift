internal import CGEOS

/// Finds the geometries of a list that may touch another: an STR tree over their boxes. Not thread-safe.
@safe
public final class SpatialIndex {
    private let context: GEOSContext
    private let tree: OpaquePointer
    /// The tree refers to their boxes.
    private let geometries: [Geometry]

    private static let nodeCapacity = 10

    /// Indexes geometries by their positions in the list.
    public init(_ geometries: [Geometry], _ context: GEOSContext) throws(GEOSError) {
        guard let made = unsafe GEOSSTRtree_create_r(context.handle, Self.nodeCapacity) else {
            throw context.failure()
        }
        self.context = context
        self.geometries = geometries
        unsafe tree = made
        for (index, geometry) in geometries.enumerated() where !geometry.isEmpty {
            // Not the address of anything: the position, moved by one because a null pointer is no item.
            unsafe GEOSSTRtree_insert_r(
                context.handle, tree, geometry.pointer, UnsafeMutableRawPointer(bitPattern: index + 1))
        }
    }

    deinit {
        unsafe GEOSSTRtree_destroy_r(context.handle, tree)
    }

    /// The positions of the geometries whose boxes touch that of `geometry`, ascending.
    public func candidates(_ geometry: Geometry) -> [Int] {
        // The tree cannot be asked without any entry.
        guard !geometry.isEmpty, geometries.contains(where: { !$0.isEmpty }) else { return [] }
        var found: [Int] = []
        unsafe withUnsafeMutablePointer(to: &found) { list in
            unsafe GEOSSTRtree_query_r(
                context.handle, tree, geometry.pointer,
                { item, list in
                    guard let list = unsafe list?.assumingMemoryBound(to: [Int].self) else { return }
                    unsafe list.pointee.append(Int(bitPattern: item) - 1)
                }, list)
        }
        return found.sorted()
    }
}
