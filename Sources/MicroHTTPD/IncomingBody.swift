import CMicroHTTPD
import HTTPCore

/// A request body that is being received; used on its event loop's queue. Its reserved memory is released in `deinit`.
final class IncomingBody {
    /// What to do after a block was added.
    enum Step {
        /// Continue reading.
        case continueReading
        /// Write the bytes to disk before more is read.
        case store([UInt8], BodySpool)
        /// The body was rejected and its sender keeps sending: answer and close the connection.
        case close(Problem)
    }

    private let request: Request
    private let rule: BodyPolicy
    private let memory: BodyMemoryBudget
    private let discardLimit: Int
    private var bytes: [UInt8] = []
    private let spool = BodySpool()
    private var count = 0
    private var discarded = 0
    private var reserved = 0
    private var problem: Problem?
    /// When the last block arrived, in milliseconds of the monotonic clock.
    private(set) var lastMilliseconds = Clock.milliseconds()

    init(of request: Request, rule: BodyPolicy, memory: BodyMemoryBudget, discardLimit: Int) {
        self.request = request
        self.rule = rule
        self.memory = memory
        self.discardLimit = discardLimit
    }

    deinit {
        memory.release(reserved)
    }

    /// Adds a block; discards it if the body was already rejected.
    func add(_ block: UnsafeRawBufferPointer) -> Step {
        lastMilliseconds = Clock.milliseconds()
        if problem == nil, count + block.count > rule.limit { fail(rule.tooLongProblem) }
        if let problem {
            discarded += block.count
            return discarded > discardLimit ? .close(problem) : .continueReading
        }
        count += block.count
        // Not counted in the memory budget: the connection is suspended until the block is on disk, so it has only one.
        if case .file = rule { return unsafe .store(Array(block), spool) }
        guard memory.reserve(block.count) else {
            fail(
                Problem.unavailable("too many request bodies are being received; try again later", retryAfterSeconds: 1)
            )
            discarded += block.count
            return .continueReading
        }
        reserved += block.count
        unsafe bytes.append(contentsOf: block)
        return .continueReading
    }

    /// Rejects the body: the rest is discarded, and the response will be this problem.
    func fail(_ problem: Problem) {
        self.problem = problem
        bytes = []
    }

    /// The request with its complete body. The memory stays reserved for the handler that works on the bytes.
    func finish() throws(Problem) -> Request {
        if let problem { throw problem }
        var request = request
        switch rule {
        case .nothing: break
        case .memory: request.content = count == 0 ? .none : .bytes(bytes)
        case .file: request.content = spool.body(byteCount: count).map { .file($0) } ?? .none
        }
        bytes = []
        return request
    }
}
