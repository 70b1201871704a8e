import CMicroHTTPD
import Files
import HTTPCore

/// Receives request bodies.
extension EventLoop {
    /// The result for a block of a body.
    enum BlockResult {
        /// The block was consumed.
        case taken
        /// The library keeps the block until the connection is resumed.
        case postponed
        /// The connection must be closed.
        case refused
    }

    /// Asks the responder whether the body is accepted. If not, the library reads nothing of it and closes the
    /// connection after the response; a client that waits for `100 Continue` gets this response instead.
    func beginBody(_ request: Request, _ connection: OpenConnection, _ native: OpaquePointer) -> Bool {
        switch responder.bodyDecision(of: request) {
        case .refused(let reply):
            return unsafe send(reply, connection, native, closing: true)
        case .taken(let rule):
            let body = IncomingBody(
                of: request, rule: rule, memory: bodyMemory, discardLimit: limits.discardedBodyLimit)
            if case .file = rule, case .length(let length) = request.body, bodySpooler.lacksSpace(for: length) {
                // A short body is read completely, so that its sender receives the response with the reason.
                guard length <= UInt64(limits.discardedBodyLimit) else {
                    return unsafe send(.response(Self.noSpaceProblem.response), connection, native, closing: true)
                }
                body.fail(Self.noSpaceProblem)
            }
            connection.body = body
            connection.phase = .reading(body)
            return true
        }
    }

    /// Receives a block of a body from the library.
    func receive(
        _ block: UnsafeRawBufferPointer, _ connection: OpenConnection, _ native: OpaquePointer
    ) -> BlockResult {
        callbacks += 1
        switch connection.phase {
        case .reading(let body):
            return unsafe add(block, to: body, connection, native)
        case .storing(let body, let suspension):
            // With chunked encoding the library calls again for another block although the connection is suspended.
            guard let end = suspension.end else { return .postponed }
            guard stored(end, body, connection) else { return .refused }
            return unsafe add(block, to: body, connection, native)
        case .replying:
            // Already answered: what the library reads before it closes the connection is discarded.
            return .taken
        case .waiting, .lineRead, .headersRead, .suspended, .streaming:
            return .refused
        }
    }

    private func add(
        _ block: UnsafeRawBufferPointer, to body: IncomingBody, _ connection: OpenConnection, _ native: OpaquePointer
    ) -> BlockResult {
        switch unsafe body.add(block) {
        case .continueReading: return .taken
        case .close(let problem):
            sendFinalResponse(problem, connection)
            return .refused
        case .store(let bytes, let spool):
            // The library aborts the process if a connection is suspended when the daemon stops.
            guard !isEnding else { return .refused }
            let suspension = unsafe Suspension(native)
            waitingCount += 1
            connection.phase = .storing(body, suspension)
            bodySpooler.append(bytes, to: spool) { [weak self] error in
                guard suspension.end(.stored(error)), let self else { return }
                scheduleRun()
            }
            return .taken
        }
    }

    /// Handles the end of a disk write; false if the connection must be closed.
    func stored(_ end: Suspension.End, _ body: IncomingBody, _ connection: OpenConnection) -> Bool {
        waitingCount -= 1
        connection.phase = .reading(body)
        guard case .stored(let error) = end else { return false }
        if let error {
            let failure = Problem.unavailable("the server could not write the body to disk", retryAfterSeconds: 60)
            body.fail(error.isFull ? Self.noSpaceProblem : failure)
        }
        return true
    }

    private static let noSpaceProblem = Problem(
        .insufficientStorage,
        "the server's disk is full and nothing was stored; send the body again when there is free space")

    /// Answers a request whose body is complete.
    func finish(_ body: IncomingBody, _ connection: OpenConnection, _ native: OpaquePointer) -> Bool {
        do throws(Problem) {
            return unsafe answer(try body.finish(), connection, native)
        } catch {
            return unsafe send(.response(error.response), connection, native)
        }
    }
}
