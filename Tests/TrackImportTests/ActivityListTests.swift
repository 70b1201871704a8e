import Testing
import TrackImport
import Tracks

private func ride(_ second: Int) -> String {
    "<gpx><trk><name>gpx</name><trkseg><trkpt lat='1' lon='2'><time>2024-05-01T10:00:0\(second)Z</time></trkpt></trkseg></trk></gpx>"
}

@Suite struct ActivityListTests {
    private let english = """
        Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Filename
        1,"May 1, 2024, 10:00:00 AM","Up, ""and"" down",Ride,"Two
        lines",60,activities/1.gpx
        2,"May 1, 2024, 10:00:01 AM",Run home,Run,,60,activities/2.gpx
        """

    @Test(arguments: [false, true], [false, true]) func `The list names files that lie before it or behind`(
        archived: Bool, listFirst: Bool
    ) throws {
        let rides = [("activities/1.gpx", ride(1)), ("activities/2.gpx", ride(2)), ("activities/3.gpx", ride(3))]
        let list = [("activities.csv", english)]
        let result = try importedTogether(listFirst ? list + rides : rides + list, archived: archived)
        let headers = result.recordings.map(\.header).sorted { $0.source < $1.source }
        #expect(headers.map(\.name) == ["Up, \"and\" down", "Run home", "gpx"])
        #expect(headers.map(\.activity) == ["ride", "run", nil])
        #expect(headers[0].attributes["description"] == "Two\nlines")
        #expect(result.total.failed == 0)
        #expect(result.total.unrecognised == 0)
        #expect(result.total.files == 4)
        #expect(result.receipts["activities.csv"]?.remarks == [.activityList])
    }

    @Test func `A list with a translated header is recognised by its cells`() throws {
        let german = """
            Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Beschreibung,Dateiname
            1,"01.05.2024, 10:00:00",Hin,Radfahrt,,activities/1.gpx
            """
        let result = try importedTogether([("activities.csv", german), ("activities/1.gpx", ride(1))])
        #expect(result.recordings.map(\.header.name) == ["Hin"])
        #expect(result.recordings.map(\.header.activity) == ["radfahrt"])
    }

    @Test func `A table of points named like an activity list is read as points`() throws {
        let result = try importedTogether([("activities.csv", "lat,lon,time\n1,2,1714550400\n")])
        #expect(result.total.outcome.points == 1)
    }

    @Test func `Files of an archive without a list are read`() throws {
        let result = try importedTogether([("activities/1.gpx", ride(1))], archived: true)
        #expect(result.recordings.map(\.header.name) == ["gpx"])
        #expect(result.total.files == 1)
    }
}
