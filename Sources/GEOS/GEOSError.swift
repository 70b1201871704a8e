/// Why GEOS gave no result.
public enum GEOSError: Error, Equatable, Sendable {
    /// GEOS could not compute it; with its message, such as `TopologyException: …`.
    case failed(String)
    /// The geometry is of a type that has no such part, such as rings of a line.
    case wrongType(String)
    /// The library could not allocate memory.
    case outOfMemory
}
