import Testing
import Text

@Suite struct RepeatedTimesTests {
    private static let minute: Int64 = 60_000

    /// The minutes after the first passage of the repeated hour began, for local minutes after it begins: from 0 to 59
    /// clocks show a time twice.
    private func instants(_ local: [Int64], shift: Int64 = 60, segments: Set<Int> = []) -> [Int64] {
        var times = RepeatedTimes()
        return local.enumerated().map { index, minutes in
            if segments.contains(index) { times.beginSegment() }
            // After the repeated hour clocks are set back already.
            let first = minutes >= shift ? minutes + shift : minutes
            let isTwice = (0..<shift).contains(minutes)
            return times.instant(first * Self.minute, shift: isTwice ? shift * Self.minute : 0) / Self.minute
        }
    }

    @Test(arguments: [1, 5, 10, 20] as [Int64]) func `the second passage follows the first`(step: Int64) {
        for shift in [30, 60, 120] as [Int64] where step * 3 < shift {
            let expected = Array(stride(from: -2 * shift, to: 4 * shift, by: Int64.Stride(step)))
            let local = expected.map { $0 < shift ? $0 : $0 - shift }
            #expect(instants(local, shift: shift) == expected)
        }
    }

    @Test func `a recording that begins in the repeated hour begins in the first passage`() {
        #expect(instants([20, 30, 40]) == [20, 30, 40])
        #expect(instants([50, 58, 2, 30, 59, 60]) == [50, 58, 62, 90, 119, 120])
    }

    @Test func `after a pause in the second passage, it goes on`() {
        #expect(instants([55, 5, 50]) == [55, 65, 110])
        // A little out of order.
        #expect(instants([55, 5, 4, 6]) == [55, 65, 64, 66])
    }

    @Test func `points that are not in order have the earlier time`() {
        #expect(instants([70, 60, 50, 40, 5, 55]) == [130, 120, 50, 40, 5, 55])
        #expect(instants([50, 40, 5, 55, 0]) == [50, 40, 5, 55, 0])
        #expect(instants([50, 20]) == [50, 20])
    }

    @Test func `a segment goes on in the second passage, and does not begin it`() {
        #expect(instants([55, 5, 10], segments: [1]) == [55, 5, 10])
        #expect(instants([55, 5, 10, 20], segments: [2]) == [55, 65, 70, 80])
        #expect(instants([55, 5, 10, 4, 5], segments: [3]) == [55, 65, 70, 4, 5])
    }

    @Test func `a track does not depend on the one before`() {
        var times = RepeatedTimes()
        _ = times.instant(55 * Self.minute, shift: 60 * Self.minute)
        times.beginTrack()
        #expect(times.instant(0, shift: 60 * Self.minute) == 0)
    }
}
