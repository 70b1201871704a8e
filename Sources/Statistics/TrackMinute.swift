import Text

/// What a track did in a minute, or in some minutes in which it went on evenly, within one row of its ledger of countries.
///
/// All lengths, times of movement and climbs of a track are in such entries; the totals of its days and the lengths of its
/// ledger's rows are their sums.
public struct TrackMinute: Sendable, Hashable {
    /// The first minute since 1970; nil for what has no time.
    public var minute: Int64?
    /// The number of minutes.
    public var count: Int64
    /// The index of the row of the track's ledger.
    public var row: Int
    /// The sums of all minutes, which have equal parts of them.
    public var amounts: Amounts

    /// Creates an entry.
    public init(minute: Int64?, count: Int64 = 1, row: Int, _ amounts: Amounts) {
        self.minute = minute
        self.count = count
        self.row = row
        self.amounts = amounts
    }

    /// A minute in milliseconds.
    static let milliseconds: Int64 = 60_000

    /// Whole numbers that are added up.
    public struct Amounts: Sendable, Hashable {
        public var millimetres: Int64 = 0
        public var movingMilliseconds: Int64 = 0
        public var climbCentimetres: Int64 = 0

        /// Creates amounts of 0.
        public init() {}

        public init(millimetres: Int64, movingMilliseconds: Int64 = 0, climbCentimetres: Int64 = 0) {
            self.millimetres = millimetres
            self.movingMilliseconds = movingMilliseconds
            self.climbCentimetres = climbCentimetres
        }

        /// Whether nothing was added.
        public var isZero: Bool { millimetres == 0 && movingMilliseconds == 0 && climbCentimetres == 0 }

        public static func += (sum: inout Amounts, other: Amounts) {
            sum.millimetres += other.millimetres
            sum.movingMilliseconds += other.movingMilliseconds
            sum.climbCentimetres += other.climbCentimetres
        }

        /// The part of the first units of time, of `count`; the parts of consecutive units add up to the whole.
        func first(_ units: Int64, of count: Int64) -> Amounts {
            func part(_ number: Int64) -> Int64 {
                guard units < count else { return number }
                // The quotient is at most the number.
                let product = UInt64(max(0, number)).multipliedFullWidth(by: UInt64(max(0, units)))
                return Int64(UInt64(count).dividingFullWidth(product).quotient)
            }
            return Amounts(
                millimetres: part(millimetres), movingMilliseconds: part(movingMilliseconds),
                climbCentimetres: part(climbCentimetres))
        }

        static func - (one: Amounts, other: Amounts) -> Amounts {
            Amounts(
                millimetres: one.millimetres - other.millimetres,
                movingMilliseconds: one.movingMilliseconds - other.movingMilliseconds,
                climbCentimetres: one.climbCentimetres - other.climbCentimetres)
        }
    }

    /// The order of entries in a track: without time first, then by minute and row.
    public static func isOrdered(_ one: TrackMinute, _ other: TrackMinute) -> Bool {
        (one.minute ?? .min, one.row) < (other.minute ?? .min, other.row)
    }
}

/// The minutes of a track as bytes: about 5 for each.
public enum TrackMinutes {
    /// The entries as bytes; `Decoder` reads them.
    public static func encoded(_ entries: [TrackMinute]) -> [UInt8] {
        var encoder = Encoder()
        for entry in entries { encoder.append(entry) }
        return encoder.bytes
    }

    /// Which numbers follow.
    private struct Head: OptionSet {
        let rawValue: UInt64
        static let untimed = Head(rawValue: 1)
        static let later = Head(rawValue: 2)
        static let several = Head(rawValue: 4)
        static let otherRow = Head(rawValue: 8)
        /// It moves all the time.
        static let moving = Head(rawValue: 16)
        static let resting = Head(rawValue: 32)
        /// The last of seven bits, so that the head is one byte.
        static let climbing = Head(rawValue: 64)
    }

