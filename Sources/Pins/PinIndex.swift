internal import TileMath

/// All pins as columns in memory, ordered by the Morton code of their places, so that the pins of a cell are
/// neighbours.
///
/// Building sorts the pins; a count or centre of a cell without a filter takes two searches, with a filter a pass over
/// the pins of the cell. A pin takes about 70 bytes.
public struct PinIndex: Sendable {
    /// Bits of a coordinate in the world square.
    private static let coordinateBits = 32

    /// Morton codes of the places, ascending.
    let codes: [UInt64]
    private let idWords: [(UInt64, UInt64)]
    /// Milliseconds since 1970; `untimed` without a time.
    private let times: [Int64]
    /// Hours of the day, in the library's zone.
    private let hours: [UInt8]
    private let months: [UInt8]
    private let categories: [UInt32]
    private let persons: [UInt32]
    private let sources: [UInt8]
    /// Sums of the coordinates of all pins before an index. 64 bits are enough for 2^32 pins.
    private let sumsX: [UInt64]
    private let sumsY: [UInt64]
    private let categoryNumbers: [String: UInt32]
    private let personNumbers: [String: UInt32]
    private let categoryNames: [UInt32: String]
    private let personNames: [UInt32: String]
    /// The times, in milliseconds since 1970, at which the same pins have expired as at the time of the index. It ends when
    /// the next pin expires, and begins with the last expiry: a clock that was ahead is set back.
    public let validTimes: Range<Int64>

    private static let untimed = Int64.min
    /// The number of no category.
    private static let none: UInt32 = 0

    /// The number of pins.
    public var count: Int { codes.count }

