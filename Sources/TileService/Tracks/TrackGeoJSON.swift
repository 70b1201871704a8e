import Foundation
import Tracks

/// A track as a Feature of GeoJSON (RFC 7946): a line for each segment of the file, all points as they were recorded, with
/// their times in `coordinateProperties`, where other programs look for them.
struct TrackGeoJSON {
    private var lines: [UInt8] = []
    private var times: [UInt8] = []
    private var last: (position: [UInt8], time: [UInt8])?
    /// Positions of the line under way.
    private var count = 0

    /// Longer tracks are not given in one piece: some 100 MB.
    static let mostPoints = 2_000_000

    private static let comma = UInt8(ascii: ",")
    private static let null = Array("null".utf8)

    /// Adds the track's next points.
    mutating func add(_ chunk: PointChunk) {
        let elevations = chunk.fields.first { $0.name == FieldName.elevation }
        let starts = Set(chunk.segmentStarts)
        for index in 0..<chunk.count {
            if starts.contains(index) || last == nil { beginLine() }
            let position = Self.position(chunk, index, elevations)
            let time = chunk.times[index]
            append(position, time == Instant.none ? Self.null : Array("\"\(InstantTexts.utc(time))\"".utf8))
        }
    }

    /// The whole Feature; `properties` is an object of JSON with at least one member.
    mutating func finish(properties: [UInt8], bounds: E7Bounds?) -> [UInt8] {
        endLine()
        var json = Array("{\"type\":\"Feature\",".utf8)
        if let bounds {
            let edges = [bounds.west, bounds.south, bounds.east, bounds.north].map {
                FixedDecimal(mantissa: Int64($0), places: 7).description
            }
            json += Array("\"bbox\":[\(edges.joined(separator: ","))],".utf8)
        }
        json += Array("\"properties\":".utf8) + properties.dropLast()
        json += Array(",\"coordinateProperties\":{\"times\":[".utf8) + times
        json += Array("]}},\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":[".utf8) + lines
        json += Array("]}}\n".utf8)
        return json
    }

    private mutating func beginLine() {
        endLine()
        if !lines.isEmpty {
            lines.append(Self.comma)
            times.append(Self.comma)
        }
        lines.append(UInt8(ascii: "["))
        times.append(UInt8(ascii: "["))
        count = 0
    }

    private mutating func endLine() {
        guard let last else { return }
        // A line has two positions at least.
        if count == 1 { append(last.position, last.time) }
        lines.append(UInt8(ascii: "]"))
        times.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ position: [UInt8], _ time: [UInt8]) {
        if count > 0 {
            lines.append(Self.comma)
            times.append(Self.comma)
        }
        lines += position
        times += time
        last = (position, time)
        count += 1
    }

    private static func position(_ chunk: PointChunk, _ index: Int, _ elevations: FieldColumn?) -> [UInt8] {
        var text = "[\(degrees(chunk.longitudes[index], chunk.unit)),\(degrees(chunk.latitudes[index], chunk.unit))"
        if case .numbers(let places, let numbers)? = elevations?.values, numbers[index] != FieldColumn.absent {
            text += ",\(FixedDecimal(mantissa: numbers[index], places: places))"
        }
        return Array((text + "]").utf8)
    }

    /// Exact, save for semicircles, which are to the nearest 1e-9°.
    private static func degrees(_ coordinate: Int64, _ unit: CoordinateUnit) -> String {
        switch unit {
        case .decimal(let places): FixedDecimal(mantissa: coordinate, places: places).description
        case .semicircles: FixedDecimal(mantissa: unit.nanodegrees(coordinate), places: 9).description
        }
    }
}
