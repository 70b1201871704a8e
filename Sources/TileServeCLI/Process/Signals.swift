import Dispatch
import Glibc

/// Handles the process's signals with Dispatch.
final class Signals {
    /// Shells report a process that a signal has ended as 128 plus the number of the signal.
    private static let shellBase: Int32 = 128

    private let sources: [any DispatchSourceSignal]

    /// Installs the handlers: SIGINT and SIGTERM request `stop`, and a second one ends the process at once; SIGHUP
    /// notifies `hangUp`. SIGPIPE and SIGXFSZ are ignored, because the failed write reports the error.
    init(stop: StopRequest, hangUp: Notifier) {
        let queue = DispatchQueue(label: "tileserve.signals", qos: .default)
        _ = signal(SIGPIPE, SIG_IGN)
        // The write that exceeds the file size limit reports it.
        _ = signal(SIGXFSZ, SIG_IGN)
        let endings = [SIGINT, SIGTERM].map { number in
            Self.source(number, queue) {
                // Exits with the code that shells use for a signal; the signal itself may be blocked by the parent
                // process.
                if !stop.request() { _exit(Self.shellBase + number) }
            }
        }
        sources = endings + [Self.source(SIGHUP, queue) { hangUp.notify() }]
    }

    private static func source(
        _ number: Int32, _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handler)
        source.activate()
        return source
    }
}
