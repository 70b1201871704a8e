import EditionService
import Editions
import PrimaryStore
import Text
import TrackQuery
import TrackStore
import Tracks

extension EditionRule {
    /// What is published, for people.
    var sentence: String {
        var parts = [condition.map { "tracks where \($0.text)" } ?? "all tracks"]
        if let tracks { parts = [DisplayText.count(tracks.count, "track")] }
        if let from { parts.append("from \(InstantFormatter.text(from))") }
        if let to { parts.append("to \(InstantFormatter.text(to))") }
        if persons > 1 { parts.append("only where \(persons) persons were in a month") }
        parts.append(
            isLive
                ? "while they are recorded"
                : delayDays == 0 ? "at once" : "after \(DisplayText.count(delayDays, "day"))")
        parts.append(zones.isEmpty ? "no place hidden" : "\(DisplayText.count(zones.count, "place")) hidden")
        if let until { parts.append("until \(InstantFormatter.text(until))") }
        return parts.joined(separator: ", ")
    }
}

/// An edition with what it contains, for `list` and `show`.
struct EditionDescription {
    let edition: Edition
    /// The numbers of its tracks and points; nil if it was not made yet.
    let totals: (tracks: Int, points: Int)?

    init(_ edition: Edition, of library: Library) throws {
        self.edition = edition
        totals =
            library.hasLibrary(edition) ? try library.library(of: edition).database.totals() : nil
    }

    /// The edition as a JSON object.
    var json: JSONObject {
        let rule = edition.rule
        var object = JSONObject()
        object.add("name", edition.name)
        object.add("where", rule.condition?.text)
        object.add("zones", objects: rule.zones.map(\.json))
        object.add("k", rule.persons)
        object.add(timesOf: rule)
        object.add("names", rule.keepsNames)
        object.add("created", InstantFormatter.utc(edition.time))
        if let totals {
            object.add("tracks", totals.tracks)
            object.add("points", totals.points)
        }
        return object
    }

    /// The details, line by line.
    func lines(_ calendar: DayCalendar) -> [String] {
        let rule = edition.rule
        return TextTable.details(
            [
                ("name", edition.name), ("publishes", rule.sentence),
                ("names of tracks", rule.keepsNames ? "kept" : "removed"),
                ("added", TextTable.instant(edition.time, calendar)),
                ("content", content),
            ] + rule.zones.map { ("zone", $0.sentence) })
    }

    /// How much it contains.
    var content: String {
        guard let totals else { return "made when it is first looked at" }
        return "\(DisplayText.count(totals.tracks, "track")), \(DisplayText.count(totals.points, "point"))"
    }
}

extension PrivacyZone {
    /// The place and the radius; the centre is told to nobody, because who knows it knows most about the place.
    var sentence: String {
        "\(Double(longitude) / 1e7),\(Double(latitude) / 1e7), radius \(radiusMetres) m"
    }

    var json: JSONObject {
        var object = JSONObject()
        object.add("lon", number: Double(longitude) / 1e7)
        object.add("lat", number: Double(latitude) / 1e7)
        object.add("radiusMetres", radiusMetres)
        return object
    }
}
