import PrimaryStore
import Text
import TrackStore
import Tracks

extension RetentionRule {
    /// What the rule does, for people.
    var sentence: String {
        let age = "older than \(DisplayText.count(days, "day"))"
        guard let thinning else { return "\(selection.sentence): points \(age) are removed" }
        return "\(selection.sentence): of points \(age), one is kept every \(thinning / 1000) s"
    }
}

extension RetentionRule.Selection {
    fileprivate var sentence: String {
        switch self {
        case .layer(LayerDefinition.everything): "all tracks"
        case .person(""): "tracks of the owner"
        case .device, .person, .layer: "\(kind) '\(name.singleLine)'"
        }
    }
}

extension StoredRetentionRule {
    /// The rule as a JSON object; times are instants in UTC.
    var json: JSONObject {
        var object = JSONObject()
        object.add("rule", Int(number))
        object.add(rule.selection.kind, rule.selection.name)
        object.add("days", rule.days)
        object.add("thinSeconds", number: rule.thinning.map { Double($0) / 1000 })
        object.add("added", InstantFormatter.utc(added))
        object.add("lastRun", lastRun.map { InstantFormatter.utc($0.time) })
        object.add("points", points)
        return object
    }
}

extension RetentionReceipt {
    /// What was removed; with `isDry`, what would be.
    func line(_ calendar: DayCalendar, isDry: Bool = false) -> String {
        let day = InstantFormatter.text(CivilDay(daysSince1970: calendar.day(of: cutoff)))
        let subject = rule.number == 0 ? "" : "rule \(rule.number): "
        let selection = "\(rule.rule.selection.sentence) before \(day)"
        guard points > 0 else { return "\(subject)nothing of \(selection) \(isDry ? "would be" : "was") removed" }
        let gone = removedTracks == 0 ? "" : ", \(DisplayText.count(removedTracks, "track")) as a whole"
        return
            "\(subject)\(DisplayText.count(points, "point")) of \(selection) \(isDry ? "would be" : "were") removed"
            + " (\(DisplayText.count(tracks, "track"))\(gone))"
    }

    /// The same as a JSON object.
    func json(_ calendar: DayCalendar, isDry: Bool) -> JSONObject {
        var object = JSONObject()
        if rule.number != 0 { object.add("rule", Int(rule.number)) }
        object.add(rule.rule.selection.kind, rule.rule.selection.name)
        object.add("before", InstantFormatter.utc(cutoff))
        object.add("tracks", tracks)
        object.add("removedTracks", removedTracks)
        object.add("points", points)
        object.add("dryRun", isDry)
        return object
    }
}

extension RetentionOutcome {
    /// One line for each rule that has removed something.
    func lines(_ calendar: DayCalendar) -> [String] {
        receipts.filter { $0.points > 0 }.map { $0.line(calendar) }
    }
}
