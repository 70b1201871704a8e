internal import Database
internal import Locking
internal import PostgreSQL

/// The numbers of the holders of the locks that a database object holds.
final class Fences: Sendable {
    private let held = Locked<[String: Int64]>([:])

    /// Statements that change a row each if the locks are still held by their holders.
    var checks: [String] {
        held.withLock { $0 }.sorted { $0.key < $1.key }.map { name, holder in
            "UPDATE library_fence SET holders = holders WHERE name = '\(name)' AND holders = \(holder)"
        }
    }

    fileprivate func add(_ name: String, _ holder: Int64) {
        held.withLock { $0[name] = holder }
    }

    fileprivate func remove(_ name: String, _ holder: Int64) {
        held.withLock { held in
            if held[name] == holder { held[name] = nil }
        }
    }
}

/// A lock whose loss prevents the commits that rely on it.
final class FencedLock: HeldLock {
    private let lock: RowLock
    private let name: String
    private let holder: Int64
    private let fences: Fences

    init(_ lock: RowLock, _ name: String, _ holder: Int64, _ fences: Fences) {
        self.lock = lock
        self.name = name
        self.holder = holder
        self.fences = fences
        fences.add(name, holder)
    }

    deinit {
        fences.remove(name, holder)
    }
}
