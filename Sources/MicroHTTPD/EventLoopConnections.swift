import CMicroHTTPD
import Glibc
import HTTPCore

/// Accepts connections, and closes idle ones to make room.
extension EventLoop {
    /// Open connections that this side has not shut down.
    var openCount: Int { connections.count - shutDownCount }

    /// Whether a connection from this address is accepted. It is refused only if the address has reached its limit and
    /// none of its connections is idle. When connections are scarce, idle ones are closed to make room.
    func accepts(_ peer: IPAddress) -> Bool {
        callbacks += 1
        if addresses.isFull(peer) {
            let closed = closeIdle(max(1, addresses.limit(of: peer) / Self.closedFraction)) {
                ConnectionCounts.areCountedTogether($0.peer, peer)
            }
            guard closed > 0 else { return false }
        }
        if openCount >= connectionSoftLimit {
            _ = closeIdle(max(1, connectionSoftLimit / Self.closedFraction)) { _ in true }
        }
        return true
    }

    func connectionStarted(_ native: OpaquePointer, descriptor: Int32, peer: IPAddress) -> OpenConnection {
        callbacks += 1
        let now = Clock.milliseconds()
        let connection = unsafe OpenConnection(
            native, descriptor: descriptor, peer: peer, now: now,
            headerDeadline: now + Int64(limits.headerSeconds) * 1000)
        connections[descriptor] = connection
        addresses.add(peer)
        return connection
    }

    func connectionEnded(_ connection: OpenConnection) {
        callbacks += 1
        if connection.isShutDown { shutDownCount -= 1 }
        connections[connection.descriptor] = nil
        addresses.remove(connection.peer)
        if isStopping { endWhenEmpty() }
    }

    /// One sixteenth of the connections is closed at a time, which spreads the cost of finding the oldest.
    private static let closedFraction = 16
    /// Milliseconds without progress of a body or response after which its connection counts as idle.
    private static let stalledMilliseconds: Int64 = 3_000

    /// Closes up to `count` connections that do not wait for a response, those idle longest first; returns the number
    /// closed.
    private func closeIdle(_ count: Int, where fits: (OpenConnection) -> Bool) -> Int {
        let stalledSince = Clock.milliseconds() - Self.stalledMilliseconds
        let idle = connections.values.filter { connection in
            guard !connection.isShutDown, fits(connection) else { return false }
            switch connection.phase {
            case .waiting, .lineRead: return true
            case .reading(let body): return body.lastMilliseconds < stalledSince
            case .replying: return connection.phaseStart < stalledSince
            case .headersRead, .storing, .suspended, .streaming: return false
            }
        }
        let oldest = idle.sorted { $0.phaseStart < $1.phaseStart }.prefix(count)
        for connection in oldest { shutDown(connection) }
        return oldest.count
    }

    // MARK: Refused by the library

    /// Called when the library has found an error in a request. It answers an invalid Content-Length twice, so the
    /// response to a request with such a head is sent here, and nothing more is sent on its connection.
    func libraryRejectedRequest() {
        for connection in connections.values {
            guard case .lineRead = connection.phase, !connection.isShutDown,
                unsafe tileserve_head_bytes(connection.native) > 0
            else { continue }
            sendFinalResponse(Problem.badRequest("Content-Length must be a number"), connection)
        }
    }

    /// Sends a final response directly on the socket, bypassing the library; only valid if the library has sent nothing
    /// yet.
    func sendFinalResponse(_ problem: Problem, _ connection: OpenConnection) {
        let bytes = problem.response.finalBytes
        // Best effort: not sent if the socket's send buffer is full.
        _ = unsafe Glibc.send(connection.descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        connection.record.status = problem.status.code
        if !connection.isShutDown { shutDownCount += 1 }
        connection.isShutDown = true
        // The library's own response then fails, and it closes the connection.
        _ = shutdown(connection.descriptor, Int32(SHUT_WR))
    }
}

extension Response {
    /// The serialized response, with `Connection: close`.
    fileprivate var finalBytes: [UInt8] {
        guard case .bytes(let body) = body else { return [] }
        var head = "HTTP/1.1 \(status)\r\n"
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + body
    }
}
