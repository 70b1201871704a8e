import Digest
import Text
import TileMath

/// How routes are stored in columns.
enum RouteCoding {
    /// Points are stored in ten-millionths of a degree.
    static func units(_ degrees: Double) -> Int64 { Int64((degrees * TrackDatabase.unitsPerDegree).rounded()) }

    static func point(_ longitude: Int64, _ latitude: Int64) -> GeoPoint? {
        GeoPoint(
            longitude: Double(longitude) / TrackDatabase.unitsPerDegree,
            latitude: Double(latitude) / TrackDatabase.unitsPerDegree)
    }

    /// The points of a line: each as its distance from the one before.
    static func bytes(_ line: [GeoPoint]) -> [UInt8] {
        var bytes: [UInt8] = []
        var last: (Int64, Int64) = (0, 0)
        for point in line {
            let next = (units(point.longitude), units(point.latitude))
            Varint.append(Varint.zigzag(next.0 - last.0), to: &bytes)
            Varint.append(Varint.zigzag(next.1 - last.1), to: &bytes)
            last = next
        }
        return bytes
    }

    /// The points that `bytes` has written; up to the first that is not on Earth.
    static func line(_ bytes: [UInt8]) -> [GeoPoint] {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        let span = bytes.span
        var line: [GeoPoint] = []
        var last: (Int64, Int64) = (0, 0)
        while !cursor.isAtEnd {
            last.0 &+= Varint.unzigzag(cursor.next(in: span))
            last.1 &+= Varint.unzigzag(cursor.next(in: span))
            guard let point = point(last.0, last.1) else { break }
            line.append(point)
        }
        return line
    }

    /// Tags as one text: a JSON list.
    static func text(ofTags tags: [String]) -> String {
        var object = JSONObject()
        object.add("tags", tags)
        return object.text
    }

    static func tags(_ text: String) -> [String] {
        (try? JSONReader.value(Array(text.utf8)))?["tags"]?.elements.compactMap(\.text) ?? []
    }
}

/// Ids that nobody can guess.
enum RandomID {
    /// 128 bits, as 32 hexadecimal digits.
    static func text() -> String {
        HexDigits.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
}
