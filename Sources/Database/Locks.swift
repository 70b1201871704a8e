/// A lock that processes hold against each other.
public enum LockName: Sendable, Hashable {
    /// Changing the grid.
    case grid
    /// Building layers of the grid.
    case layers
    /// Replacing the whole library by a copy of another one.
    case copying
    /// Deriving an edition: it belongs to the database of the edition.
    case deriving
    /// Removing what is too old by the rules of the library.
    case retention
    /// A process with provisional rows; the text is its own.
    case importing(String)
}

/// A lock that is held until this object is released, or the process ends.
public protocol HeldLock: AnyObject, Sendable {}
