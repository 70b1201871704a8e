import Testing
import TrackImport
import Tracks

private func gpx(_ body: String, attributes: String = "") -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"test\" \(attributes)>\n\(body)\n</gpx>\n"
}

private let twoPoints = """
    <trk><name>Morning &amp; more</name><type>Ride</type><trkseg>
    <trkpt lat="51.5" lon="-0.12"><ele>12.50</ele><time>2024-05-01T08:00:00Z</time></trkpt>
    <trkpt lat="51.6" lon="-0.13"><ele>13</ele><time>2024-05-01T10:00:01.5+02:00</time></trkpt>
    </trkseg></trk>
    """

@Suite struct GPXTests {
    @Test func `A track is a recording with name, activity and times`() {
        let result = imported(gpx(twoPoints))
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.format == .gpx)
        #expect(result.recordings.count == 1)
        let recording = result.recordings[0]
        #expect(recording.header.name == "Morning & more")
        #expect(recording.header.activity == "ride")
        #expect(recording.header.source == "file")
        #expect(recording.points.map(\.time) == [1_714_550_400_000, 1_714_550_401_500])
        #expect(recording.points.map(\.longitude) == [-120_000_000, -130_000_000])
        #expect(recording.field("ele") == ["12.5", "13.0"])
    }

    @Test func `Segments and tracks are kept separate`() {
        let point = "<trkpt lat=\"1\" lon=\"2\"/>"
        let result = imported(
            gpx(
                "<trk><trkseg>\(point)\(point)</trkseg><trkseg/><trkseg>\(point)</trkseg></trk><trk><trkseg>\(point)</trkseg></trk>"
            ))
        #expect(result.recordings.map(\.segmentStarts) == [[0, 2], [0]])
        #expect(result.receipt.outcome.untimed == 4)
    }

    @Test func `Any namespace prefix is accepted`() {
        let result = imported(
            "<g:gpx xmlns:g=\"http://www.topografix.com/GPX/1/1\"><g:trk><g:trkseg><g:trkpt lat=\"1\" lon=\"2\"><g:time>2024-01-01T00:00:00Z</g:time></g:trkpt></g:trkseg></g:trk></g:gpx>"
        )
        #expect(result.recordings.flatMap(\.points).map(\.time) == [1_704_067_200_000])
    }

    @Test func `Extensions become fields and do not replace GPX fields`() {
        let result = imported(
            gpx(
                """
                <trk><trkseg><trkpt lat="1" lon="2"><ele>5</ele><time>2024-01-01T00:00:00Z</time><sat>007</sat>
                <name>001</name><extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>140</gpxtpx:hr><gpxtpx:atemp>21.5</gpxtpx:atemp>
                <gpxtpx:cad>80</gpxtpx:cad><gpxtpx:speed>3.25</gpxtpx:speed></gpxtpx:TrackPointExtension>
                <power>200</power><time>14545</time><x:ele>99</x:ele><x:mood>fine</x:mood><hAcc>4</hAcc></extensions></trkpt></trkseg></trk>
                """, attributes: "xmlns:gpxtpx=\"g\" xmlns:x=\"x\""))
        let recording = result.recordings[0]
        #expect(recording.points[0].time == 1_704_067_200_000)
        let expected = [
            "ele": "5", "hr": "140", "temp": "21.5", "cad": "80", "speed": "3.25", "power": "200", "time": "14545",
            "x:ele": "99", "mood": "fine", "hacc": "4", "name": "001", "sat": "007",
        ]
        #expect(recording.fieldNames == Set(expected.keys))
        for (name, value) in expected { #expect(recording.field(name) == [value], "\(name)") }
    }

    @Test func `Routes and waypoints are reported and skipped`() {
        let result = imported(
            gpx("<wpt lat=\"1\" lon=\"1\"><name>Pub</name></wpt><rte><rtept lat=\"1\" lon=\"1\"/></rte>" + twoPoints))
        #expect(result.receipt.skipped == [.waypoint: 1, .route: 1])
        #expect(result.receipt.outcome.points == 2)
    }

    @Test func `Points without a valid place are refused with their lines`() {
        let result = imported(
            "<gpx>\n<trk><trkseg>\n<trkpt lat=\"10\" lon=\"812\"/>\n<trkpt lat=\"NaN\" lon=\"1\"/>\n<trkpt lat=\"90.5\" lon=\"1\"/>\n<trkpt lon=\"1\"/>\n<trkpt lat=\"90\" lon=\"-180\"/></trkseg></trk></gpx>"
        )
        #expect(result.receipt.outcome.points == 1)
        #expect(result.receipt.refused.count == 4)
        #expect(
            result.receipt.refused.first == [
                Finding(line: 3, what: .longitude("812")), Finding(line: 4, what: .latitude("NaN")),
                Finding(line: 5, what: .latitude("90.5")), Finding(line: 6, what: .noPlace),
            ])
        #expect(
            result.receipt.lines.contains(
                "folder/file:3: longitude 812 is outside -180 to 180; the point was not stored"))
    }

    @Test func `A time without offset is UTC unless the options give a zone`() {
        let text = gpx(
            "<trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>2024-07-01T12:00:00</time></trkpt></trkseg></trk>")
        var options = ImportOptions(libraryZone: zone("Asia/Tokyo"))
        #expect(imported(text, options: options).recordings[0].points[0].time == 1_719_835_200_000)
        options.zone = zone("Europe/Berlin")
        #expect(imported(text, options: options).recordings[0].points[0].time == 1_719_828_000_000)
    }

    @Test func `A point with an invalid time has no time`() {
        let result = imported(gpx("<trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>noon</time></trkpt></trkseg></trk>"))
        #expect(result.receipt.unreadTimes.first == [Finding(line: 3, what: "noon")])
        #expect(result.receipt.outcome.untimed == 1)
        #expect(result.recordings[0].field("time") == ["noon"])
    }

    @Test(arguments: ["UTF-16LE", "UTF-16BE", "UTF-8 with BOM", "ISO-8859-1", "windows-1252", "blanks"])
    func `All encodings and file starts are read`(kind: String) {
        let declared = ["ISO-8859-1": "ISO-8859-1", "windows-1252": "windows-1252"][kind] ?? "UTF-8"
        let isWide = kind.hasPrefix("UTF-16")
        let declaration = isWide ? "<?xml version=\"1.0\"?>" : "<?xml version=\"1.0\" encoding=\"\(declared)\"?>"
        let text = declaration + "<gpx><trk><name>Füße</name><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>"
        var bytes: [UInt8]
        switch kind {
        case "UTF-16LE": bytes = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        case "UTF-16BE": bytes = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        case "UTF-8 with BOM": bytes = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
        case "blanks": bytes = Array((" \n\t" + text).utf8)
        default: bytes = text.unicodeScalars.map { UInt8($0.value & 0xFF) }
        }
        for block in [1, 7, blockSize] {
            let result = imported(bytes, block: block)
            #expect(result.receipt.failure == nil)
            #expect(result.recordings.map(\.header.name) == ["Füße"])
        }
    }

    @Test func `The block size does not change the result`() {
        let whole = imported(gpx(twoPoints)).recordings
        for block in 1...64 { #expect(imported(gpx(twoPoints), block: block).recordings == whole) }
    }

    @Test func `The number of workers does not change the result`() {
        let body = String(repeating: twoPoints, count: 5000)
        var options = ImportOptions(libraryZone: zone("UTC"), workers: 1)
        let alone = imported(gpx(body), options: options).recordings
        options.workers = 4
        #expect(imported(gpx(body), options: options).recordings == alone)
        #expect(alone.count == 5000)
    }
}

