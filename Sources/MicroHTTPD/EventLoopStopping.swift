import CMicroHTTPD
import Dispatch
import Glibc
import HTTPCore

/// Stops an event loop.
extension EventLoop {
    /// Stops within `seconds` and then calls `done`.
    func stop(within seconds: Double, done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            guard let daemon = unsafe daemon else { return done() }
            // Reads what has already arrived first: those requests count as in progress.
            run()
            stopped = done
            let socket = unsafe MHD_quiesce_daemon(daemon)
            if socket >= 0 { close(socket) }
            for connection in connections.values {
                switch connection.phase {
                case .waiting where connection.hasAnswered: shutDown(connection)
                case .streaming(let body): body.channel.end()
                default: break
                }
            }
            // Requests may be on their way on the others.
            queue.asyncAfter(deadline: .now() + min(seconds, Self.firstRequestSeconds)) { [self] in
                for connection in connections.values {
                    switch connection.phase {
                    case .waiting, .lineRead: shutDown(connection)
                    default: break
                    }
                }
            }
            // If all connections have ended before, the daemon is gone, and this block does nothing.
            queue.asyncAfter(deadline: .now() + seconds) { [self] in
                rejectWaiting()
                end()
            }
            endWhenEmpty()
            run()
        }
    }

    /// How long a stopping server waits for the request on a new connection: a client sends it at once, and does not send it
    /// again if the connection is closed instead.
    private static let firstRequestSeconds = 0.5

    private func rejectWaiting() {
        guard let daemon = unsafe daemon else { return }
        let finalResponse = Problem.unavailable("the server is stopping", retryAfterSeconds: 1).response
        for connection in connections.values {
            if case .streaming(let body) = connection.phase { body.channel.close() }
            switch connection.phase {
            case .suspended(let suspension, let cancellation):
                if suspension.end(.replied(.response(finalResponse))) { cancellation() }
            case .storing(_, let suspension): suspension.end(.abandoned)
            default: break
            }
        }
        for _ in 0..<Self.finalRounds where unsafe MHD_run(daemon) != .YES { return }
    }

    /// Ends asynchronously, because it must not run within the library's callback for an ended connection.
    func endWhenEmpty() {
        queue.async { [self] in
            if connections.isEmpty { end() }
        }
    }

    /// Stops the daemon, after its event source is cancelled: the daemon closes the descriptor that the source uses.
    private func end() {
        guard !isEnding, let events else { return }
        isEnding = true
        timer?.cancel()
        events.setCancelHandler { [self] in
            // No connection may be suspended here: the library would abort the process.
            rejectWaiting()
            if let daemon = unsafe daemon { unsafe MHD_stop_daemon(daemon) }
            unsafe daemon = nil
            disconnectWatch?.cancel()
            disconnectWatch = nil
            self.events = nil
            timer = nil
            stopped?()
        }
        events.cancel()
    }
}
