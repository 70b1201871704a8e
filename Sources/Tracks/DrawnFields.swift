/// What pictures show of points beside their times and places: how high they are, whether somebody marked them, and how
/// exact they are, which says whether they are shown at all.
public struct DrawnFields: Sendable {
    /// How many points there are.
    public private(set) var count = 0
    private var elevations: [Int64] = []
    private var elevationUnit = 1.0
    private var marks: [Int64] = []
    private var accuracies: [Int64] = []
    private var accuracyUnit: Int64 = 1

    /// Stands where no elevation was recorded.
    public static let noElevation = Int16.min
    /// The fields that chunks have to be read with.
    public static let wanted = WantedFields.only([FieldName.elevation, FieldName.horizontalAccuracy, FieldName.mark])

    private static let highest = Double(Int16.max)

    /// Of no point.
    public init() {}

    /// Those of a chunk's points.
    public init(_ chunk: PointChunk) {
        count = chunk.count
        for column in chunk.fields {
            guard case .numbers(let places, let numbers) = column.values else { continue }
            if column.name == FieldName.elevation {
                elevations = numbers
                elevationUnit = Double(FixedDecimal.integerPower(places))
            } else if column.name == FieldName.mark {
                marks = numbers
            } else if column.name == FieldName.horizontalAccuracy {
                accuracies = numbers
                accuracyUnit = FixedDecimal.integerPower(places)
            }
        }
    }

    /// Whether no point has any.
    public var isEmpty: Bool { elevations.isEmpty && marks.isEmpty && accuracies.isEmpty }

    /// A point's elevation in whole metres; `noElevation` where it has none.
    public func elevation(at index: Int) -> Int16 {
        guard elevations.indices.contains(index), elevations[index] != FieldColumn.absent else {
            return Self.noElevation
        }
        let metres = (Double(elevations[index]) / elevationUnit).rounded()
        return Int16(min(max(metres, -Self.highest), Self.highest))
    }

    /// Whether a point was marked by hand.
    public func isMarked(at index: Int) -> Bool {
        marks.indices.contains(index) && marks[index] != FieldColumn.absent && marks[index] != 0
    }

    /// How far off a point may be, in metres rounded up; nil where it does not say.
    public func accuracy(at index: Int) -> UInt32? {
        guard accuracies.indices.contains(index), accuracies[index] >= 0 else { return nil }
        let metres = accuracies[index] / accuracyUnit + (accuracies[index] % accuracyUnit > 0 ? 1 : 0)
        return UInt32(clamping: metres)
    }

    /// The elevation a share of the way from one place to another; none where one of them has none.
    public static func elevation(from start: Int16, to end: Int16, share: Double) -> Int16 {
        guard start != noElevation, end != noElevation else { return noElevation }
        return Int16(Double(start) + ((Double(end) - Double(start)) * share).rounded())
    }
}

/// The drawn fields of points that a `OutlierDetector` decides: those of the chunk it was given last, and of the point before.
public struct CleanedFields: Sendable {
    private var fields = DrawnFields()
    /// The index of the chunk's first point in the track.
    private var firstIndex = 0
    private var elevationBefore = DrawnFields.noElevation
    private var markedBefore = false

    /// Of a track that has no point yet.
    public init() {}

    /// Takes the fields of the track's next chunk.
    public mutating func take(_ next: DrawnFields) {
        guard next.count > 0 else { return }
        firstIndex += fields.count
        elevationBefore = fields.elevation(at: fields.count - 1)
        markedBefore = fields.isMarked(at: fields.count - 1)
        fields = next
    }

    /// The elevation of a point, by its index in the track.
    public func elevation(at index: Int) -> Int16 {
        index < firstIndex ? elevationBefore : fields.elevation(at: index - firstIndex)
    }

    /// Whether a point, by its index in the track, was marked by hand.
    public func isMarked(at index: Int) -> Bool {
        index < firstIndex ? markedBefore : fields.isMarked(at: index - firstIndex)
    }
}
