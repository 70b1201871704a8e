import PrimaryStore
import Text
import TrackImport
import Tracks

extension Track {
    /// The members of a track in lists.
    var json: JSONObject {
        var object = JSONObject()
        object.add("id", id)
        object.add("name", name)
        object.add("source", source)
        object.add("person", personName)
        object.add("device", device)
        object.add("activity", activity?.rawValue)
        object.add("activityRecorded", activityRecorded)
        object.add("tags", tags)
        object.add("start", start.map(InstantFormatter.utc))
        object.add("end", end.map(InstantFormatter.utc))
        object.add("points", points)
        // No receiver is more accurate than a decimetre.
        object.add("metres", number: (metres * 10).rounded() / 10)
        object.add("seconds", number: seconds)
        object.add("bbox", numbers: bounds?.degrees)
        return object
    }

    /// All details as a JSON object; `others` are the ids of tracks at the same time.
    func fullJSON(sameTimeAs others: [String]) -> JSONObject {
        var object = json
        object.add("untimed", untimed)
        object.add("marks", counts: outliers.map { ($0.key.rawValue, $0.value) })
        object.add("gap", gap.text)
        object.add("stream", isStream)
        object.add("sameTimeAs", others)
        object.add("digest", "\(digest)")
        object.add("notes", texts: attributes)
        return object
    }

    /// The activity, with the word of the file if that is another one.
    private var activityText: String? {
        guard let activity else { return nil }
        let recorded = activityRecorded.flatMap { $0 == activity.rawValue ? nil : " (recorded as \($0))" }
        return activity.rawValue + (recorded ?? "")
    }

    /// All details, line by line.
    func lines(_ calendar: DayCalendar, sameTimeAs others: [String]) -> [String] {
        var rows: [(name: String, text: String)] = [("id", id)]
        func add(_ name: String, _ text: String?) {
            if let text { rows.append((name, text.singleLine)) }
        }
        add("name", name)
        add("source", source)
        add("person", personName)
        add("device", device)
        add("activity", activityText)
        if !tags.isEmpty { add("tags", tags.joined(separator: ", ")) }
        add(
            "start",
            start.map { "\(InstantFormatter.utc($0)) (\(InstantFormatter.local($0, calendar)) \(calendar.zone))" })
        add("end", end.map { "\(InstantFormatter.utc($0)) (\(InstantFormatter.local($0, calendar)) \(calendar.zone))" })
        if start != nil { add("duration", NumberText.duration(seconds)) }
        add("distance", NumberText.metres(metres))
        add("points", DisplayText.count(points))
        if untimed > 0 { add("without time", DisplayText.count(untimed)) }
        for (outlierReason, count) in outliers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where count > 0 {
            add("outliers", "\(DisplayText.count(count, "point")) \(outlierReason.rawValue)")
        }
        add("box", bounds.map { $0.degrees.map { "\($0)" }.joined(separator: ",") })
        if !others.isEmpty { add("at the same time as", others.joined(separator: ", ")) }
        add("gaps", gap.text)
        add("kind", isStream ? "section of a device's stream" : "recording of a file")
        add("digest", "\(digest)")
        for (name, text) in attributes.sorted(by: { $0.key < $1.key }) { add(name.singleLine, text) }
        return TextTable.details(rows)
    }
}

extension E7Bounds {
    /// West, south, east, north.
    var degrees: [Double] { [west, south, east, north].map { Double($0) / 1e7 } }
}

extension GapRule {
    /// The rule in the syntax of `import --gap`; `standard` for the default.
    var text: String {
        switch self {
        case .standard: "standard"
        case .none: "none"
        case .pause(let milliseconds):
            milliseconds % 60_000 == 0 ? "\(milliseconds / 60_000)m" : "\(milliseconds)ms"
        }
    }
}

extension String {
    /// The text with spaces in place of control characters and line breaks.
    var singleLine: String { DisplayText.singleLine(self) }

    /// Pads with spaces at the end to at least `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// Pads with spaces at the beginning to at least `width` characters.
    func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    /// Cuts to at most `width` characters; the last is … if something was cut.
    func clipped(to width: Int) -> String {
        DisplayText.clipped(self, to: width)
    }
}

/// The list of tracks as a table.
struct TrackListing {
    private static let headings = ["ID", "START", "DURATION", "DISTANCE", "POINTS", "ACTIVITY", "NAME"]
    private let calendar: DayCalendar

    init(_ calendar: DayCalendar) {
        self.calendar = calendar
    }

    /// The line of headings.
    var heading: String { Self.row(Self.headings) }

    /// The line of a track.
    func line(_ track: Track) -> String {
        let owner = track.personName.map { " (\($0))" } ?? ""
        return Self.row([
            track.id, track.start.map { InstantFormatter.local($0, calendar) } ?? "-",
            track.start == nil ? "-" : NumberText.duration(track.seconds), NumberText.metres(track.metres),
            DisplayText.count(track.points), track.activity?.rawValue ?? "-", (track.name ?? track.source) + owner,
        ])
    }

    private static func row(_ cells: [String]) -> String {
        [
            cells[0].padded(to: 12), cells[1].padded(to: 16), cells[2].leftPadded(to: 10), cells[3].leftPadded(to: 9),
            cells[4].leftPadded(to: 9), cells[5].singleLine.clipped(to: 12).padded(to: 12), cells[6].singleLine,
        ].joined(separator: "  ")
    }
}
