import Text

/// The fields of points that affect pictures: elevation, waypoints, and accuracy, which decides whether a point
/// is shown at all.
public struct DrawnFields: Sendable {
    /// The number of points.
    public private(set) var count = 0
    private var elevations: [Int64] = []
    private var elevationUnit = 1.0
    private var waypoints: [Int64] = []
    private var accuracies: [Int64] = []
    private var accuracyUnit: Int64 = 1

    /// The value for a point without a recorded elevation.
    public static let noElevation = Int16.min
    /// The fields to decode from chunks.
    public static let wanted = WantedFields.only(names)
    private static let names = [FieldName.elevation, FieldName.horizontalAccuracy, FieldName.waypoint]

    /// The limit of elevations in both directions: `Int16.min` is `noElevation`.
    private static let highest = Double(Int16.max)

    /// Creates an empty list of points.
    public init() {}

    /// Reads the fields of a chunk's points.
    public init(_ chunk: PointColumns) {
        count = chunk.count
        for column in chunk.fields {
            guard Self.names.contains(column.name), let (places, numbers) = column.numbers else { continue }
            if column.name == FieldName.elevation {
                elevations = numbers
                elevationUnit = Double(FixedDecimal.integerPower(places))
            } else if column.name == FieldName.waypoint {
                waypoints = numbers
            } else if column.name == FieldName.horizontalAccuracy {
                accuracies = numbers
                accuracyUnit = FixedDecimal.integerPower(places)
            }
        }
    }

    /// Whether no point has any of these fields.
    public var isEmpty: Bool { elevations.isEmpty && waypoints.isEmpty && accuracies.isEmpty }

    /// The elevation of a point in whole metres, or `noElevation`.
    public func elevation(at index: Int) -> Int16 {
        guard elevations.indices.contains(index), elevations[index] != FieldColumn.absent else {
            return Self.noElevation
        }
        let metres = (Double(elevations[index]) / elevationUnit).rounded()
        return Int16(min(max(metres, -Self.highest), Self.highest))
    }

    /// Whether a point may have an elevation.
    public var hasElevations: Bool { !elevations.isEmpty }

    /// The elevation of a point in metres, as recorded; NaN without one.
    public func exactElevation(at index: Int) -> Double {
        guard elevations.indices.contains(index), elevations[index] != FieldColumn.absent else { return .nan }
        return Double(elevations[index]) / elevationUnit
    }

    /// Whether the point is a waypoint: the user marked it.
    public func isWaypoint(at index: Int) -> Bool {
        waypoints.indices.contains(index) && waypoints[index] != FieldColumn.absent && waypoints[index] != 0
    }

    /// The accuracy of a point in metres, rounded up, so that no point seems better than it is; nil if not recorded,
    /// and for negative values, by which devices say that it is unknown.
    public func accuracy(at index: Int) -> UInt32? {
        guard accuracies.indices.contains(index), accuracies[index] >= 0 else { return nil }
        let metres = accuracies[index] / accuracyUnit + (accuracies[index] % accuracyUnit > 0 ? 1 : 0)
        return UInt32(clamping: metres)
    }

    /// The linearly interpolated elevation between two places; `noElevation` if one of them has none.
    public static func elevation(from start: Int16, to end: Int16, share: Double) -> Int16 {
        guard start != noElevation, end != noElevation else { return noElevation }
        return Int16(Double(start) + ((Double(end) - Double(start)) * share).rounded())
    }
}

/// The drawn fields of the points that an `OutlierDetector` returns: the last chunk given, and the points before it that
/// may be undecided.
public struct ClassifiedFields: Sendable {
    private struct Fields {
        var elevation: Int16
        var exactElevation: Double
        var isWaypoint: Bool
        var accuracy: UInt32?
    }

    private var fields = DrawnFields()
    /// The index in the track of the first point of the chunk.
    private var firstIndex = 0
    /// The fields of the points directly before the chunk.
    private var before: [Fields] = []

    /// Creates the fields of a track that has no point yet.
    public init() {}

    /// Sets the fields of the next chunk of the track.
    public mutating func take(_ next: DrawnFields) {
        guard next.count > 0 else { return }
        firstIndex += fields.count
        before += (max(0, fields.count - OutlierDetector.maximumUndecided)..<fields.count).map {
            Fields(
                elevation: fields.elevation(at: $0), exactElevation: fields.exactElevation(at: $0),
                isWaypoint: fields.isWaypoint(at: $0),
                accuracy: fields.accuracy(at: $0))
        }
        before.removeFirst(max(0, before.count - OutlierDetector.maximumUndecided))
        fields = next
    }

    /// The elevation of a point, by its index in the track.
    public func elevation(at index: Int) -> Int16 {
        index < firstIndex ? earlier(index).elevation : fields.elevation(at: index - firstIndex)
    }

    /// Whether one of the points may have an elevation.
    public var hasElevations: Bool {
        fields.hasElevations || before.contains { $0.elevation != DrawnFields.noElevation }
    }

    /// The elevation of a point in metres, as recorded, by its index in the track; NaN without one.
    public func exactElevation(at index: Int) -> Double {
        index < firstIndex ? earlier(index).exactElevation : fields.exactElevation(at: index - firstIndex)
    }

    /// Whether a point is a waypoint, by its index in the track.
    public func isWaypoint(at index: Int) -> Bool {
        index < firstIndex ? earlier(index).isWaypoint : fields.isWaypoint(at: index - firstIndex)
    }

    /// The accuracy of a point in metres, rounded up, by its index in the track; nil if not recorded.
    public func accuracy(at index: Int) -> UInt32? {
        index < firstIndex ? earlier(index).accuracy : fields.accuracy(at: index - firstIndex)
    }

    private func earlier(_ index: Int) -> Fields { before[before.count - (firstIndex - index)] }
}
