import Pins
import Text
import Tracks

extension Pin {
    static let heading = row(["ID", "TIME", "PLACE", "CATEGORY", "SOURCE", "CAPTION"])

    func line(_ calendar: DayCalendar) -> String {
        let owner = person.map { " (\($0))" } ?? ""
        return Self.row([
            id.description, time.map { InstantFormatter.local($0, calendar) } ?? "-", placeText,
            category?.singleLine.clipped(to: 12) ?? "-", source.rawValue, (caption ?? "-").singleLine + owner,
        ])
    }

    private var placeText: String { "\(place.degrees.longitude),\(place.degrees.latitude)" }

    private static func row(_ cells: [String]) -> String {
        [
            cells[0].padded(to: 32), cells[1].padded(to: 16), cells[2].padded(to: 22), cells[3].padded(to: 12),
            cells[4].padded(to: 8), cells[5],
        ].joined(separator: "  ")
    }

    /// All details, line by line.
    func lines(_ calendar: DayCalendar) -> [String] {
        var rows: [(name: String, text: String)] = [("id", id.description), ("place", placeText)]
        func add(_ name: String, _ text: String?) {
            if let text { rows.append((name, text.singleLine)) }
        }
        func instant(_ time: Int64) -> String {
            "\(InstantFormatter.utc(time)) (\(InstantFormatter.local(time, calendar)) \(calendar.zone))"
        }
        add("time", time.map(instant))
        add("person", person)
        add("category", category)
        add("caption", caption)
        add("source", source.rawValue)
        add("located", located.rawValue)
        add("visibility", visibility.rawValue)
        add("expires", expires.map(instant))
        add("stored", instant(created))
        for (name, text) in attributes.sorted(by: { $0.key < $1.key }) { add("\(name) (file)", text) }
        return TextTable.details(rows)
    }
}
