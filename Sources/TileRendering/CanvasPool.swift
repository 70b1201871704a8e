import Locking

/// A pool of canvases, shared by all threads.
public final class CanvasPool: Sendable {
    private let canvases: [Locked<Canvas>]
    private let free: Locked<[Int]>

    /// A pool of `count` canvases, one for each concurrent drawing.
    public init(count: Int) throws {
        canvases = try (0..<count).map { _ in Locked(try Canvas()) }
        free = Locked(Array(0..<count))
    }

    /// Runs `body` with an unused canvas; creates a temporary one if all are in use.
    public func withCanvas<Result: Sendable>(_ body: (Canvas) throws -> Result) throws -> Result {
        guard let index = free.withLock({ $0.popLast() }) else { return try body(Canvas()) }
        defer { free.withLock { $0.append(index) } }
        return try canvases[index].withLock { try body($0) }
    }
}
