import Dispatch
import Glibc

/// The process's signals, as events of Dispatch.
final class Signals {
    private static let shellBase: Int32 = 128

    private let sources: [any DispatchSourceSignal]

    /// From now on SIGINT and SIGTERM make `stop`, a second one ends the process at once, SIGHUP rings
    /// `hangUp`, and SIGPIPE and SIGXFSZ do nothing: what they tell shows when writing.
    init(stop: StopRequest, hangUp: Bell) {
        let queue = DispatchQueue(label: "tileserve.signals", qos: .default)
        _ = signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files is told by the write that meets it.
        _ = signal(SIGXFSZ, SIG_IGN)
        let endings = [SIGINT, SIGTERM].map { number in
            Self.source(number, queue) {
                // With the code that shells give for a signal; the signal itself may be blocked in whoever started us.
                if !stop.make() { _exit(Self.shellBase + number) }
            }
        }
        sources = endings + [Self.source(SIGHUP, queue) { hangUp.ring() }]
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
