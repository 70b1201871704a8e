package import Database
internal import Digest
internal import Text
internal import Tracks

/// Encodings of values for which databases have no column type.
enum RowCoding {
    /// The standard rule is −2, none is −1, a pause is its milliseconds.
    static func number(of gap: GapRule) -> Int64 {
        switch gap {
        case .standard: -2
        case .none: -1
        case .pause(let milliseconds): max(0, milliseconds)
        }
    }

    static func gap(of number: Int64) -> GapRule {
        switch number {
        case -1: .none
        case 0...: .pause(milliseconds: number)
        default: .standard
        }
    }

    /// The library's outlier rule; the standard rule if it has none.
    static func outlierRule(_ text: String?) -> OutlierRule {
        text.flatMap { OutlierRule(text: $0) } ?? .standard
    }

    static func text<Content: Encodable>(of content: Content) -> String {
        (try? JSONCoding.bytes(of: content)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    static func texts(_ text: String) -> [String] {
        JSONCoding.value(from: text.utf8) ?? []
    }

    static func attributes(_ text: String?) -> [String: String] {
        guard let text else { return [:] }
        return JSONCoding.value(from: text.utf8) ?? [:]
    }

    static func attributesValue(_ attributes: [String: String]) -> Value {
        attributes.isEmpty ? .null : .text(text(of: attributes))
    }

    static func outliersValue(_ outliers: [OutlierReason: Int]) -> Value {
        guard !outliers.isEmpty else { return .null }
        return .text(text(of: Dictionary(uniqueKeysWithValues: outliers.map { ($0.key.rawValue, $0.value) })))
    }

    static func outliers(_ text: String?) -> [OutlierReason: Int] {
        guard let text else { return [:] }
        let counts = JSONCoding.value([String: Int].self, from: text.utf8) ?? [:]
        var result: [OutlierReason: Int] = [:]
        for (reason, count) in counts {
            if let outlierReason = OutlierReason(rawValue: reason) { result[outlierReason] = count }
        }
        return result
    }

    /// A number of points, within bounds in which sums cannot overflow, whatever an altered row contains.
    static func count(_ number: Int64) -> Int { Int(min(max(number, 0), 1 << 40)) }

    /// A length, within bounds in which it has a number of millimetres: 1e12 m is seven times the distance of the Sun.
    static func metres(_ number: Double) -> Double { number > 0 ? min(number, 1e12) : 0 }

    static func segmentsValue(_ segments: [Int]) -> Value {
        segments.isEmpty ? .null : .text(text(of: segments))
    }

    static func segments(_ text: String?) -> [Int] {
        guard let text else { return [] }
        return JSONCoding.value(from: text.utf8) ?? []
    }

    /// Tracks of class n are shorter than 4^n ms and, but for class 0, not shorter than 4^(n−1) ms. So one index lookup
    /// per class finds the tracks that overlap a time: at most 33.
    static func spanClass(start: Int64, end: Int64) -> Int64 {
        let (length, overflow) = end.subtractingReportingOverflow(start)
        guard !overflow, length > 0 else { return overflow ? 32 : 0 }
        return Int64((65 - length.leadingZeroBitCount) / 2)
    }
}

extension Track {
    /// The columns that `init(row:)` reads.
    package static func columns(_ session: any Session) -> String {
        """
        t.number, t.id, t.person, p.name, coalesce(e.activity, t.activity), coalesce(e.name, t.name), t.source, t.device,
        t.start, t.finish, t.points, t.untimed, t.marked, t.metres, t.west, t.south, t.east, t.north, t.gap, t.stream,
        t.long_segments, t.digest, t.notes, \(tagList(session)), (SELECT value FROM meta WHERE name = 'cleaning'),
        t.activity, (SELECT bytes FROM track_annotation WHERE track = t.number)
        """
    }

    package static let tables = "track t JOIN person p ON p.number = t.person LEFT JOIN edit e ON e.track = t.number"

    /// The track's tags, one on each line; NULL if it has none.
    static func tagList(_ session: any Session) -> String {
        "(SELECT \(session.lines(of: "name")) FROM tag WHERE track = t.number)"
    }

    /// Decodes the value of `tagList`.
    static func tags(_ text: String?) -> [String] {
        text.map { $0.split(separator: "\n").map(String.init).sorted() } ?? []
    }

    package init(row: any Row) {
        number = row.integer(0)
        id = row.text(1)
        person = row.integer(2)
        personName = row.textOrNil(3)
        activityWord = row.textOrNil(4)
        name = row.textOrNil(5)
        source = row.text(6)
        device = row.textOrNil(7)
        start = row.integerOrNil(8)
        end = row.integerOrNil(9)
        points = RowCoding.count(row.integer(10))
        untimed = RowCoding.count(row.integer(11))
        outliers = RowCoding.outliers(row.textOrNil(12))
        metres = RowCoding.metres(row.real(13))
        if !row.isNull(14) { bounds = E7Bounds(row: row, from: 14) }
        gap = RowCoding.gap(of: row.integer(18))
        isStream = !row.isNull(19)
        longSegments = RowCoding.segments(row.textOrNil(20))
        digest = ContentDigest(bytes: row.blob(21)) ?? ContentDigest(of: [])
        attributes = RowCoding.attributes(row.textOrNil(22))
        tags = Self.tags(row.textOrNil(23))
        outlierRule = RowCoding.outlierRule(row.textOrNil(24))
        activityRecorded = row.textOrNil(25)
        if !row.isNull(26) { annotations = PointAnnotations(decoding: row.blob(26).span) }
    }
}

extension E7Bounds {
    /// The box in four columns of a row: west, south, east and north.
    init(row: any Row, from column: Int) {
        func edge(_ index: Int) -> Int32 { Int32(clamping: row.integer(column + index)) }
        self.init(west: edge(0), south: edge(1), east: edge(2), north: edge(3))
    }
}
