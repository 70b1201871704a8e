package import Countries
import GridStorage
import Places
import PrimaryStore
import Statistics
import Text
import Tracks

/// Which rows of which tracks the ledger of countries has.
package struct CountriesQuery: Sendable, Hashable {
    package var grouping = LedgerGrouping.country
    /// Only what is at or after this instant, in milliseconds since 1970.
    package var from: Int64?
    /// Only what is before this instant.
    package var to: Int64?
    package var tracks = TrackSelection()
    package var view = CountryView.ne
    package var rule = StatusRule()

    /// Creates a query for all tracks, by country.
    package init() {}
}

extension Library {
    /// The ledger of countries of a query, from the derived table of the grid: some 10 ms for some thousand tracks.
    ///
    /// Throws `SelectionError` if layer or person does not exist.
    package func countries(_ query: CountriesQuery) throws -> CountryLedger {
        let calendar = try calendar()
        let isSelected = try selector(query.tracks, calendar)
        var entries: [LedgerEntry] = []
        try grid.read { reader in
            let counted = Dictionary(
                try reader.countedTracks(isSelected).map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
            var last = (number: Int64(-1), row: 0)
            try reader.forEach(LedgerRows.self) { number, row in
                last = number == last.number ? (number, last.row + 1) : (number, 0)
                guard let track = counted[number] else { return }
                var row = row
                if let millimetres = track.millimetres, millimetres.indices.contains(last.row) {
                    row.millimetres = millimetres[last.row]
                }
                entries.append(LedgerEntry(person: track.totals.person, track: number, row: row))
            }
        }
        return CountryLedger(
            entries, from: query.from, to: query.to, by: query.grouping, rule: query.rule,
            countries: CountryList(query.view), calendar: Self.localCalendar(otherwise: calendar))
    }

    /// The calendars of places, that of the library where the zone is not known. A twentieth of a degree has one zone.
    private static func localCalendar(otherwise calendar: DayCalendar) -> LocalCalendar {
        { PlaceZones.shared.calendar(near: $0) ?? calendar }
    }

    /// The intervals of a country as an array of JSON objects.
    package func json(intervalsOf country: Int, in ledger: CountryLedger) throws -> [UInt8] {
        let names = try database.read { try $0.personNames() }
        let intervals = ledger.intervals.filter { $0.country == country }
        var ids: [Int64: String] = [:]
        try database.read { snapshot in
            for number in Set(intervals.flatMap(\.tracks)) { ids[number] = try snapshot.track(number: number)?.id }
        }
        var json = JSONWriter()
        json.array(intervals) { json, interval in
            json.object { json in
                json.add("person", (names[interval.person] ?? nil) ?? "")
                json.add("region", interval.region.flatMap { Gazetteer.embedded.regionName($0) })
                json.add("enter", interval.time.map { InstantFormatter.utc($0.lowerBound) })
                json.add("leave", interval.time.map { InstantFormatter.utc($0.upperBound) })
                json.add("status", interval.status.rawValue)
                json.add("metres", interval.millimetres, places: 3)
                json.array("tracks", interval.tracks.compactMap { ids[$0] }) { $0.add($1) }
            }
        }
        json.raw("\n")
        return json.bytes
    }
}

extension CountryLedger {
    /// The countries or regions as a JSON object.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.add("by", grouping.rawValue)
            json.add("view", countries.view.rawValue)
            json.array("countries", lines) { json, line in
                json.object { json in
                    json.add("code", countries.code(of: line.country))
                    json.add("name", countries.name(of: line.country))
                    if grouping == .region {
                        json.add("region", line.region.flatMap { Gazetteer.embedded.regionName($0) })
                    }
                    json.add("status", line.status.rawValue)
                    json.add("first", line.dates.map { InstantFormatter.text(CivilDay(daysSince1970: $0.lowerBound)) })
                    json.add("last", line.dates.map { InstantFormatter.text(CivilDay(daysSince1970: $0.upperBound)) })
                    json.add("days", line.days)
                    json.add("nights", line.nights)
                    json.add("metres", line.millimetres, places: 3)
                }
            }
            for (name, millimetres) in [("sea", seaMillimetres), ("unknown", unknownMillimetres)] {
                json.object(name) { json in
                    json.add("metres", millimetres, places: 3)
                }
            }
            if grouping == .region {
                json.add("source", Gazetteer.source)
            }
        }
        json.raw("\n")
        return json.bytes
    }
}
