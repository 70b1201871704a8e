import CMicroHTTPD
import Glibc
import HTTPCore

/// Which connections a shard takes, and which it closes for others.
extension Shard {
    /// Connections that are open and not about to end.
    var openCount: Int { connections.count - hungUpCount }

    /// Whether a connection of this address is taken: it always is, unless its address has as many as it may have and
    /// none of them is idle. Idle ones are closed for it where connections have become scarce.
    func admits(_ peer: IPAddress) -> Bool {
        callbacks += 1
        if addresses.isFull(peer) {
            let closed = closeIdle(max(1, limits.connectionsPerAddress / Self.closedShare)) {
                AddressCounts.areOne($0.peer, peer)
            }
            guard closed > 0 else { return false }
        }
        if openCount >= usualConnections { _ = closeIdle(max(1, usualConnections / Self.closedShare)) { _ in true } }
        return true
    }

    func began(_ native: OpaquePointer, descriptor: Int32, peer: IPAddress) -> OpenConnection {
        callbacks += 1
        let now = Clock.milliseconds()
        let connection = unsafe OpenConnection(
            native, descriptor: descriptor, peer: peer, now: now,
            headerDeadline: now + Int64(limits.headerSeconds) * 1000)
        connections[descriptor] = connection
        addresses.add(peer)
        return connection
    }

    func ended(_ connection: OpenConnection) {
        callbacks += 1
        if connection.isHungUp { hungUpCount -= 1 }
        connections[connection.descriptor] = nil
        addresses.remove(connection.peer)
        if isStopping { endWhenEmpty() }
    }

    /// Closed at once, so that finding the oldest costs little for each: a sixteenth of all.
    private static let closedShare = 16
    /// Milliseconds for which a body or an answer may make no progress before its connection counts as idle.
    private static let stalledMilliseconds: Int64 = 3_000

    /// Closes up to `count` connections that nobody waits for an answer on, those that have been idle longest first; gives
    /// how many.
    private func closeIdle(_ count: Int, where fits: (OpenConnection) -> Bool) -> Int {
        let stalledSince = Clock.milliseconds() - Self.stalledMilliseconds
        let idle = connections.values.filter { connection in
            guard !connection.isHungUp, fits(connection) else { return false }
            switch connection.phase {
            case .waiting, .lineRead: return true
            case .reading(let body): return body.lastMilliseconds < stalledSince
            case .replying: return connection.phaseStart < stalledSince
            case .headersRead, .storing, .suspended, .streaming: return false
            }
        }
        let oldest = idle.sorted { $0.phaseStart < $1.phaseStart }.prefix(count)
        for connection in oldest { hangUp(connection) }
        return oldest.count
    }

    // MARK: What the library refuses by itself

    /// The library has found a fault in a request. For a Content-Length that it cannot read it answers twice: the one
    /// that has such a head is answered here, and nothing more is sent on its connection.
    func libraryComplained() {
        for connection in connections.values {
            guard case .lineRead = connection.phase, !connection.isHungUp,
                unsafe tileserve_head_bytes(connection.native) > 0
            else { continue }
            answerLast(Problem.badRequest("Content-Length has to be a number"), connection)
        }
    }

    /// Sends an answer past the library, as the last one of its connection; called where the library has sent nothing yet.
    func answerLast(_ problem: Problem, _ connection: OpenConnection) {
        let bytes = problem.response.lastBytes
        // A reader whose buffer has no room for it goes without.
        _ = unsafe Glibc.send(connection.descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        connection.trace.status = problem.status.code
        if !connection.isHungUp { hungUpCount += 1 }
        connection.isHungUp = true
        // What the library sends fails, and it closes the connection.
        _ = shutdown(connection.descriptor, Int32(SHUT_WR))
    }
}

extension Response {
    /// The answer as it is sent, the last one of its connection.
    fileprivate var lastBytes: [UInt8] {
        guard case .bytes(let body) = body else { return [] }
        var head = "HTTP/1.1 \(status)\r\n"
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + body
    }
}
