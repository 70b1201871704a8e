import Cairo
import Locking

/// Canvases kept for whoever draws next, on whatever thread.
public final class Canvases: Sendable {
    private let canvases: [Locked<Canvas>]
    private let free: Locked<[Int]>

    /// `count` canvases, one for each drawing that may be under way.
    public init(count: Int) throws {
        canvases = try (0..<count).map { _ in Locked(try Canvas()) }
        free = Locked(Array(0..<count))
    }

    /// Runs `body` with a canvas that nobody else has; makes one for this time where all are lent.
    public func withCanvas<Result: Sendable>(_ body: (Canvas) throws -> Result) throws -> Result {
        guard let index = free.withLock({ $0.popLast() }) else { return try body(Canvas()) }
        defer { free.withLock { $0.append(index) } }
        return try canvases[index].withLock { try body($0) }
    }
}
