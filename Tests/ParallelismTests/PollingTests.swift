import Dispatch
import Locking
import Parallelism
import Testing

@Suite struct PollingTests {
    private struct Broken: Error {}

    @Test func `a timer calls until it is stopped, and no more when it is started again`() throws {
        let queue = DispatchQueue(label: "test.polling")
        let timer = PollingTimer()
        let calls = Locked<[Int]>([])
        let isCalled = DispatchSemaphore(value: 0)
        timer.start(periodMilliseconds: 1, on: queue) {
            calls.withLock { $0.append(1) }
            isCalled.signal()
        }
        for _ in 0..<3 { #expect(isCalled.wait(timeout: .now() + 60) == .success) }
        let isCalledAgain = DispatchSemaphore(value: 0)
        timer.start(periodMilliseconds: 1, on: queue) {
            calls.withLock { $0.append(2) }
            isCalledAgain.signal()
        }
        #expect(isCalledAgain.wait(timeout: .now() + 60) == .success)
        timer.stop()
        queue.sync {}
        let stopped = calls.withLock { $0 }
        #expect(stopped == stopped.sorted() && Set(stopped) == [1, 2])
        queue.sync {}
        #expect(calls.withLock { $0 } == stopped)
    }

    @Test func `a condition is asked at least once, and until it is true`() throws {
        var asked = 0
        #expect(
            !pollUntil(within: .zero, periodSeconds: 60) {
                asked += 1
                return false
            })
        #expect(asked == 1)
        #expect(
            pollUntil(within: .seconds(60), periodSeconds: 0) {
                asked += 1
                return asked == 5
            })
        #expect(throws: Broken.self) {
            try pollUntil(within: .seconds(60), periodSeconds: 0) { () throws(Broken) in throw Broken() }
        }
    }
}
