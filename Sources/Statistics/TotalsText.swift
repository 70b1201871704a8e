package import Text
import Tracks

// Totals as JSON and CSV, for HTTP and the command line alike. Lengths are in metres and times in seconds, written with
// all their decimals, so that the sum of the rows is the total.

extension Totals {
    /// Adds the totals as members of an object.
    package func addMembers(to json: inout JSONWriter) {
        json.add("tracks", tracks)
        json.add("metres", millimetres, places: 3)
        json.add("seconds", milliseconds, places: 3)
        json.add("movingSeconds", movingMilliseconds, places: 3)
        json.add("climb", climbCentimetres, places: 2)
        json.add("days", days)
    }
}

extension PeriodTotals {
    /// Adds `{"period":…,"from":…, …}`.
    package func add(to json: inout JSONWriter) {
        json.object { json in
            json.add("period", period.text)
            json.add("from", date: period.firstDay)
            totals.addMembers(to: &json)
        }
    }
}

extension ActivityTotals {
    /// Adds `{"activity":…, …}`.
    package func add(to json: inout JSONWriter) {
        json.object { json in
            json.add("activity", activity?.rawValue)
            totals.addMembers(to: &json)
        }
    }
}

extension Streak {
    /// Adds `{"longest":days,"from":date,"to":date,"current":days}`.
    package func add(to json: inout JSONWriter) {
        json.object { json in
            json.add("longest", longest)
            json.add("from", date: firstDay)
            json.add("to", date: lastDay)
            json.add("current", current)
        }
    }
}

extension EddingtonNumber {
    fileprivate func add(to json: inout JSONWriter) {
        json.object { json in
            json.add("number", number)
            json.add("missing", missing)
        }
    }
}

extension TotalsReport {
    /// The report as a JSON object; `zone` is the library's time zone.
    package func json(zone: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.add("by", length.rawValue)
            json.add("zone", zone)
            json.array("rows", rows) { $1.add(to: &$0) }
            json.object("total") { total.addMembers(to: &$0) }
            json.object("untimed") { untimed.addMembers(to: &$0) }
            json.array("activities", activities) { $1.add(to: &$0) }
            json.key("streak")
            streak.add(to: &json)
            json.object("eddington") { json in
                json.key("km")
                eddington.kilometres.add(to: &json)
                json.key("mi")
                eddington.miles.add(to: &json)
            }
        }
        json.raw("\n")
        return json.bytes
    }

    /// The rows as CSV with a line of headings.
    package var csv: [UInt8] {
        var json = JSONWriter()
        json.raw("period,from,tracks,metres,seconds,moving_seconds,climb,days\n")
        for row in rows {
            let totals = row.totals
            json.raw("\(row.period.text),\(Self.date(row.period.firstDay)),\(totals.tracks),")
            json.add(totals.millimetres, places: 3)
            json.raw(",")
            json.add(totals.milliseconds, places: 3)
            json.raw(",")
            json.add(totals.movingMilliseconds, places: 3)
            json.raw(",")
            json.add(totals.climbCentimetres, places: 2)
            json.raw(",\(totals.days)\n")
        }
        return json.bytes
    }

    private static func date(_ day: Int32) -> String {
        InstantFormatter.text(CivilDay(daysSince1970: day))
    }
}

extension YearReview {
    /// The names of weekdays in answers, Monday first.
    package static let weekdayNames = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// The review as a JSON object; `track` is the public id and name of the longest track.
    package func json(
        zone: String, longestTrack track: (id: String, name: String?)?, _ firsts: YearFirsts
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.add("year", year)
            json.add("zone", zone)
            json.object("total") { total.addMembers(to: &$0) }
            json.array("months", months) { $1.add(to: &$0) }
            json.array("weekdays", weekdays.indices) { json, index in
                json.object { json in
                    json.add("weekday", Self.weekdayNames[index])
                    weekdays[index].addMembers(to: &json)
                }
            }
            json.array("activities", activities) { $1.add(to: &$0) }
            json.key("streak")
            streak.add(to: &json)
            addHighlights(to: &json, track)
            json.add("newTiles", firsts.tiles)
            json.array("newCountries", firsts.countries) { json, country in
                json.object { json in
                    json.add("code", country.code)
                    json.add("name", country.name)
                    json.add("first", date: country.day)
                }
            }
        }
        json.raw("\n")
        return json.bytes
    }

    private func addHighlights(to json: inout JSONWriter, _ track: (id: String, name: String?)?) {
        json.key("biggestDay")
        if let biggestDay {
            json.object { json in
                json.add("date", date: biggestDay.day)
                biggestDay.totals.addMembers(to: &json)
            }
        } else {
            json.raw("null")
        }
        json.key("longestTrack")
        if let longestTrack, let track {
            json.object { json in
                json.add("id", track.id)
                json.add("name", track.name)
                json.add("date", date: longestTrack.firstDay)
                longestTrack.totals.addMembers(to: &json)
            }
        } else {
            json.raw("null")
        }
        json.key("mostActiveMonth")
        if let mostActiveMonth { mostActiveMonth.add(to: &json) } else { json.raw("null") }
        json.add("mostActiveWeekday", mostActiveWeekday.map { Self.weekdayNames[$0 - 1] })
    }
}

extension JSONWriter {
    fileprivate mutating func add(_ name: String, date day: Int32?) {
        add(name, day.map { InstantFormatter.text(CivilDay(daysSince1970: $0)) })
    }
}
