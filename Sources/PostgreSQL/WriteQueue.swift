internal import Database

/// Changes of a transaction that wait to be sent in one message.
struct WriteQueue {
    private(set) var queries: [Query] = []
    private var bytes = 0
    /// Why the last ones have failed, until somebody is told.
    private(set) var failure: StoreError?
    /// Whether some have failed, so that the transaction must not be committed.
    private(set) var hasFailed = false

    /// Limits of one message: its results wait in the buffers of both sides until all of it is sent.
    static let limit = 64
    private static let byteLimit = 1 << 20

    var isFull: Bool { queries.count >= Self.limit || bytes >= Self.byteLimit }

    mutating func add(_ query: Query) {
        queries.append(query)
        for value in query.values { bytes += value.byteCount }
    }

    mutating func take() -> [Query] {
        defer {
            queries.removeAll(keepingCapacity: true)
            bytes = 0
        }
        return queries
    }

    /// Keeps an error for the next statement.
    mutating func keep(_ error: StoreError) {
        failure = error
    }

    mutating func fail() {
        hasFailed = true
    }

    mutating func takeFailure() -> StoreError? {
        defer { failure = nil }
        return failure
    }
}

/// Changes that were sent, and whose results are still to be read.
struct SentMessage {
    let link: ServerLink
    var commands: [Command] = []
    /// The statement of each command.
    var statements: [String] = []
}