    /// Indexes the pins that are neither hidden nor expired at `now`; `local` gives the hour and the month (from 0) of an instant in
    /// the library's zone.
    public init(_ pins: [PinFacts], now: Int64, local: (Int64) -> (hour: Int, month: Int)) {
        var rows: [(code: UInt64, index: Int)] = []
        rows.reserveCapacity(pins.count)
        var (lastExpiry, nextExpiry) = (Int64.min, Int64.max)
        for (index, pin) in pins.enumerated() where !pin.isHidden {
            if let expires = pin.expires {
                guard expires > now else {
                    lastExpiry = max(lastExpiry, expires)
                    continue
                }
                nextExpiry = min(nextExpiry, expires)
            }
            rows.append((Self.code(of: pin.place), index))
        }
        validTimes = lastExpiry..<nextExpiry
        let ids = pins.map { Self.words(of: $0.id) }
        // The order of equal places is that of their ids, not that of the rows.
        rows.sort { one, other in
            one.code != other.code ? one.code < other.code : ids[one.index] < ids[other.index]
        }
        var categoryNumbers: [String: UInt32] = [:]
        var personNumbers: [String: UInt32] = [:]
        func number(_ name: String, in numbers: inout [String: UInt32]) -> UInt32 {
            if let known = numbers[name] { return known }
            let number = UInt32(numbers.count) + 1
            numbers[name] = number
            return number
        }
        codes = rows.map(\.code)
        idWords = rows.map { ids[$0.index] }
        times = rows.map { pins[$0.index].time ?? Self.untimed }
        let parts = rows.map { row in pins[row.index].time.map(local) }
        hours = parts.map { UInt8($0?.hour ?? 0) }
        months = parts.map { UInt8($0?.month ?? 0) }
        categories = rows.map { row in
            pins[row.index].category.map { number($0, in: &categoryNumbers) } ?? Self.none
        }
        persons = rows.map { number(pins[$0.index].person ?? "", in: &personNumbers) }
        let sourceNumbers = Dictionary(
            uniqueKeysWithValues: PinSource.allCases.enumerated().map { ($0.element, UInt8($0.offset)) })
        sources = rows.map { sourceNumbers[pins[$0.index].source] ?? 0 }
        var sumsX: [UInt64] = [0]
        var sumsY: [UInt64] = [0]
        for row in rows {
            sumsX.append(sumsX[sumsX.count - 1] + UInt64(Morton.x(of: row.code)))
            sumsY.append(sumsY[sumsY.count - 1] + UInt64(Morton.y(of: row.code)))
        }
        (self.sumsX, self.sumsY) = (sumsX, sumsY)
        (self.categoryNumbers, self.personNumbers) = (categoryNumbers, personNumbers)
        categoryNames = Dictionary(categoryNumbers.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        personNames = Dictionary(personNumbers.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The Morton code of a place; latitudes beyond the map are cut at its edge.
    static func code(of place: PinPlace) -> UInt64 {
        let world = WorldPoint(longitude: place.degrees.longitude, latitude: place.degrees.latitude)
        return Morton.code(x: UInt32(world.x), y: UInt32(min(max(world.y, 0), WorldPoint.side - 1)))
    }

    private static func words(of id: PinID) -> (UInt64, UInt64) {
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return (word(id.bytes.prefix(8)), word(id.bytes.suffix(8)))
    }

    /// The id of the pin at an index.
    public func id(at index: Int) -> PinID? {
        let (high, low) = idWords[index]
        return PinID(
            bytes: [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } })
    }

    /// What is known of the pin at an index; it is not hidden, and when it expires is not known.
    func facts(at index: Int) -> (
        id: PinID, time: Int64?, category: String?, person: String?, source: PinSource
    )? {
        guard let id = id(at: index) else { return nil }
        let (time, person) = (times[index], personNames[persons[index]])
        return (
            id, time == Self.untimed ? nil : time, categoryNames[categories[index]],
            person.flatMap { $0.isEmpty ? nil : $0 }, PinSource.allCases[Int(sources[index])]
        )
    }

    /// The time of the pin at an index, for ordering: pins without a time come before all others.
    func time(at index: Int) -> Int64 { times[index] }

    // MARK: Selections

    /// A filter in terms of the columns.
    public struct Selection: Sendable {
        /// Whether every pin is selected.
        let isAll: Bool
        /// Whether no pin is selected.
        let isNone: Bool
        fileprivate let from: Int64
        fileprivate let to: Int64
        fileprivate let hours: UInt32
        fileprivate let months: UInt16
        fileprivate let category: UInt32?
        fileprivate let person: UInt32?
        fileprivate let source: UInt8?
        /// The times of tracks, by the numbers of persons; nil for all times.
        fileprivate let spans: [UInt32: [TrackTimes.Span]]?

        fileprivate init(_ filter: PinFilter, in index: PinIndex) {
            var plain = filter
            plain.bounds = nil
            isAll = plain.isEmpty
            let category = filter.category.map { index.categoryNumbers[$0] }
            let person = filter.person.map { index.personNumbers[$0] }
            isNone = category == .some(nil) || person == .some(nil)
            self.category = category ?? nil
            self.person = person ?? nil
            source = filter.source.flatMap { PinSource.allCases.firstIndex(of: $0) }.map { UInt8($0) }
            // The smallest number stands for no time.
            let first = filter.needsTime ? PinIndex.untimed + 1 : PinIndex.untimed
            from = max(filter.from ?? first, first)
            to = filter.to ?? .max
            hours = filter.hours ?? .max
            months = filter.months ?? .max
            spans = filter.during.map { index.numbered($0) }
        }
    }

    /// The selection of a filter. Its box is not part of it.
    public func selection(_ filter: PinFilter) -> Selection { Selection(filter, in: self) }

    private func numbered(_ times: TrackTimes) -> [UInt32: [TrackTimes.Span]] {
        var spans: [UInt32: [TrackTimes.Span]] = [:]
        for (person, list) in times.spans {
            if let number = personNumbers[person] { spans[number] = list }
        }
        return spans
    }

    /// West, south, east and north of the selected pins in degrees, without regard to 180°; nil if there are none.
    public func bounds(_ selection: Selection) -> (west: Double, south: Double, east: Double, north: Double)? {
        var box: (west: UInt32, north: UInt32, east: UInt32, south: UInt32)?
        for index in codes.indices where !selection.isNone && (selection.isAll || admits(selection, index)) {
            let (x, y) = (Morton.x(of: codes[index]), Morton.y(of: codes[index]))
            guard let known = box else {
                box = (x, y, x, y)
                continue
            }
            box = (min(known.west, x), min(known.north, y), max(known.east, x), max(known.south, y))
        }
        guard let box else { return nil }
        let first = WorldPoint(x: Int64(box.west), y: Int64(box.north))
        let last = WorldPoint(x: Int64(box.east), y: Int64(box.south))
        return (first.longitude, last.latitude, last.longitude, first.latitude)
    }

    @inline(__always)
    private func admits(_ selection: Selection, _ index: Int) -> Bool {
        let time = times[index]
        guard time >= selection.from, time < selection.to else { return false }
        if let category = selection.category, categories[index] != category { return false }
        if let person = selection.person, persons[index] != person { return false }
        if let source = selection.source, sources[index] != source { return false }
        if let spans = selection.spans {
            guard let own = spans[persons[index]], TrackTimes.contains(time, in: own) else { return false }
        }
        return selection.hours & (1 << UInt32(hours[index])) != 0
            && selection.months & (1 << UInt16(months[index])) != 0
    }

    // MARK: Cells

    /// The selected pins of a cell.
    struct Cell: Equatable {
        var count = 0
        var sumX: UInt64 = 0
        var sumY: UInt64 = 0
        /// The index of the first one.
        var first = 0
    }

    /// The indices of the pins in the cell `x`, `y` of a grid with 2^level cells on each side.
    func range(x: Int, y: Int, level: Int, within whole: Range<Int>? = nil) -> Range<Int> {
        // At level 0 it is 64, by which a number of 64 bits cannot be shifted: the only cell has all pins.
        let bits = UInt64(2 * (Self.coordinateBits - level))
        let prefix = Morton.code(x: UInt32(x), y: UInt32(y))
        let lower = firstIndex(notBelow: bits == 64 ? 0 : prefix << bits, in: whole ?? 0..<count)
        // The last cell has no successor.
        let (next, overflows) = bits == 64 ? (0, true) : ((prefix + 1) << bits, (prefix + 1) >> (64 - bits) != 0)
        let end = whole?.upperBound ?? count
        return lower..<(overflows ? end : firstIndex(notBelow: next, in: lower..<end))
    }

    private func firstIndex(notBelow code: UInt64, in range: Range<Int>) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if codes[middle] < code { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The selected pins of a range; stops at `limit` of them, and the sums are then those of a part.
    func cell(_ range: Range<Int>, _ selection: Selection, limit: Int = .max) -> Cell {
        var cell = Cell()
        guard !selection.isNone, !range.isEmpty else { return cell }
        if selection.isAll {
            cell.count = range.count
            cell.first = range.lowerBound
            cell.sumX = sumsX[range.upperBound] - sumsX[range.lowerBound]
            cell.sumY = sumsY[range.upperBound] - sumsY[range.lowerBound]
            return cell
        }
        for index in range where admits(selection, index) {
            if cell.count == 0 { cell.first = index }
            cell.count += 1
            if cell.count >= limit { return cell }
            cell.sumX += UInt64(Morton.x(of: codes[index]))
            cell.sumY += UInt64(Morton.y(of: codes[index]))
        }
        return cell
    }

    /// The ids of the selected pins of a range: the newest `limit`, newest first.
    func ids(_ range: Range<Int>, _ selection: Selection, limit: Int) -> [PinID] {
        guard !selection.isNone else { return [] }
        // Sorted, at most `limit`: of many pins few are among the newest.
        var newest: [Int] = []
        newest.reserveCapacity(limit + 1)
        for index in range where selection.isAll || admits(selection, index) {
            if newest.count == limit, !isNewer(index, than: newest[limit - 1]) { continue }
            let position = newest.firstIndex { isNewer(index, than: $0) } ?? newest.count
            newest.insert(index, at: position)
            if newest.count > limit { newest.removeLast() }
        }
        return newest.compactMap { id(at: $0) }
    }

    private func isNewer(_ one: Int, than other: Int) -> Bool {
        times[one] != times[other] ? times[one] > times[other] : idWords[one] < idWords[other]
    }
}
