package import Text
import Tracks

// Totals as JSON and CSV, for HTTP and the command line alike. Lengths are in metres and times in seconds, written with
// all their decimals, so that the sum of the rows is the total.

extension Totals {
    /// Adds the totals as members of an object.
    package func addMembers(to json: inout JSONWriter) {
        json.key("tracks")
        json.add(tracks)
        json.key("metres")
        json.add(millimetres, places: 3)
        json.key("seconds")
        json.add(milliseconds, places: 3)
        json.key("movingSeconds")
        json.add(movingMilliseconds, places: 3)
        json.key("climb")
        json.add(climbCentimetres, places: 2)
        json.key("days")
        json.add(days)
    }
}

extension PeriodTotals {
    /// Adds `{"period":…,"from":…, …}`.
    package func add(to json: inout JSONWriter) {
        json.object { json in
            json.key("period")
            json.add(period.text)
            json.key("from")
            json.add(date: period.firstDay)
            totals.addMembers(to: &json)
        }
    }
}

extension ActivityTotals {
    /// Adds `{"activity":…, …}`.
    package func add(to json: inout JSONWriter) {
        json.object { json in
            json.key("activity")
            json.add(activity?.rawValue)
            totals.addMembers(to: &json)
        }
    }
}

extension Streak {
    /// Adds `{"longest":days,"from":date,"to":date,"current":days}`.
    package func add(to json: inout JSONWriter) {
        json.object { json in
            json.key("longest")
            json.add(longest)
            json.key("from")
            json.add(date: firstDay)
            json.key("to")
            json.add(date: lastDay)
            json.key("current")
            json.add(current)
        }
    }
}

extension EddingtonNumber {
    fileprivate func add(to json: inout JSONWriter) {
        json.object { json in
            json.key("number")
            json.add(number)
            json.key("missing")
            json.add(missing)
        }
    }
}

extension TotalsReport {
    /// The report as a JSON object; `zone` is the library's time zone.
    package func json(zone: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("by")
            json.add(length.rawValue)
            json.key("zone")
            json.add(zone)
            json.key("rows")
            json.array(rows) { $1.add(to: &$0) }
            json.key("total")
            json.object { total.addMembers(to: &$0) }
            json.key("untimed")
            json.object { untimed.addMembers(to: &$0) }
            json.key("activities")
            json.array(activities) { $1.add(to: &$0) }
            json.key("streak")
            streak.add(to: &json)
            json.key("eddington")
            json.object { json in
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
            json.key("year")
            json.add(year)
            json.key("zone")
            json.add(zone)
            json.key("total")
            json.object { total.addMembers(to: &$0) }
            json.key("months")
            json.array(months) { $1.add(to: &$0) }
            json.key("weekdays")
            json.array(weekdays.indices) { json, index in
                json.object { json in
                    json.key("weekday")
                    json.add(Self.weekdayNames[index])
                    weekdays[index].addMembers(to: &json)
                }
            }
            json.key("activities")
            json.array(activities) { $1.add(to: &$0) }
            json.key("streak")
            streak.add(to: &json)
            addHighlights(to: &json, track)
            json.key("newTiles")
            json.add(firsts.tiles)
            json.key("newCountries")
            json.array(firsts.countries) { json, country in
                json.object { json in
                    json.key("code")
                    json.add(country.code)
                    json.key("name")
                    json.add(country.name)
                    json.key("first")
                    json.add(date: country.day)
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
                json.key("date")
                json.add(date: biggestDay.day)
                biggestDay.totals.addMembers(to: &json)
            }
        } else {
            json.raw("null")
        }
        json.key("longestTrack")
        if let longestTrack, let track {
            json.object { json in
                json.key("id")
                json.add(track.id)
                json.key("name")
                json.add(track.name)
                json.key("date")
                json.add(date: longestTrack.firstDay)
                longestTrack.totals.addMembers(to: &json)
            }
        } else {
            json.raw("null")
        }
        json.key("mostActiveMonth")
        if let mostActiveMonth { mostActiveMonth.add(to: &json) } else { json.raw("null") }
        json.key("mostActiveWeekday")
        json.add(mostActiveWeekday.map { Self.weekdayNames[$0 - 1] })
    }
}

extension JSONWriter {
    fileprivate mutating func add(date day: Int32?) {
        add(day.map { InstantFormatter.text(CivilDay(daysSince1970: $0)) })
    }
}
