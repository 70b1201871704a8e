import TestSupport
import Testing
import Text
import Tracks

@testable import TileLog

@Suite struct PeriodTests {
    @Test func `Every day from 1890 to 2110 belongs to the month that has it`() throws {
        let first = try #require(CivilDay(year: 1890, month: 1, day: 1)).daysSince1970
        let last = try #require(CivilDay(year: 2110, month: 12, day: 31)).daysSince1970
        var wrong: [Int32] = []
        var before: UInt16 = 0
        for day in first...last {
            let month = StoredPeriod.month(ofDay: day)
            if !StoredPeriod.days(ofMonth: month).contains(day) || month < before { wrong.append(day) }
            before = month
        }
        #expect(wrong == [])
    }

    @Test func `The months of all years follow each other without a gap`() {
        var months: [UInt16] = []
        for year in 0..<4096 { for month in 1...12 { months.append(UInt16(year << 4 | month)) } }
        let days = months.map { StoredPeriod.days(ofMonth: $0) }
        #expect(days.first?.lowerBound == FragmentOrder.untimedDay + 1 && days.last?.upperBound == .max)
        #expect(zip(days, days.dropFirst()).allSatisfy { Int64($0.upperBound) + 1 == Int64($1.lowerBound) })
        #expect(zip(months, days).allSatisfy { StoredPeriod.month(ofDay: $1.lowerBound) == $0 })
        #expect(zip(months, days).allSatisfy { StoredPeriod.month(ofDay: $1.upperBound) == $0 })
    }

    @Test func `Periods on disk keep their numbers`() throws {
        let known: [(Int, Int, Int, UInt16)] = [
            (1900, 1, 31, 1), (1900, 12, 1, 12), (1970, 1, 1, 1121), (2024, 2, 29, 1986),
            (1800, 6, 1, 1), (5995, 12, 31, 65_532), (6000, 3, 3, 65_532),
        ]
        for (year, month, day, period) in known {
            let civil = try #require(CivilDay(year: year, month: month, day: day))
            #expect(StoredPeriod.month(ofDay: civil.daysSince1970) == period, "\(year)-\(month)-\(day)")
            #expect(StoredPeriod.year(ofMonth: period) == period & 0xFFF0)
        }
        #expect(StoredPeriod.month(ofDay: FragmentOrder.untimedDay) == StoredPeriod.untimed)
        #expect(StoredPeriod.untimed == 0 && StoredPeriod.all == 65_535)
    }

    @Test func `A window has the periods of its days, and the untimed one only for all time`() throws {
        #expect(LogMonths.periods(of: DayWindow.allTime) == 0...65_535)
        let day = try #require(CivilDay(year: 2024, month: 2, day: 29)).daysSince1970
        #expect(LogMonths.periods(of: DayWindow(from: day, to: day + 1)) == 1986...1987)
        #expect(!LogMonths.periods(of: DayWindow(from: nil, to: day)).contains(StoredPeriod.untimed))
        #expect(LogMonths.periods(of: DayWindow(from: day, to: day - 1)) == StoredPeriod.all...StoredPeriod.all)
        #expect(LogMonths.days(ofPeriod: StoredPeriod.untimed) == nil)
    }
}

@Suite struct DayWindowTests {
    private static let ends: [Int32?] = [nil, -1, 0, 3, 7]

    @Test func `Two windows share the days that both have`() {
        for from in Self.ends {
            for to in Self.ends {
                for otherFrom in Self.ends {
                    for otherTo in Self.ends {
                        let (one, other) = (DayWindow(from: from, to: to), DayWindow(from: otherFrom, to: otherTo))
                        let shared = one.shared(with: other)
                        #expect(shared == other.shared(with: one))
                        for day in Int32(-3)...9 {
                            let isInBoth = contains(one, day) && contains(other, day)
                            #expect(contains(shared, day) == isInBoth, "\(one) and \(other), day \(day)")
                        }
                    }
                }
            }
        }
    }

    private func contains(_ window: DayWindow, _ day: Int32) -> Bool { window.days?.contains(day) ?? false }

    @Test func `The days of a window never include the untimed day`() {
        #expect(DayWindow.allTime.days == FragmentOrder.untimedDay + 1 ... .max)
        #expect(DayWindow(from: FragmentOrder.untimedDay, to: 3).days == FragmentOrder.untimedDay + 1...3)
        #expect(DayWindow.none.days == nil && DayWindow(from: 4, to: 3).days == nil)
    }
}

@Suite struct TrackSelectionTests {
    @Test func `A set of tracks contains what it was made of`() {
        for numbers in [[], [5], [5, 5, 1], [0, 2, 4, 6, 8], [.max, 0]] as [[Int64]] {
            let set = TrackSet(numbers)
            #expect(set.numbers == Set(numbers).sorted())
            for number in Array<Int64>(-1...10) + [.min, .max] {
                #expect(set.contains(number) == numbers.contains(number))
            }
        }
    }

