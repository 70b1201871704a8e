import TestSupport
import Testing
import Tracks

@testable import TileLog

/// Content that tests can read: bytes in ascending order, without repetition.
struct ByteSet: FragmentContent {
    static func united(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { Set(left + right).sorted() }
}

/// A fragment of a log and its content.
private struct Fragment: Hashable {
    var order: FragmentOrder
    var content: [UInt8]
}

private func log(_ fragments: [Fragment]) -> [UInt8] {
    var writer = LogWriter<ByteSet>()
    for fragment in fragments.sorted(by: { $0.order < $1.order }) { writer.add(fragment.order, fragment.content[...]) }
    return writer.finish()
}

private func fragments(_ log: [UInt8]) -> [Fragment] {
    var reader = LogReader(log.span)
    var found: [Fragment] = []
    while let fragment = reader.nextFragment(in: log.span) {
        found.append(Fragment(order: fragment.order, content: Array(log[fragment.content])))
    }
    return found
}

/// Fragments of distinct tracks in several person-days, some of them without a time.
private func randomFragments(_ count: Int, seed: Int) -> [Fragment] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { track in
        let day = random.once(in: 9) ? FragmentOrder.untimedDay : Int32(random.below(200)) - 100
        let content = Set((0..<random.below(6)).map { _ in UInt8(random.below(200)) }).sorted()
        return Fragment(
            order: FragmentOrder(day: day, person: Int64(random.below(3)), track: Int64(track)), content: content)
    }
}

@Suite struct TileLogTests {
    @Test func `A log on disk keeps its bytes`() {
        let known = [
            Fragment(order: FragmentOrder(day: FragmentOrder.untimedDay, person: 0, track: 3), content: [9]),
            Fragment(order: FragmentOrder(day: 0, person: 1, track: 7), content: [1, 2, 3]),
            Fragment(order: FragmentOrder(day: 18_262, person: 70, track: 7), content: []),
            Fragment(order: FragmentOrder(day: 18_262, person: 70, track: 300), content: [4]),
        ]
        // Difference of days, person × 2 (+ 1 and the number of fragments, if there are several), track, length, content.
        #expect(
            log(known).hexadecimal
                == "00" + "00" + "03" + "01" + "09" + "8080808008" + "02" + "07" + "03" + "010203"
                + "d68e01" + "8d01" + "02" + "07" + "00" + "ac02" + "01" + "04")
    }

    @Test(arguments: 1...8) func `A log gives back its fragments in order`(seed: Int) {
        let given = randomFragments(seed * 30, seed: seed)
        #expect(fragments(log(given)) == given.sorted { $0.order < $1.order })
        #expect(TileLog<ByteSet>.tracks(in: log(given)) == Set(given.map(\.order.track)))
    }

    @Test func `A reader reports where person-days begin and whether a fragment is the only one`() {
        let orders = [(1, 1, 1), (1, 2, 2), (1, 2, 3), (2, 2, 4)].map { day, person, track in
            FragmentOrder(day: Int32(day), person: Int64(person), track: Int64(track))
        }
        let bytes = log(orders.map { Fragment(order: $0, content: [1]) })
        var reader = LogReader(bytes.span)
        var found: [[Bool]] = []
        while let fragment = reader.nextFragment(in: bytes.span) {
            found.append([fragment.beginsPersonDay, fragment.isOnly])
        }
        #expect(found == [[true, true], [true, false], [false, false], [true, true]])
    }

    @Test(arguments: 1...8) func `Merged logs equal a log written at once, in any order`(seed: Int) {
        var random = SeededRandom(seed: seed)
        let given = randomFragments(120, seed: seed)
        var parts = [[Fragment]](repeating: [], count: 4)
        for fragment in given {
            // Some fragments were added in two portions.
            for part in Set([random.below(4), random.below(4)]) { parts[part].append(fragment) }
        }
        let logs = parts.map { log($0) }
        #expect(TileLog<ByteSet>.merged(logs) == log(given))
        #expect(TileLog<ByteSet>.merged(logs.reversed()) == log(given))
        #expect(TileLog<ByteSet>.merged([]) == [] && TileLog<ByteSet>.merged([[], log(given), []]) == log(given))
    }

    @Test func `Portions of a fragment are united when logs are merged`() {
        let order = FragmentOrder(day: 3, person: 1, track: 5)
        let portions = [[1, 4], [2, 4], [9]].map { log([Fragment(order: order, content: $0)]) }
        #expect(fragments(TileLog<ByteSet>.merged(portions)) == [Fragment(order: order, content: [1, 2, 4, 9])])
    }

    @Test(arguments: 1...8) func `A log after removal equals a log that never had the tracks`(seed: Int) {
        var random = SeededRandom(seed: seed)
        let given = randomFragments(60, seed: seed)
        let gone = Set(given.map(\.order.track).filter { _ in random.once(in: 3) })
        #expect(
            TileLog<ByteSet>.removing(gone, from: log(given)) == log(given.filter { !gone.contains($0.order.track) }))
        #expect(TileLog<ByteSet>.removing([1000], from: log(given)) == nil)
    }

    @Test(arguments: 1...8) func `The months of a log are its fragments by month, and unite to the log`(seed: Int) {
        let given = randomFragments(90, seed: seed)
        let months = TileLog<ByteSet>.months(of: log(given))
        #expect(months.map(\.period) == Set(given.map { StoredPeriod.month(ofDay: $0.order.day) }).sorted())
        for month in months {
            #expect(month.log == log(given.filter { StoredPeriod.month(ofDay: $0.order.day) == month.period }))
        }
        #expect(TileLog<ByteSet>.merged(months.map(\.log)) == log(given))
        #expect(LogMonths.periods(of: log(given)) == Set(months.map(\.period)))
    }

    @Test(arguments: 1...8) func `The fragments of a day are those that the filter passes`(seed: Int) {
        let given = randomFragments(90, seed: seed)
        let some = TrackSet((0..<90).filter { $0 % 2 == 0 })
        for day in [FragmentOrder.untimedDay] + Array(-100...100) {
            let here = given.map(\.order).filter { $0.day == day }.sorted()
            #expect(DayFragments.of(day, in: log(given).span, .all) == here)
            #expect(DayFragments.of(day, in: log(given).span, .tracks(some)) == here.filter { $0.track % 2 == 0 })
        }
    }

    @Test func `Reading random and truncated bytes as a log never traps, and stays inside them`() {
        var random = SeededRandom(seed: 7)
        let whole = log(randomFragments(40, seed: 7))
        for length in 0..<whole.count {
            let junk = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            for bytes in [junk, Array(whole[..<length])] {
                var reader = LogReader(bytes.span)
                while let fragment = reader.nextFragment(in: bytes.span) {
                    #expect(fragment.content.lowerBound >= 0 && fragment.content.upperBound <= bytes.count)
                    #expect(fragment.order.person >= 0 && fragment.order.track >= 0)
                }
                _ = TileLog<ByteSet>.months(of: bytes)
                _ = TileLog<ByteSet>.merged([bytes, whole])
            }
        }
    }
}
