import Dispatch
import Locking
import Tracks

/// Stores the recordings of files that are read concurrently, in the order of the files, by a thread of its own.
///
/// So what is new and what is a duplicate does not depend on which file was read faster: a receipt says the same as that
/// of a dry run, or of an import with one thread. The recordings of a file whose predecessors are not finished wait in
/// memory; if they hold too much, their reader waits.
final class StoringOrder: Sendable {
    /// The files, by the order in which they were begun.
    private struct State {
        /// The first file that is not finished, whose recordings are stored now.
        var turn = 0
        var waiting: [Int: ArraySlice<Waiting>] = [:]
        var finished: [Int: @Sendable () -> Void] = [:]
        var bytes = 0
        /// Whether recordings are being stored.
        var isBusy = false
        var failures: [Int: any Error] = [:]
        var blocked: [DispatchSemaphore] = []

        mutating func takeBlocked() -> [DispatchSemaphore] {
            defer { blocked = [] }
            return blocked
        }
    }

    private struct Waiting {
        let recording: any EndedRecording
        let outcome: OutcomeCollector
    }

    /// The maximum number of bytes of recordings that wait for files before theirs.
    private static let byteLimit = 32 << 20

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "tileserve.import.store", qos: .utility)

    /// Stores a recording of a file when it is the file's turn; throws the error of an earlier recording of the file.
    func store(_ recording: any EndedRecording, _ outcome: OutcomeCollector, of file: Int) throws {
        let error = state.withLock { state -> (any Error)? in
            if let error = state.failures[file] { return error }
            state.waiting[file, default: []].append(Waiting(recording: recording, outcome: outcome))
            state.bytes += recording.byteCount
            return nil
        }
        if let error { throw error }
        storeWaiting()
        waitForRoom(for: file)
        if let error = state.withLock({ $0.failures[file] }) { throw error }
    }

    /// Records that a file has no more recordings. `body` is called when all of them, and those of the files before,
    /// have been passed to the sink, on any thread.
    func finish(_ file: Int, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.finished[file] = body }
        storeWaiting()
    }

    /// The error with which a recording of a file was not stored.
    func failure(of file: Int) -> (any Error)? {
        state.withLock { $0.failures[file] }
    }

    /// Waits until all that may be stored is stored.
    func wait() {
        queue.sync {}
    }

    /// Begins to store what may be stored now, unless that is done already.
    private func storeWaiting() {
        let isFree = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if isFree { queue.async { self.storeAll() } }
    }

    private func storeAll() {
        while true {
            let (step, blocked) = state.withLock { Self.next(&$0) }
            for semaphore in blocked { semaphore.signal() }
            switch step {
            case .finish(let body): body()
            case .store(let waiting, let file):
                var failure: (any Error)?
                do { try waiting.recording.store(waiting.outcome) } catch { failure = error }
                let found = failure
                state.withLock { state in
                    if let found, state.failures[file] == nil { state.failures[file] = found }
                    state.bytes -= waiting.recording.byteCount
                }
            case .none: return
            }
        }
    }

    private enum Step {
        case store(Waiting, file: Int)
        case finish(@Sendable () -> Void)
        case none
    }

    /// The next step, and whom to wake before it.
    private static func next(_ state: inout State) -> (Step, [DispatchSemaphore]) {
        if let first = state.waiting[state.turn]?.popFirst() {
            return (.store(first, file: state.turn), state.bytes > byteLimit ? [] : state.takeBlocked())
        }
        if let body = state.finished.removeValue(forKey: state.turn) {
            state.waiting[state.turn] = nil
            state.turn += 1
            return (.finish(body), state.takeBlocked())
        }
        state.isBusy = false
        return (.none, state.takeBlocked())
    }

    /// Waits while too much waits. The file whose turn it is waits only for the thread that is storing.
    private func waitForRoom(for file: Int) {
        while true {
            let semaphore = state.withLock { state -> DispatchSemaphore? in
                guard state.bytes > Self.byteLimit, file != state.turn || state.isBusy else { return nil }
                let semaphore = DispatchSemaphore(value: 0)
                state.blocked.append(semaphore)
                return semaphore
            }
            guard let semaphore else { return }
            semaphore.wait()
        }
    }
}
