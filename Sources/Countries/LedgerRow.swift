import Text

/// What a person did within a section of a track.
public enum LedgerClass: UInt8, Sendable, CaseIterable {
    /// In a country, on the ground, or on water up to `AreaFinder.coastMetres` from its coast.
    case ground
    /// In the air.
    case flight
    /// On coastal waters: up to `AreaFinder.coastalWatersMetres` from the nearest coast.
    case coastal
    /// On the high seas.
    case sea
    /// A long step without points to another country; its route is unknown.
    case unknown
}

/// A section of a track within one country, region, class and day, without a larger gap.
public struct LedgerRow: Sendable, Equatable {
    /// What the person did.
    public var kind: LedgerClass
    /// The country: an index in `Geography.countries`; nil on and over water, and for `unknown`.
    public var country: Int?
    /// The region: an index for `Gazetteer.region`; only on the ground, and nil where none is known.
    public var region: Int?
    /// Days since 1970-01-01 in the library's time zone; nil for points without time.
    public var day: Int32?
    /// The first and the last instant in milliseconds since 1970; nil for points without time.
    public var time: ClosedRange<Int64>?
    /// The length of the lines on the ellipsoid WGS 84.
    public var millimetres: Int64 = 0
    /// The number of points.
    public var points = 0
    /// The highest speed of a step of at least a second, in centimetres per second.
    public var topSpeed = 0
    /// The first place, in the order of time.
    public var first: LedgerPlace
    /// The last place, in the order of time.
    public var last: LedgerPlace
    /// The bounds of the points.
    public var box: LedgerBox
    /// The longest time at one place that ended within the row; it may have begun in an earlier one.
    public var stayMilliseconds: Int64 = 0

    /// A row without time and length, with the bounds of its first and last place.
    init(
        _ kind: LedgerClass, country: Int?, region: Int?, day: Int32?, from first: LedgerPlace, to last: LedgerPlace
    ) {
        self.kind = kind
        self.country = country
        self.region = region
        self.day = day
        (self.first, self.last) = (first, last)
        box = LedgerBox(first)
        box.add(last)
    }
}

/// The rows of a track as bytes: about 40 for each.
public enum LedgerRows {
    /// The rows as bytes.
    public static func encoded(_ rows: [LedgerRow]) -> [UInt8] {
        var bytes: [UInt8] = []
        var place = LedgerPlace(longitude: 0, latitude: 0)
        var (day, time) = (Int32(0), Int64(0))
        func append(_ number: Int64) { Varint.append(Varint.zigzag(number), to: &bytes) }
        func append(_ next: LedgerPlace) {
            append(Int64(next.longitude) - Int64(place.longitude))
            append(Int64(next.latitude) - Int64(place.latitude))
            place = next
        }
        for row in rows {
            // The lowest bits show which of day and time are present.
            let head = UInt64(row.kind.rawValue) << 2 | (row.day == nil ? 0 : 1) | (row.time == nil ? 0 : 2)
            Varint.append(head, to: &bytes)
            Varint.append(UInt64((row.country ?? -1) + 1), to: &bytes)
            Varint.append(UInt64((row.region ?? -1) + 1), to: &bytes)
            if let next = row.day {
                append(Int64(next) - Int64(day))
                day = next
            }
            if let range = row.time {
                append(range.lowerBound &- time)
                Varint.append(UInt64(bitPattern: range.upperBound &- range.lowerBound), to: &bytes)
                time = range.upperBound
            }
            Varint.append(UInt64(bitPattern: row.millimetres), to: &bytes)
            Varint.append(UInt64(row.points), to: &bytes)
            Varint.append(UInt64(row.topSpeed), to: &bytes)
            append(row.first)
            append(row.last)
            append(LedgerPlace(longitude: row.box.west, latitude: row.box.south))
            append(LedgerPlace(longitude: row.box.east, latitude: row.box.north))
            place = row.last
            Varint.append(UInt64(bitPattern: row.stayMilliseconds), to: &bytes)
        }
        return bytes
    }

    /// Calls `body` with each row that `encoded` has written.
    public static func forEach(in bytes: borrowing Span<UInt8>, _ body: (LedgerRow) throws -> Void) rethrows {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        var place = LedgerPlace(longitude: 0, latitude: 0)
        var (day, time) = (Int64(0), Int64(0))
        while !cursor.isAtEnd {
            let head = cursor.next(in: bytes)
            guard let kind = LedgerClass(rawValue: UInt8(truncatingIfNeeded: head >> 2)) else { return }
            let country = Int(truncatingIfNeeded: cursor.next(in: bytes)) &- 1
            let region = Int(truncatingIfNeeded: cursor.next(in: bytes)) &- 1
            if head & 1 != 0 { day &+= Varint.unzigzag(cursor.next(in: bytes)) }
            var range: ClosedRange<Int64>?
            if head & 2 != 0 {
                let enter = time &+ Varint.unzigzag(cursor.next(in: bytes))
                time = enter &+ Int64(bitPattern: cursor.next(in: bytes))
                guard enter <= time else { return }
                range = enter...time
            }
            let millimetres = Int64(bitPattern: cursor.next(in: bytes))
            let points = Int(truncatingIfNeeded: cursor.next(in: bytes))
            let topSpeed = Int(truncatingIfNeeded: cursor.next(in: bytes))
            var places: [LedgerPlace] = []
            for _ in 0..<4 {
                let longitude = Int64(place.longitude) &+ Varint.unzigzag(cursor.next(in: bytes))
                let latitude = Int64(place.latitude) &+ Varint.unzigzag(cursor.next(in: bytes))
                place = LedgerPlace(
                    longitude: Int32(truncatingIfNeeded: longitude), latitude: Int32(truncatingIfNeeded: latitude))
                places.append(place)
            }
            place = places[1]
            var row = LedgerRow(
                kind, country: country < 0 ? nil : country, region: region < 0 ? nil : region,
                day: head & 1 == 0 ? nil : Int32(truncatingIfNeeded: day), from: places[0], to: places[1])
            row.time = range
            row.millimetres = millimetres
            row.points = points
            row.topSpeed = topSpeed
            row.box = LedgerBox(places[2])
            (row.box.east, row.box.north) = (places[3].longitude, places[3].latitude)
            row.stayMilliseconds = Int64(bitPattern: cursor.next(in: bytes))
            try body(row)
        }
    }
}
