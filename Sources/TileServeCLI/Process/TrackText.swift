import PrimaryStore
import Text
import TrackService
import Tracks

extension TrackEntry {
    /// All details as a JSON object.
    var fullJSON: JSONObject {
        var object = json
        object.add("untimed", track.untimed)
        object.add("marks", counts: track.outliers.map { ($0.key.rawValue, $0.value) })
        object.add("gap", track.gap.text)
        object.add("stream", track.isStream)
        object.add("digest", "\(track.digest)")
        object.add("notes", texts: track.attributes)
        return object
    }

    /// All details, line by line.
    func lines(_ calendar: DayCalendar) -> [String] { track.lines(calendar, sameTimeAs: sameTimeAs ?? []) }
}

extension Track {
    /// The activity, with the word of the file if that is another one.
    private var activityText: String? {
        guard let activity else { return nil }
        let recorded = activityRecorded.flatMap { $0 == activity.rawValue ? nil : " (recorded as \($0))" }
        return activity.rawValue + (recorded ?? "")
    }

    fileprivate func lines(_ calendar: DayCalendar, sameTimeAs others: [String]) -> [String] {
        var rows: [(name: String, text: String?)] = [
            ("id", id), ("name", name), ("source", source), ("person", personName), ("device", device),
            ("activity", activityText), ("tags", tags.isEmpty ? nil : tags.joined(separator: ", ")),
            ("start", start.map { TextTable.instant($0, calendar) }),
            ("end", end.map { TextTable.instant($0, calendar) }),
            ("duration", start == nil ? nil : NumberText.duration(seconds)), ("distance", NumberText.metres(metres)),
            ("points", DisplayText.count(points)), ("without time", untimed > 0 ? DisplayText.count(untimed) : nil),
        ]
        for (outlierReason, count) in outliers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where count > 0 {
            rows.append(("outliers", "\(DisplayText.count(count, "point")) \(outlierReason.rawValue)"))
        }
        rows += [
            ("box", bounds.map { $0.degrees.map { "\($0)" }.joined(separator: ",") }),
            ("at the same time as", others.isEmpty ? nil : others.joined(separator: ", ")), ("gaps", gap.text),
            ("kind", isStream ? "section of a device's stream" : "recording of a file"), ("digest", "\(digest)"),
        ]
        rows += attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return TextTable.details(rows)
    }
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
    static let columns = ListColumns(columns: [
        .init(title: "ID", width: 12), .init(title: "START", width: 16),
        .init(title: "DURATION", width: 10, isNumber: true), .init(title: "DISTANCE", width: 9, isNumber: true),
        .init(title: "POINTS", width: 9, isNumber: true), .init(title: "ACTIVITY", width: 12, isClipped: true),
        .init(title: "NAME"),
    ])
    let calendar: DayCalendar

    /// The line of a track.
    func line(_ track: Track) -> String {
        let owner = track.personName.map { " (\($0))" } ?? ""
        return Self.columns.line([
            track.id, track.start.map { InstantFormatter.local($0, calendar) } ?? "-",
            track.start == nil ? "-" : NumberText.duration(track.seconds), NumberText.metres(track.metres),
            DisplayText.count(track.points), track.activity?.rawValue ?? "-", (track.name ?? track.source) + owner,
        ])
    }
}