@Suite struct HostileGPXTests {
    @Test func `A truncated file keeps its complete points or fails`() {
        let bytes = Array(gpx(twoPoints).utf8)
        let whole = imported(bytes).recordings[0].points
        for length in 0..<bytes.count - 1 {
            let result = imported(Array(bytes[..<length]))
            let points = result.recordings.flatMap(\.points)
            #expect(result.receipt.failure != nil || points == whole, "\(length)")
            #expect(points == Array(whole.prefix(points.count)), "\(length)")
            #expect(result.sink.openCount == 0)
        }
        let cut = imported(String(gpx(twoPoints).prefix(280)))
        #expect(cut.receipt.outcome.points == 1)
        #expect(cut.receipt.lines.last?.hasSuffix("; the point before the error was stored") == true)
    }

    @Test func `An entity expansion attack is refused before expansion`() {
        var bomb = "<?xml version=\"1.0\"?><!DOCTYPE gpx [<!ENTITY a \"aaaaaaaaaa\">"
        for (name, inner) in zip("bcdefghij", "abcdefghi") {
            bomb += "<!ENTITY \(name) \"" + String(repeating: "&\(inner);", count: 10) + "\">"
        }
        bomb += "]><gpx><trk><name>&j;</name><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>"
        let result = imported(bomb)
        #expect(result.receipt.failure == .declarations(line: 1))
        #expect(result.recordings.isEmpty)
    }

    @Test func `Nesting above the limit is an error and earlier points are kept`() {
        let deep = String(repeating: "<a>", count: 100_000)
        let result = imported("<gpx>" + twoPoints + deep)
        guard case .tooDeep? = result.receipt.failure else {
            Issue.record("\(String(describing: result.receipt.failure))")
            return
        }
        #expect(result.receipt.outcome.points == 2)
    }

    @Test func `More names than the limit are an error`() {
        let names = (0..<100_000).map { "<n\($0)/>" }.joined()
        guard case .tooManyNames? = imported("<gpx>" + names + "</gpx>").receipt.failure else {
            Issue.record("the names were taken")
            return
        }
    }

    @Test(arguments: ["element", "attribute"])
    func `A name longer than the limit is an error of its own`(place: String) {
        let long = String(repeating: "n", count: 1025)
        let text = place == "element" ? "<\(long)/>" : "<a \(long)='1'/>"
        let failure = imported("<gpx>\n" + text + "</gpx>").receipt.failure
        #expect(failure == .longName(limit: 1024, line: 2))
        #expect(
            imported("<gpx>\n" + text.replacing("nn", with: "n", maxReplacements: 1) + "</gpx>").receipt.failure == nil)
    }

    @Test func `A text longer than the limit is refused`() {
        let result = imported("<gpx><trk><name>" + String(repeating: "x", count: 3_000_000) + "</name></trk></gpx>")
        guard case .longText? = result.receipt.failure else {
            Issue.record("the text was taken")
            return
        }
    }

    @Test func `A file that the sink refuses leaves no open recordings`() {
        let sink = CollectingSink()
        sink.failsAfter = 0
        let receipt = FileImport.read(
            MemorySource(Array(gpx(twoPoints).utf8)), file: "a", name: "a", into: sink,
            options: ImportOptions(libraryZone: zone("UTC")))
        guard case .store? = receipt.failure else {
            Issue.record("no failure")
            return
        }
        #expect(sink.openCount == 0)
        #expect(sink.abandoned == 1)
    }
}
