import Text
import Tracks

/// The locations of an exercise in an export of Samsung Health (`….location_data.json`).
///
/// Each file is a recording. Its sport is in the table of exercises (`SamsungExercises`). Heart rates are in other files,
/// which are not read.
struct SamsungLocations: PositionListFormat {
    static let lists: Set<String> = []

    static func recognises(_ names: [String]) -> Bool {
        Set(["start_time", "latitude", "longitude"]).isSubset(of: names.prefix(6))
    }

    func entry(_ object: JSONValue) -> ListedEntry {
        .position(
            ListedPosition(
                longitude: object["longitude"], latitude: object["latitude"], time: object["start_time"],
                fields: object.fields(Self.fields)))
    }

    private static let fields = [
        (member: "altitude", field: FieldName.elevation), ("accuracy", FieldName.horizontalAccuracy),
    ]
}
