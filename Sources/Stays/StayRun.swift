import Text

/// Points of a device that are near each other and follow each other: a stay, or a part of one.
struct StayPart: Sendable, Hashable {
    /// The instants of the first and last point, in milliseconds since 1970.
    var arrive: Int64
    var leave: Int64
    /// The mean of the points, in 1e-7°.
    var longitude: Int32
    var latitude: Int32
    var points: Int
    /// The sum of the squared distances of the points from their mean, in square decimetres.
    var spread: Int64
}

/// What is known from a device about stays, from a point to the next pause.
struct StayRun: Sendable, Hashable {
    /// The instants of the first and last point, in milliseconds since 1970.
    var from: Int64
    var to: Int64
    /// The parts that can be (parts of) a stay, ascending; always one at the first instant, and one at the last.
    var parts: [StayPart]
    /// When the track moved, ascending and separate.
    var movements: [ClosedRange<Int64>]
}

/// Runs as bytes.
enum StayRuns {
    /// The runs as bytes: some 20 for each part, 6 for each movement.
    static func encoded(_ runs: [StayRun]) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: Int64) { Varint.append(Varint.zigzag(number), to: &bytes) }
        var (time, longitude, latitude) = (Int64(0), Int64(0), Int64(0))
        for run in runs {
            append(run.from &- time)
            append(run.to &- run.from)
            Varint.append(UInt64(run.parts.count), to: &bytes)
            time = run.from
            for part in run.parts {
                append(part.arrive &- time)
                append(part.leave &- part.arrive)
                append(Int64(part.longitude) - longitude)
                append(Int64(part.latitude) - latitude)
                Varint.append(UInt64(part.points), to: &bytes)
                append(part.spread)
                (time, longitude, latitude) = (part.leave, Int64(part.longitude), Int64(part.latitude))
            }
            Varint.append(UInt64(run.movements.count), to: &bytes)
            time = run.from
            for movement in run.movements {
                append(movement.lowerBound &- time)
                append(movement.upperBound &- movement.lowerBound)
                time = movement.upperBound
            }
            time = run.to
        }
        return bytes
    }

    /// Calls `body` with each run that `encoded` has written.
    static func forEach(in bytes: borrowing Span<UInt8>, _ body: (StayRun) throws -> Void) rethrows {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        var (time, longitude, latitude) = (Int64(0), Int64(0), Int64(0))
        while !cursor.isAtEnd {
            let from = time &+ Varint.unzigzag(cursor.next(in: bytes))
            var run = StayRun(from: from, to: from &+ Varint.unzigzag(cursor.next(in: bytes)), parts: [], movements: [])
            time = from
            for _ in 0..<cursor.nextCount(in: bytes) where !cursor.isAtEnd {
                let arrive = time &+ Varint.unzigzag(cursor.next(in: bytes))
                let leave = arrive &+ Varint.unzigzag(cursor.next(in: bytes))
                longitude &+= Varint.unzigzag(cursor.next(in: bytes))
                latitude &+= Varint.unzigzag(cursor.next(in: bytes))
                run.parts.append(
                    StayPart(
                        arrive: arrive, leave: leave, longitude: Int32(truncatingIfNeeded: longitude),
                        latitude: Int32(truncatingIfNeeded: latitude), points: Int(clamping: cursor.next(in: bytes)),
                        spread: Varint.unzigzag(cursor.next(in: bytes))))
                time = leave
            }
            time = from
            for _ in 0..<cursor.nextCount(in: bytes) where !cursor.isAtEnd {
                let begin = time &+ Varint.unzigzag(cursor.next(in: bytes))
                time = begin &+ Varint.unzigzag(cursor.next(in: bytes))
                guard begin <= time else { return }
                run.movements.append(begin...time)
            }
            time = run.to
            try body(run)
        }
    }
}
