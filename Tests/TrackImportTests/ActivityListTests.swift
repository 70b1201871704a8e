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

    @Test(arguments: [
        ("Activiteits-ID,Datum van activiteit,Naam activiteit,Activiteitstype", "Fietsrit", Activity.ride),
        ("Identyfikator aktywności,Data aktywności,Nazwa aktywności,Rodzaj aktywności", "Spacer", .walk),
        ("活动 ID,活动日期,活动名称,活动类型", "骑行", .ride),
        ("Aktivitets-id,Aktivitetsdato,Aktivitetsnavn,Aktivitetstype", "Løb", .run),
    ]) func `Lists in the language of the account give name and activity`(
        header: String, word: String, activity: Activity
    ) throws {
        let list = "\u{FEFF}\(header),x,y,z\n1,\"1 mei 2024, 10:00\",Ochtend,\(word),,60,activities/1.gpx\n"
        let result = try importedTogether([("activities/1.gpx", ride(1)), ("activities.csv", list)])
        let header = try #require(result.recordings.first?.header)
        #expect(header.name == "Ochtend")
        #expect(header.activity.flatMap { Activity(word: $0) } == activity)
    }

    @Test(arguments: [false, true], [false, true]) func `The exercises of Samsung Health name their files`(
        archived: Bool, listFirst: Bool
    ) throws {
        let prefix = "com.samsung.health.exercise."
        let file = "5aa1.com.samsung.health.exercise.location_data.json"
        let table = """
            com.samsung.shealth.exercise,6320001,17
            live_data_internal,\(prefix)location_data,\(prefix)exercise_type,\(prefix)comment,\(prefix)datauuid
            ,\(file),11007,Windy,5aa1cd07
            ,,1002,,6bb

            """
        let list = [("e/com.samsung.shealth.exercise.20260621233615.csv", table)]
        let locations = [
            (
                "e/jsons/com.samsung.shealth.exercise/5/" + file,
                "[{\"start_time\":1714550400000,\"latitude\":48.1,\"longitude\":11.5}]"
            )
        ]
        let result = try importedTogether(listFirst ? list + locations : locations + list, archived: archived)
        let header = try #require(result.recordings.first?.header)
        #expect(header.activity == "cycling")
        #expect(header.attributes == ["description": "Windy", "activity_id": "5aa1cd07"])
        #expect(result.total.failed == 0 && result.total.unrecognised == 0)
    }

    @Test(arguments: [false, true], [false, true]) func `The activities of Garmin are found by their times`(
        archived: Bool, listFirst: Bool
    ) throws {
        // 2024-05-01T10:00:00Z, in milliseconds; durations, too.
        let begin = 1_714_557_600_000
        func list(_ activities: String) -> String { "[{\"summarizedActivitiesExport\":[\(activities)]}]" }
        func activity(_ id: Int, _ second: Int, _ length: Int, _ name: String, _ type: String) -> String {
            """
            {"activityId":\(id),"name":"\(name)","activityType":"\(type)","beginTimestamp":\(begin + second * 1000),
            "duration":\(length)000.0,"elapsedDuration":\(length)000.8408203125,"splits":[{"startTimeGMT":1}]}
            """
        }
        let folder = "e/DI_CONNECT/"
        let lists = [
            (
                folder + "DI-Connect-Fitness/a@b.c_0_summarizedActivities.json",
                // A triathlon and its first part.
                list(
                    [activity(1, 0, 9, "All", "multi_sport"), activity(2, 0, 3, "Lake", "open_water_swimming")]
                        .joined(separator: ","))
            ),
            (
                folder + "DI-Connect-Fitness/a@b.c_1001_summarizedActivities.json",
                list(activity(3, 4, 1, "Hill", "road_biking") + "," + activity(4, 7, 1, "Then", "uncategorized"))
            ),
        ]
        let uploads = folder + "DI-Connect-Uploaded-Files/"
        let nested = tarred([2, 5, 6].map { ("\($0).gpx", Array(ride($0).utf8)) })
        let rides = [
            (uploads + "UploadedFiles_0-_Part1.zip", String(decoding: nested, as: UTF8.self)),
            (uploads + "8.gpx", ride(8)), ("e/other/2.gpx", ride(2)),
        ]
        let result = try importedTogether(listFirst ? lists + rides : rides + lists, archived: archived)
        let headers = result.recordings.sorted {
            ($0.points[0].time, $0.header.name ?? "") < ($1.points[0].time, $1.header.name ?? "")
        }
        .map(\.header)
        // Files elsewhere, and those between two activities, keep their own names.
        #expect(headers.map(\.name) == ["Lake", "gpx", "Hill", "gpx", "Then"])
        #expect(headers.map(\.activity) == ["open_water_swimming", nil, "road_biking", nil, nil])
        #expect(headers[2].activity.flatMap { Activity(word: $0) } == .ride)
        #expect(headers.map { $0.attributes["activity_id"] } == ["2", nil, "3", nil, "4"])
        #expect(result.total.failed == 0 && result.total.unrecognised == 0)
    }

    @Test func `A damaged list of Garmin fails, and the activities before the damage are used`() throws {
        let list = """
            [{"summarizedActivitiesExport":[{"beginTimestamp":1714557600000,"duration":9000.0,"name":"Hill"},
            {"beginTimestamp":9223372036854775807,"duration":9000.0,"name":"Never"},{"na
            """
        let result = try importedTogether([("a/1_summarizedActivities.json", list), ("a/1.gpx", ride(1))])
        #expect(result.recordings.map(\.header.name) == ["Hill"])
        #expect(result.total.failed == 1)
        let receipt = try #require(result.receipts["1_summarizedActivities.json"])
        #expect(receipt.remarks == [.activityTimes] && receipt.failure != nil)
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
