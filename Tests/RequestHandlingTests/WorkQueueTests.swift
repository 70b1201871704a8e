import Dispatch
import HTTPCore
import Locking
import TestLibrary
import Testing

@testable import RequestHandling

/// Numbered jobs of a queue, and what became of them.
private final class NumberedJobs: Sendable {
    private let lists = Locked<(worked: [Int], refused: [Int])>(([], []))
    private let done = DispatchGroup()

    var worked: [Int] { lists.withLock { $0.worked } }
    var refused: [Int] { lists.withLock { $0.refused } }

    init(_ count: Int, in queue: WorkQueue) {
        for number in 0..<count {
            done.enter()
            queue.add(
                work: {
                    self.lists.withLock { $0.worked.append(number) }
                    self.done.leave()
                },
                refuse: {
                    self.lists.withLock { $0.refused.append(number) }
                    self.done.leave()
                })
        }
    }

    func wait() { done.wait() }
}

@Suite struct WorkQueueTests {
    @Test func `the newest goes first, and every fourth is the oldest`() {
        let queue = WorkQueue(workers: 1, waitingLimit: 100)
        // The first of four.
        let gate = queue.occupyWorkers()
        let jobs = NumberedJobs(10, in: queue)
        gate.signal()
        jobs.wait()
        #expect(jobs.worked == [9, 8, 0, 7, 6, 5, 1, 4, 3, 2])
    }

    @Test func `a job is done however many come after it`() {
        let queue = WorkQueue(workers: 1, waitingLimit: 100)
        let gate = queue.occupyWorkers()
        let isDone = Locked(false)
        let ended = DispatchSemaphore(value: 0)
        queue.add(work: { isDone.withLock { $0 = true } }, refuse: {})
        // Each job adds the next one, as a client does that asks for another tile at once.
        @Sendable func addNext(_ left: Int) {
            queue.add(
                work: {
                    if left == 0 || isDone.withLock({ $0 }) { ended.signal() } else { addNext(left - 1) }
                }, refuse: {})
        }
        for _ in 0..<4 { addNext(50) }
        gate.signal()
        ended.wait()
        #expect(isDone.withLock { $0 })
    }

    @Test func `past the bound the oldest is refused`() {
        let queue = WorkQueue(workers: 1, waitingLimit: 3)
        let gate = queue.occupyWorkers()
        let jobs = NumberedJobs(5, in: queue)
        #expect(jobs.refused == [0, 1])
        #expect(queue.counts.waiting == 3 && queue.counts.refused == 2 && queue.counts.running == 1)
        gate.signal()
        jobs.wait()
        #expect(jobs.worked == [4, 3, 2])
    }

    @Test func `where the oldest goes first, the newest is refused past the bound`() {
        let queue = WorkQueue("test", workers: 1, waitingLimit: 3, order: .oldestFirst)
        let gate = queue.occupyWorkers()
        let jobs = NumberedJobs(5, in: queue)
        #expect(jobs.refused == [3, 4])
        #expect(queue.counts.waiting == 3 && queue.counts.refused == 2)
        gate.signal()
        jobs.wait()
        #expect(jobs.worked == [0, 1, 2])
        let again = DispatchSemaphore(value: 0)
        queue.add(work: { again.signal() }, refuse: {})
        #expect(again.wait(timeout: .now() + 20) == .success)
    }

    @Test func `a job does not wait for other queues, however busy all cores are`() {
        let isOver = Locked(false)
        let busy = DispatchQueue(label: "busy", qos: .utility, attributes: .concurrent)
        let ended = DispatchGroup()
        // As many blocks as Dispatch runs at once, and more.
        for _ in 0..<64 { busy.async(group: ended) { while !isOver.withLock({ $0 }) {} } }
        let done = DispatchSemaphore(value: 0)
        WorkQueue(workers: 2).add(work: { done.signal() }, refuse: {})
        #expect(done.wait(timeout: .now() + 20) == .success)
        isOver.withLock { $0 = true }
        ended.wait()
    }

