import CMicroHTTPD
import Files
import HTTPCore

/// How a shard takes in bodies.
extension Shard {
    /// What became of a block of a body.
    enum Receipt {
        /// It was read.
        case taken
        /// The library keeps it until the connection is resumed.
        case later
        /// The connection is to be closed.
        case refused
    }

    /// Asks whether the body of a request is taken. Where it is not, the library reads nothing of it and closes the connection
    /// behind the answer; a client that waits for `100 Continue` hears it instead of that.
    func admit(_ request: Request, _ connection: OpenConnection, _ native: OpaquePointer) -> Bool {
        switch responder.admission(of: request) {
        case .refused(let reply):
            return unsafe send(reply, connection, native, closing: true)
        case .taken(let rule):
            let body = IncomingBody(of: request, rule: rule, memory: bodyMemory, surplusLimit: limits.surplusBytes)
            if case .file = rule, case .length(let length) = request.body, bodyDisk.lacksRoom(for: length) {
                // A body that does not take long is read, so that its sender hears why it was in vain.
                guard length <= UInt64(limits.surplusBytes) else {
                    return unsafe send(.response(Self.noRoom.response), connection, native, closing: true)
                }
                body.fail(Self.noRoom)
            }
            connection.body = body
            connection.phase = .reading(body)
            return true
        }
    }

    /// Takes a block of a body that the library has read.
    func receive(
        _ block: UnsafeRawBufferPointer, _ connection: OpenConnection, _ native: OpaquePointer
    ) -> Receipt {
        callbacks += 1
        switch connection.phase {
        case .reading(let body):
            return unsafe add(block, to: body, connection, native)
        case .storing(let body, let suspension):
            // With chunks the library goes on for another block, although the connection is suspended.
            guard let end = suspension.end else { return .later }
            guard stored(end, body, connection) else { return .refused }
            return unsafe add(block, to: body, connection, native)
        case .replying:
            // Refused already: whatever the library reads on the way to closing is thrown away.
            return .taken
        case .waiting, .lineRead, .headersRead, .suspended, .streaming:
            return .refused
        }
    }

    private func add(
        _ block: UnsafeRawBufferPointer, to body: IncomingBody, _ connection: OpenConnection, _ native: OpaquePointer
    ) -> Receipt {
        switch unsafe body.add(block) {
        case .goOn: return .taken
        case .close(let problem):
            answerLast(problem, connection)
            return .refused
        case .store(let bytes, let spool):
            // The library would end the process over a connection that is suspended at its end.
            guard !isEnding else { return .refused }
            let suspension = unsafe Suspension(native)
            waitingCount += 1
            connection.phase = .storing(body, suspension)
            bodyDisk.append(bytes, to: spool) { [weak self] error in
                guard suspension.end(.stored(error)), let self else { return }
                runSoon()
            }
            return .taken
        }
    }

    /// Takes note that a wait for the disk has ended; false where the connection is to be closed.
    func stored(_ end: Suspension.End, _ body: IncomingBody, _ connection: OpenConnection) -> Bool {
        waitingCount -= 1
        connection.phase = .reading(body)
        guard case .stored(let error) = end else { return false }
        if let error {
            let failure = Problem.unavailable("the body could not be written to the disk", retryAfterSeconds: 60)
            body.fail(error.isFull ? Self.noRoom : failure)
        }
        return true
    }

    private static let noRoom = Problem(
        .insufficientStorage,
        "the server's disk has no room for the body, and nothing was stored; send it again when it has")

    /// Answers a request whose body has come.
    func finish(_ body: IncomingBody, _ connection: OpenConnection, _ native: OpaquePointer) -> Bool {
        do throws(Problem) {
            return unsafe answer(try body.finish(), connection, native)
        } catch {
            return unsafe send(.response(error.response), connection, native)
        }
    }
}