    /// Appends one entry after another.
    public struct Encoder: Sendable {
        public private(set) var bytes: [UInt8] = []
        private var next: Int64 = 0
        private var row = 0

        /// Creates an encoder of an empty list.
        public init() {}

        /// Appends an entry; any order is possible.
        public mutating func append(_ entry: TrackMinute) {
            var head: Head = []
            let minute = entry.minute ?? next
            if entry.minute == nil { head.insert(.untimed) }
            if minute != next { head.insert(.later) }
            if entry.count != 1 { head.insert(.several) }
            if entry.row != row { head.insert(.otherRow) }
            let moving = entry.amounts.movingMilliseconds
            if moving == 0 {
                head.insert(.resting)
            } else if moving == entry.count * TrackMinute.milliseconds {
                head.insert(.moving)
            }
            if entry.amounts.climbCentimetres != 0 { head.insert(.climbing) }
            Varint.append(head.rawValue, to: &bytes)
            if head.contains(.later) { Varint.append(Varint.zigzag(minute - next), to: &bytes) }
            if head.contains(.several) { Varint.append(UInt64(entry.count), to: &bytes) }
            if head.contains(.otherRow) { Varint.append(Varint.zigzag(Int64(entry.row - row)), to: &bytes) }
            Varint.append(UInt64(bitPattern: entry.amounts.millimetres), to: &bytes)
            if head.isDisjoint(with: [.moving, .resting]) { Varint.append(UInt64(bitPattern: moving), to: &bytes) }
            if head.contains(.climbing) {
                Varint.append(UInt64(bitPattern: entry.amounts.climbCentimetres), to: &bytes)
            }
            next = minute + (entry.minute == nil ? 0 : entry.count)
            row = entry.row
        }
    }

    /// Reads one entry after another.
    public struct Decoder: Sendable {
        private let bytes: [UInt8]
        private var cursor: VarintCursor
        private var minute: Int64 = 0
        private var row = 0

        /// The entries that an `Encoder` has written.
        public init(_ bytes: [UInt8]) {
            self.bytes = bytes
            cursor = VarintCursor(offset: 0, end: bytes.count)
        }

        /// The next entry; nil at the end, and where the bytes are not those of entries.
        public mutating func next() -> TrackMinute? {
            guard !cursor.isAtEnd else { return nil }
            // A copy, because a span forbids to change what it is a part of.
            let bytes = bytes
            let span = bytes.span
            let head = Head(rawValue: cursor.next(in: span))
            if head.contains(.later) { minute &+= Varint.unzigzag(cursor.next(in: span)) }
            let count = head.contains(.several) ? Int64(bitPattern: cursor.next(in: span)) : 1
            if head.contains(.otherRow) { row &+= Int(truncatingIfNeeded: Varint.unzigzag(cursor.next(in: span))) }
            var amounts = TrackMinute.Amounts(millimetres: Int64(bitPattern: cursor.next(in: span)))
            if head.contains(.moving) {
                amounts.movingMilliseconds = count &* TrackMinute.milliseconds
            } else if !head.contains(.resting) {
                amounts.movingMilliseconds = Int64(bitPattern: cursor.next(in: span))
            }
            if head.contains(.climbing) { amounts.climbCentimetres = Int64(bitPattern: cursor.next(in: span)) }
            // No instant is farther from 1970 than 2^38 minutes, no step takes longer than a year, and nothing is longer than
            // all steps that a track can have.
            let isPlausible =
                row >= 0 && (1...1 << 20).contains(count) && minute.magnitude < 1 << 38
                && [amounts.millimetres, amounts.movingMilliseconds, amounts.climbCentimetres].allSatisfy {
                    (0...1 << 50).contains($0)
                }
            guard isPlausible else {
                cursor.offset = cursor.end
                return nil
            }
            let isUntimed = head.contains(.untimed)
            defer { if !isUntimed { minute += count } }
            return TrackMinute(minute: isUntimed ? nil : minute, count: count, row: row, amounts)
        }
    }
}
