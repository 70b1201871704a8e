import Testing
import Text

@testable import Tracks

private let extremes: [Int64] = [
    .min, .min + 1, -9_223_372_036_854_775_000, -8_640_000_000_000_001, -8_640_000_000_000_000, -86_400_001,
    -86_400_000,
    -1, 0, 1, 86_399_999, 315_964_799_999, 315_964_800_000, 4_102_444_799_999, 4_102_444_800_000,
    8_640_000_000_000_000, 8_640_000_000_000_001, .max - 1, .max,
]

@Suite struct InstantTests {
    @Test(arguments: extremes) func `A number is an instant only within 100 million days of 1970`(number: Int64) {
        let isWithin = number.magnitude <= 8_640_000_000_000_000
        #expect((Instant(milliseconds: number) != nil) == isWithin)
        #expect(Instant(milliseconds: number)?.milliseconds == (isWithin ? number : nil))
        #expect(Instant(seconds: number)?.milliseconds == Instant(seconds: number).map { _ in number * 1000 })
    }

    @Test(arguments: extremes) func `Day and text of any number can be computed without a trap`(number: Int64) throws {
        let calendar = try #require(DayCalendar(zone: "Pacific/Kiritimati"))
        let day = calendar.day(of: number)
        let timeRange = calendar.timeRange(around: number)
        #expect(timeRange.day == day)
        #expect(timeRange.from <= number)
        _ = calendar.timeRanges(ofDay: day)
        _ = calendar.start(ofDay: day)
        #expect(InstantFormatter.utc(number).hasSuffix("Z"))
        #expect(!InstantFormatter.local(number, calendar).isEmpty)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max])
    func `Adding any number to an instant never overflows`(more: Int64) throws {
        for bound in [Instant.bounds.lowerBound, 0, Instant.bounds.upperBound] {
            let instant = try #require(Instant(milliseconds: bound))
            for sum in [instant.advanced(milliseconds: more), instant.advanced(minutes: more)].compactMap(\.self) {
                #expect(Instant.bounds.contains(sum.milliseconds))
            }
        }
    }

    @Test func `A point with an implausible timestamp becomes untimed and keeps the timestamp as a field`() throws {
        var builder = ChunkBuilder()
        let place = FixedDecimal(mantissa: 134, places: 1)
        for time in [315_964_799_999, 315_964_800_000, 4_102_444_799_999, 4_102_444_800_000] as [Int64] {
            builder.addPoint(longitude: place, latitude: place, time: Instant(milliseconds: time))
        }
        builder.addPoint(longitude: place, latitude: place, time: nil)
        let taken = builder.takeChunk()
        let chunk = try #require(taken)
        let none = PointColumns.untimed
        #expect(chunk.times == [none, 315_964_800_000, 4_102_444_799_999, none, none])
        #expect(chunk.implausibleTimes == 2)
        let absent = FieldColumn.absent
        #expect(
            chunk.fields == [
                FieldColumn(
                    name: FieldName.implausibleTime,
                    values: .numbers(places: 0, [315_964_799_999, absent, absent, 4_102_444_800_000, absent]))
            ])
    }

    @Test(arguments: extremes) func `A stored time out of bounds is read as an implausible timestamp`(number: Int64)
        throws
    {
        let raw = PointColumns(
            unit: .decimal(places: 0), longitudes: [13, 13], latitudes: [52, 52], times: [number, 1_600_000_000_000],
            segmentStarts: [0])
        let read = try PointColumns(decoding: raw.encoded())
        let isWithin = Instant(milliseconds: number) != nil
        #expect(read.times == [isWithin ? number : PointColumns.untimed, 1_600_000_000_000])
        #expect(read.implausibleTimes == (isWithin || number == PointColumns.untimed ? 0 : 1))
        #expect(try PointColumns(decoding: read.encoded()) == read)
        let plausible = read.withPlausibleTimes()
        #expect(plausible.times.allSatisfy { $0 == PointColumns.untimed || Instant.plausible.contains($0) })
        #expect(plausible.withPlausibleTimes() == plausible)
    }
}
