import HTTPCore
import Locking
import Testing

@Suite("Event channel")
struct EventChannelTests {
    @Test("A reader gets the written bytes in chunks, then the end")
    func portions() {
        let channel = EventChannel()
        channel.open {}
        channel.write([1, 2, 3])
        channel.write([4, 5])
        channel.end()
        channel.write([6])
        #expect(channel.take(upTo: 4, orWait: {}) == .bytes([1, 2, 3, 4]))
        #expect(channel.take(upTo: 4, orWait: {}) == .bytes([5]))
        #expect(channel.take(upTo: 4, orWait: {}) == .ended)
        #expect(channel.bytesTaken == 5)
    }

    @Test("A waiting reader is woken once for each wait")
    func waking() {
        let channel = EventChannel()
        let woken = Locked(0)
        let waits = Locked(0)
        channel.open { woken.withLock { $0 += 1 } }
        channel.write([1])
        #expect(woken.withLock { $0 } == 0)
        _ = channel.take(upTo: 9, orWait: {})
        #expect(channel.take(upTo: 9, orWait: { waits.withLock { $0 += 1 } }) == .waiting)
        channel.write([2])
        channel.write([3])
        #expect(woken.withLock { $0 } == 1 && waits.withLock { $0 } == 1)
        #expect(channel.take(upTo: 9, orWait: {}) == .bytes([2, 3]))
    }

    @Test("More data is requested when the channel is opened, and after bytes are taken from a full one")
    func demand() {
        let channel = EventChannel()
        let asked = Locked(0)
        channel.onDemand({ asked.withLock { $0 += 1 } }, closed: {})
        #expect(asked.withLock { $0 } == 0)
        channel.open {}
        #expect(asked.withLock { $0 } == 1)
        channel.write([UInt8](repeating: 0, count: EventChannel.highWaterBytes))
        #expect(channel.isFull)
        _ = channel.take(upTo: 1000, orWait: {})
        #expect(asked.withLock { $0 } == 1 && !channel.isFull)
        _ = channel.take(upTo: 40_000, orWait: {})
        _ = channel.take(upTo: 1000, orWait: {})
        #expect(asked.withLock { $0 } == 2)
    }

    @Test("Closing drops the buffer, wakes the reader and notifies the writer once")
    func closing() {
        let channel = EventChannel()
        let told = Locked(0)
        let woken = Locked(0)
        channel.onDemand({}, closed: { told.withLock { $0 += 1 } })
        channel.open { woken.withLock { $0 += 1 } }
        _ = channel.take(upTo: 1, orWait: {})
        channel.close()
        channel.close()
        channel.write([1])
        #expect(channel.isEmpty && channel.isClosed)
        #expect(told.withLock { $0 } == 1 && woken.withLock { $0 } == 1)
        #expect(channel.take(upTo: 1, orWait: {}) == .closed)
    }
}
