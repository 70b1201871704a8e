package import Pins
package import Tracks

/// The waypoints of a track whose content a reader may not have: names and notes stand in the track's points, too.
extension TrackSnapshot {
    /// A chunk of a track without what the points say about pins that `admits` refuses: texts, names that are numbers, and
    /// the mark of hidden ones. Unchanged if it has no such waypoint.
    package func withoutContent(
        _ chunk: PointColumns, of track: Track, admits: (Pin) -> Bool
    ) throws -> PointColumns {
        var result = chunk
        for index in chunk.waypointIndices {
            // The id is that of what was recorded, whatever was edited since.
            guard let id = Self.pin(chunk, index, person: track.personName)?.id, let pin = try pin(id), !admits(pin)
            else { continue }
            for column in result.fields.indices {
                let field = result.fields[column].name
                let isContent = Self.contentFields.contains(field) || pin.isHidden && field == FieldName.waypoint
                result.fields[column].values.erase(at: index, numbers: isContent)
            }
        }
        return result
    }

    /// Fields that are content even if they are numbers.
    private static let contentFields: Set<String> = [
        FieldName.pointName, FieldName.address, "cmt", "desc", "sym", "type",
    ]
}

extension FieldColumn.Values {
    /// Removes the value of a point if it is a text or, with `numbers`, a number.
    fileprivate mutating func erase(at index: Int, numbers erasesNumbers: Bool) {
        switch self {
        case .texts(var texts):
            self = .texts([])
            texts[index] = nil
            self = .texts(texts)
        case .numbers(let places, var numbers):
            guard erasesNumbers else { return }
            self = .texts([])
            numbers[index] = FieldColumn.absent
            self = .numbers(places: places, numbers)
        }
    }
}
