import Pins
import Text
import Tracks

extension Pin {
    static let columns = ListColumns(columns: [
        .init(title: "ID", width: 32), .init(title: "TIME", width: 16), .init(title: "PLACE", width: 22),
        .init(title: "CATEGORY", width: 12, isClipped: true), .init(title: "SOURCE", width: 8), .init(title: "CAPTION"),
    ])

    func line(_ calendar: DayCalendar) -> String {
        let owner = person.map { " (\($0))" } ?? ""
        return Self.columns.line([
            id.description, time.map { InstantFormatter.local($0, calendar) } ?? "-", placeText,
            category ?? "-", source.rawValue, (caption ?? "-") + owner,
        ])
    }

    private var placeText: String { "\(place.degrees.longitude),\(place.degrees.latitude)" }

    /// All details, line by line.
    func lines(_ calendar: DayCalendar) -> [String] {
        let instants = [time, expires, created].map { $0.map { TextTable.instant($0, calendar) } }
        let attributes = attributes.sorted { $0.key < $1.key }.map { ("\($0.key) (file)", Optional($0.value)) }
        return TextTable.details(
            [
                ("id", id.description), ("place", placeText), ("time", instants[0]), ("person", person),
                ("category", category), ("caption", caption), ("source", source.rawValue),
                ("located", located.rawValue), ("visibility", visibility.rawValue), ("expires", instants[1]),
                ("stored", instants[2]),
            ] + attributes)
    }
}