    @Test func `a cancelled job does not run`() {
        let queue = WorkQueue(workers: 1, waitingLimit: 300)
        let gate = queue.occupyWorkers()
        let done = DispatchSemaphore(value: 0)
        let worked = Locked<[Int]>([])
        queue.add(work: { done.signal() }, refuse: {})
        let tickets = (0..<200).map { number in
            queue.add(work: { worked.withLock { $0.append(number) } }, refuse: {})
        }
        for ticket in tickets {
            #expect(queue.cancel(ticket))
            #expect(!queue.cancel(ticket))
        }
        gate.signal()
        done.wait()
        #expect(worked.withLock { $0.isEmpty })
        #expect(queue.counts.cancelled == 200)
    }

    @Test func `a job that waits can be refused, and one that runs cannot`() {
        let queue = WorkQueue("test", workers: 1, waitingLimit: 300, order: .oldestFirst)
        let gate = queue.occupyWorkers()
        let worked = Locked(0)
        let refused = Locked(0)
        let ticket = queue.add(work: { worked.withLock { $0 += 1 } }, refuse: { refused.withLock { $0 += 1 } })
        queue.refuse(ticket)
        queue.refuse(ticket)
        #expect(refused.withLock { $0 } == 1 && queue.counts.waiting == 0 && queue.counts.refused == 1)
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let running = queue.add(
            work: {
                begun.signal()
                end.wait()
                worked.withLock { $0 += 1 }
            }, refuse: { refused.withLock { $0 += 1 } })
        gate.signal()
        begun.wait()
        queue.refuse(running)
        end.signal()
        let done = DispatchSemaphore(value: 0)
        queue.add(work: { done.signal() }, refuse: {})
        done.wait()
        #expect(worked.withLock { $0 } == 1 && refused.withLock { $0 } == 1)
    }

    @Test func `a change whose turn does not come in time is refused, and one that has begun is finished`() {
        let queue = ChangeQueue("test", timeoutSeconds: 0.05)
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let answers = Locked<[Status]>([])
        let done = DispatchGroup()
        func begin(_ make: @escaping @Sendable () throws -> OutgoingResponse) {
            guard case .deferred(let deferred) = queue.answer(make) else { return }
            done.enter()
            _ = deferred.begin(
                Completion { reply in
                    answers.withLock { $0.append(reply.response.status) }
                    done.leave()
                })
        }
        begin {
            begun.signal()
            end.wait()
            return .response(Response(status: .noContent))
        }
        begun.wait()
        begin { .response(Response(status: .created)) }
        while answers.withLock({ $0.isEmpty }) {}
        end.signal()
        done.wait()
        #expect(answers.withLock { $0 } == [.serviceUnavailable, .noContent])
    }

    @Test func `no more jobs run than there are workers, and none is lost`() {
        let queue = WorkQueue(workers: 2, waitingLimit: 10_000)
        let running = Locked((now: 0, most: 0))
        let done = DispatchGroup()
        for _ in 0..<2_000 {
            done.enter()
            queue.add(
                work: {
                    running.withLock { running in
                        running.now += 1
                        running.most = max(running.most, running.now)
                    }
                    running.withLock { $0.now -= 1 }
                    done.leave()
                }, refuse: {})
        }
        done.wait()
        #expect(running.withLock { $0.most } <= 2)
        #expect(queue.counts.waiting == 0 && queue.counts.refused == 0)
    }

    @Test func `all permitted event streams may begin at once`() {
        let queue = RequestQueues(workers: 1, drawingLimit: 1, eventStreams: 900).reading
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        for _ in 0..<900 {
            done.enter()
            queue.add(
                work: {
                    gate.wait()
                    done.leave()
                }, refuse: { done.leave() })
        }
        #expect(queue.counts.refused == 0)
        for _ in 0..<900 { gate.signal() }
        done.wait()
    }
}
