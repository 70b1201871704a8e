import CMicroHTTPD
import Dispatch
import Glibc
import HTTPCore

/// How a shard ends.
extension Shard {
    /// Ends within `seconds` and calls `done` then.
    func stop(within seconds: Double, done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            guard let daemon = unsafe daemon else { return done() }
            // What has come is read first: those requests are under way.
            run()
            stopped = done
            let socket = unsafe MHD_quiesce_daemon(daemon)
            if socket >= 0 { close(socket) }
            for connection in connections.values {
                switch connection.phase {
                case .waiting, .lineRead: hangUp(connection)
                case .streaming(let body): body.channel.end()
                default: break
                }
            }
            queue.asyncAfter(deadline: .now() + seconds) { [self] in
                dismissWaiting()
                end()
            }
            endWhenEmpty()
            run()
        }
    }

    private func dismissWaiting() {
        guard let daemon = unsafe daemon else { return }
        let farewell = Problem.unavailable("the server is being stopped", retryAfterSeconds: 1).response
        for connection in connections.values {
            if case .streaming(let body) = connection.phase { body.channel.close() }
            switch connection.phase {
            case .suspended(let suspension, let cancellation):
                if suspension.end(.replied(.response(farewell))) { cancellation() }
            case .storing(_, let suspension): suspension.end(.abandoned)
            default: break
            }
        }
        for _ in 0..<Self.farewellRounds where unsafe MHD_run(daemon) != .YES { return }
    }

    /// Not from within the library, which calls when a connection ends.
    func endWhenEmpty() {
        queue.async { [self] in
            if connections.isEmpty { end() }
        }
    }

    /// The daemon closes its descriptor, so its source has to let go first.
    private func end() {
        guard !isEnding, let events else { return }
        isEnding = true
        timer?.cancel()
        events.setCancelHandler { [self] in
            // No connection is suspended here: the library would end the process over it.
            dismissWaiting()
            if let daemon = unsafe daemon { unsafe MHD_stop_daemon(daemon) }
            unsafe daemon = nil
            hangUps?.cancel()
            hangUps = nil
            self.events = nil
            timer = nil
            stopped?()
        }
        events.cancel()
    }
}
