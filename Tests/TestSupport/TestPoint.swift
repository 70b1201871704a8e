public import TileLog
public import Tracks

/// A point of a recording, with the few fields that most tests need.
public struct TestPoint: Hashable, Sendable {
    /// In 1e-7°.
    public var longitude: Int64
    /// In 1e-7°.
    public var latitude: Int64
    /// In milliseconds since 1970; nil for a point without a time.
    public var time: Int64?
    /// In decimetres.
    public var elevation: Int64?
    public var isWaypoint: Bool
    public var beginsSegment: Bool

    public init(
        longitude: Int64, latitude: Int64, time: Int64?, elevation: Int64? = nil, isWaypoint: Bool = false,
        beginsSegment: Bool = false
    ) {
        self.longitude = longitude
        self.latitude = latitude
        self.time = time
        self.elevation = elevation
        self.isWaypoint = isWaypoint
        self.beginsSegment = beginsSegment
    }
}

extension [TestPoint] {
    /// The points in chunks of `size`. The first point begins a segment. A field that no point has is left out.
    public func chunks(of size: Int = PointChunk.capacity) -> [PointColumns] {
        stride(from: 0, to: count, by: size).map { start in
            let points = self[start..<Swift.min(start + size, count)]
            return PointColumns(
                unit: .decimal(places: 7), longitudes: points.map(\.longitude), latitudes: points.map(\.latitude),
                times: points.map { $0.time ?? PointColumns.untimed },
                segmentStarts: points.indices.filter { $0 == 0 || points[$0].beginsSegment }.map { $0 - start },
                fields: fields.filter { field in points.contains { $0[keyPath: field.value] != nil } }.map { field in
                    let numbers = points.map { $0[keyPath: field.value] ?? FieldColumn.absent }
                    return FieldColumn(name: field.name, values: .numbers(places: field.places, numbers))
                })
        }
    }

    private var fields: [(name: String, places: UInt8, value: KeyPath<TestPoint, Int64?>)] {
        [(FieldName.elevation, 1, \.elevation), (FieldName.waypoint, 0, \.waypoint)]
    }
}

extension TestPoint {
    /// The value of the field `FieldName.waypoint`.
    fileprivate var waypoint: Int64? { isWaypoint ? 1 : nil }
}

/// A place in degrees and an instant in milliseconds since 1970; nil for a point without a time.
public typealias PlaceInTime = (lon: Double, lat: Double, time: Int64?)

extension PointColumns {
    /// The points in one segment, with elevations in metres if there are any.
    public static func degrees(_ points: [PlaceInTime], elevations: [Double?] = []) -> PointColumns {
        var chunk = PointColumns(
            unit: .decimal(places: 7), longitudes: points.map { Int64(($0.lon * 1e7).rounded()) },
            latitudes: points.map { Int64(($0.lat * 1e7).rounded()) },
            times: points.map { $0.time ?? PointColumns.untimed }, segmentStarts: [0])
        if !elevations.isEmpty {
            let numbers = elevations.map { $0.map { Int64(($0 * 10).rounded()) } ?? FieldColumn.absent }
            chunk.fields = [FieldColumn(name: FieldName.elevation, values: .numbers(places: 1, numbers))]
        }
        return chunk
    }
}

extension [PointColumns] {
    /// The steps of a file's recording, by day.
    public func daySteps(zone: String = "UTC", gap: GapRule = .none) -> [DayStep] {
        guard let calendar = DayCalendar(zone: zone) else { preconditionFailure("no time zone \(zone)") }
        var splitter = DaySplitter(
            calendar: calendar,
            detector: OutlierDetector(gap: gap, kind: .file(longSegments: []), outlierRule: .standard))
        var steps: [DayStep] = []
        for chunk in self { splitter.add(chunk, into: &steps) }
        splitter.finish(into: &steps)
        return steps
    }
}
