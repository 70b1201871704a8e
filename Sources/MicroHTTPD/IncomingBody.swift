import CMicroHTTPD
import HTTPCore

/// The body of a request while it comes; belongs to its shard's queue, and holds its room in memory until it goes.
final class IncomingBody {
    /// What is to be done with a block that has come.
    enum Step {
        /// Nothing.
        case goOn
        /// It goes to the disk before more is read.
        case store([UInt8], BodySpool)
        /// It failed and its sender does not end: that is the last answer of the connection.
        case close(Problem)
    }

    private let request: Request
    private let rule: BodyRule
    private let memory: BodyMemory
    private let surplusLimit: Int
    private var bytes: [UInt8] = []
    private let spool = BodySpool()
    private var count = 0
    private var surplus = 0
    private var reserved = 0
    private var problem: Problem?
    /// When its last block came, in milliseconds of the monotonic clock.
    private(set) var lastMilliseconds = Clock.milliseconds()

    init(of request: Request, rule: BodyRule, memory: BodyMemory, surplusLimit: Int) {
        self.request = request
        self.rule = rule
        self.memory = memory
        self.surplusLimit = surplusLimit
    }

    deinit {
        memory.giveBack(reserved)
    }

    /// Takes a block in, or throws it away where the body has failed before.
    func add(_ block: UnsafeRawBufferPointer) -> Step {
        lastMilliseconds = Clock.milliseconds()
        if problem == nil, count + block.count > rule.limit { fail(rule.excess) }
        if let problem {
            surplus += block.count
            return surplus > surplusLimit ? .close(problem) : .goOn
        }
        count += block.count
        if case .file = rule { return unsafe .store(Array(block), spool) }
        guard memory.take(block.count) else {
            fail(Problem.unavailable("too many bodies are being read", retryAfterSeconds: 1))
            surplus += block.count
            return .goOn
        }
        reserved += block.count
        unsafe bytes.append(contentsOf: block)
        return .goOn
    }

    /// It could not be kept: what comes still is thrown away, and the answer will be this problem.
    func fail(_ problem: Problem) {
        self.problem = problem
        bytes = []
    }

    /// The request with its body, at the body's end. The room in memory is held on, for whoever works on the bytes.
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