    @Test(arguments: 1...6) func `Layer members equal a set of numbers after any changes`(seed: Int) {
        var random = SeededRandom(seed: seed)
        var members = LayerMembers()
        var model: Set<Int64> = []
        for _ in 0..<400 {
            let number = Int64(random.below([70, 5000, 20_000][seed % 3]))
            let isMember = random.below(3) > 0
            members.set(number, to: isMember)
            if isMember { model.insert(number) } else { model.remove(number) }
        }
        #expect(members == LayerMembers(model) && members.count == model.count)
        #expect((-1...20_100).allSatisfy { members.contains($0) == model.contains($0) })
        // Stored in blocks and read again.
        var read = LayerMembers()
        for block in 0..<members.blockCount {
            let bytes = members.block(block)
            #expect((bytes == nil) == model.allSatisfy { $0 / LayerMembers.blockTracks != block })
            if let bytes { read.add(block: block, bytes) }
        }
        #expect(read == members && members.block(members.blockCount) == nil)
        for number in model { members.set(number, to: false) }
        #expect(members == LayerMembers() && members.blockCount == 0)
    }

    @Test func `A block of members on disk keeps its bytes`() {
        let members = LayerMembers([0, 9, 63, 4095, 4096 + 12])
        #expect(members.block(0)?.hexadecimal == "0102000000000080" + String(repeating: "00", count: 503) + "80")
        #expect(members.block(1)?.hexadecimal == "0010")
    }

    @Test func `A filter passes the tracks of its activity, set or layer`() {
        var tracks = GridTracks()
        for number in Int64(0)..<20 { tracks.set(number, digest: UInt64(number), activity: UInt8(number % 3)) }
        tracks.layers[200] = LayerMembers([4, 5])
        func passing(_ filter: FragmentFilter) -> [Int64] { (0..<25).filter { filter.passes($0) } }
        #expect(passing(.all) == Array(0..<25))
        #expect(passing(.activity(2, tracks)) == [2, 5, 8, 11, 14, 17])
        #expect(passing(.tracks(TrackSet([3, 24]))) == [3, 24])
        #expect(passing(tracks.filter(ofLayer: 0)) == Array(0..<25))
        #expect(passing(tracks.filter(ofLayer: 1)) == passing(.activity(1, tracks)))
        #expect(passing(tracks.filter(ofLayer: 200)) == [4, 5])
    }
}

@Suite struct DigestTests {
    @Test func `Digests of fragments keep their values`() {
        var tracks = GridTracks()
        tracks.set(7, digest: 0x0123_4567_89AB_CDEF, activity: 2)
        #expect(tracks.fragmentDigest(FragmentOrder(day: 18_262, person: 1, track: 7)) == 0xA55B_E0A6_B4D3_38DD)
        #expect(
            tracks.fragmentDigest(FragmentOrder(day: FragmentOrder.untimedDay, person: 1, track: 7))
                == 0xD269_B0C5_BE15_F3FF)
        #expect(tracks.fragmentDigest(FragmentOrder(day: 0, person: 1, track: 99)) == 0)
    }

    @Test func `The content of a log has the sum of its fragments' digests`() {
        var tracks = GridTracks()
        for number in Int64(0)..<8 { tracks.set(number, digest: UInt64(number) &* 77, activity: UInt8(number % 2 + 1)) }
        var writer = LogWriter<ByteSet>()
        let orders = (0..<8).map { FragmentOrder(day: Int32($0 / 3), person: 1, track: Int64($0)) }
        for order in orders { writer.add(order, [1]) }
        let bytes = writer.finish()
        for (layer, members) in [(UInt8(0), orders), (1, orders.filter { $0.track % 2 == 0 }), (9, [])] {
            let expected = members.reduce(UInt64(0)) { $0 &+ tracks.fragmentDigest($1) }
            #expect(tracks.contentDigest(of: bytes.span, layer: layer) == expected, "layer \(layer)")
        }
    }

    @Test func `The digest of drawn fields keeps its value`() {
        let points = [
            TestPoint(longitude: 1, latitude: 2, time: 0, elevation: 123),
            TestPoint(longitude: 2, latitude: 2, time: 1000, elevation: nil, isWaypoint: true),
            TestPoint(longitude: 3, latitude: 2, time: 2000),
        ]
        var digest = DrawnFieldsDigest()
        for chunk in points.chunks() { digest.add(DrawnFields(chunk)) }
        #expect(digest.value == 0xACCA_1F29_B795_7AA2)
        #expect(DrawnFieldsDigest().value == 0)
    }
}

extension LayerMembers {
    /// A set of these tracks.
    fileprivate init(_ numbers: some Sequence<Int64>) {
        self.init()
        for number in numbers { set(number, to: true) }
    }
}
