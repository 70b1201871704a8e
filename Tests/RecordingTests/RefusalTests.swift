import Recording
import Testing
import Tracks

private func decodedRequest(_ body: String, _ query: String = "") -> RecordingRequest {
    RecordingRequest(
        body: Array(body.utf8), parameters: FormParameters.read(Array(query.utf8)[...]), now: 1_700_000_000_123)
}

private let point = #"{"t":1700000000,"lon":13.4,"lat":52.5}"#

@Suite("Refusals")
struct RefusalTests {
    @Test(arguments: [
        (RecordingFormat.own, #"{"points":"x"}"#, "\"points\" is a text"),
        (.own, #"{"points":{}}"#, "\"points\" is an object"),
        (.own, #"{"points":null}"#, "\"points\" is null"), (.own, #""x""#, "the body is a text"),
        (.own, "7", "a number"),
        (.own, "{}", "neither \"points\" nor"), (.own, #"{"locations":[]}"#, "neither \"points\" nor"),
        (.own, "lat=1&lon=2", "not valid JSON"), (.own, "", "empty"), (.waypoint, "[]", "a list"),
        (.waypoint, #"[{"lon":1,"lat":2}]"#, "a list"),
        (.ownTracks, #"{"points":"x"}"#, "neither a \"_type\""), (.ownTracks, "7", "a number"),
        (.ownTracks, "lat=1", "not valid JSON"),
        (.overland, "{}", "no \"locations\""), (.overland, #"{"locations":"x"}"#, "\"locations\" is a text"),
        (.overland, "[]", "a list"), (.dawarich, "", "empty"),
        (.overland, #"{"locations":[]} {"locations":[]}"#, "2 JSON values"),
        (.osmAnd, #"{"device_id":"9"}"#, "no \"location\""), (.osmAnd, #"{"location":"x"}"#, "\"location\" is a text"),
        (.gpsLogger, "[7]", "a number"), (.gpsLogger, "{", "not valid JSON"),
    ])
    func `A body of the wrong structure is refused as a whole, with the reason`(
        format: RecordingFormat, body: String, words: String
    ) {
        do {
            let batch = try format.read(decodedRequest(body))
            Issue.record("\(format) \(body): \(batch)")
        } catch {
            #expect(error.description.contains(words), "\(format) \(body): \(error)")
        }
    }

    @Test func `The kind of a body is detected from its content`() throws {
        let form = "lat=52.5&lon=13.4&time=2023-11-14T22%3A13%3A20Z&desc=100%+sure+50%25\n"
        for format in [RecordingFormat.gpsLogger, .osmAnd, .waypoint] {
            let batch = try format.read(decodedRequest(form))
            #expect(batch.points == 1 && batch.refusedPoints == 0, "\(format)")
        }
        let fields = try RecordingFormat.gpsLogger.read(decodedRequest(form)).devices.first?.chunks.first?.fields
        #expect(fields?.first { $0.name == "name" }?.values == .texts(["100% sure 50%"]))
        // `curl --data-urlencode` encodes the whole body.
        #expect(
            try RecordingFormat.own.read(decodedRequest("%7B%22t%22%3A1700000000%2C%22lon%22%3A1%2C%22lat%22%3A2%7D"))
                .points
                == 1)
        #expect(try RecordingFormat.own.read(decodedRequest("\u{FEFF} [\(point)]")).points == 1)
        #expect(
            try RecordingFormat.own.read(decodedRequest(#"{"points":[\#(point)],"note":"100% & more=less"}"#)).points
                == 1)
        #expect(
            try RecordingFormat.gpsLogger.read(
                decodedRequest(#"[{"lat":1,"lon":2,"time":1700000000},{"lat":1,"lon":3,"time":1700000001}]"#)
            )
            .points == 2)
        #expect(
            try RecordingFormat.osmAnd.read(
                decodedRequest("", "id=9&lat=52.5&lon=13.4&timestamp=2023-11-14T22:13:20+01:00")
            )
            .devices
            .first?.chunks.first?.times == [1_699_996_400_000])
    }

    @Test func `OwnTracks messages with quoted numbers or without a type are accepted`() throws {
        for body in [
            #"{"_type":"location","lat":"52.5","lon":"13.4","tst":"1700000000"}"#,
            #"{"lat":52.5,"lon":13.4,"tst":1700000000,"acc":5}"#,
        ] {
            let batch = try RecordingFormat.ownTracks.read(decodedRequest(body))
            #expect(batch.points == 1 && batch.refusedPoints == 0, "\(body)")
            #expect(batch.devices.first?.chunks.first?.times == [1_700_000_000_000])
        }
        let mixed = try RecordingFormat.ownTracks.read(
            decodedRequest(#"[{"_type":"location","lat":1,"lon":2,"tst":3},7,{"a":1}]"#))
        #expect(mixed.points == 1 && mixed.refused.map(\.kind) == [.shape, .shape])
        let event = try RecordingFormat.ownTracks.read(
            decodedRequest(#"{"_type":"transition","lat":1,"lon":2,"tst":3,"event":"enter","tid":"p1"}"#))
        #expect(event.points == 0 && event.refusedPoints == 0 && event.otherMessages == 1)
        #expect(event.refusalCounts == [.init(device: "p1", kind: .message, count: 1)])
    }

    @Test func `A device named beside the locations applies to all of them`() throws {
        let feature = #"{"geometry":{"coordinates":[13.4,52.5]},"properties":{"timestamp":"2023-11-14T22:13:20Z"}}"#
        let batch = try RecordingFormat.overland.read(
            decodedRequest(#"{"device_id":"colota","locations":[\#(feature)]}"#))
        #expect(batch.devices.map(\.name) == ["colota"])
    }

    @Test func `A waypoint with an invalid time is refused and does not get the current time`() throws {
        let batch = try RecordingFormat.waypoint.read(decodedRequest(#"{"lon":13.4,"lat":52.5,"t":"noon"}"#))
        #expect(batch.points == 0 && batch.refused.map(\.kind) == [.time])
    }

    @Test func `Too long texts, names and too many fields are reported, and the point is stored`() throws {
        let long = String(repeating: "x", count: 10_001)
        var batch = try RecordingFormat.own.read(
            decodedRequest(#"{"t":1700000000,"lon":1,"lat":2,"note":"\#(long)","\#(long)":1,"ele":3}"#))
        #expect(batch.points == 1 && batch.refusedPoints == 0 && batch.refusedFields == 2)
        #expect(batch.refused.map(\.kind) == [.text, .text])
        #expect(batch.devices[0].chunks[0].fields.map(\.name) == ["ele"])
        let many = (0..<300).map { "\"f\($0)\":\($0)" }.joined(separator: ",")
        batch = try RecordingFormat.own.read(decodedRequest(#"{"t":1700000000,"lon":1,"lat":2,\#(many)}"#))
        #expect(batch.devices[0].chunks[0].fields.count == 256 && batch.refusedFields == 44)
        #expect(batch.refusalCounts == [.init(device: nil, kind: .fieldCount, count: 44)])
        #expect(batch.refused.count == RecordingBatch.refusalDetailLimit)
    }

    @Test func `A refused point is kept as it was sent, without secrets`() throws {
        var batch = try RecordingFormat.own.read(
            decodedRequest(#"[{"t":1700000000,"lon":812,"lat":52.50,"note":"a\"b"},\#(point)]"#))
        #expect(
            batch.refused.map { String(decoding: $0.raw, as: UTF8.self) }
                == [#"{"t":1700000000,"lon":812,"lat":52.50,"note":"a\"b"}"#])
        batch = try RecordingFormat.osmAnd.read(
            decodedRequest("", "id=9&lat=91&lon=2&key=secret&api_key=secret&token=secret"))
        #expect(batch.refused.map { String(decoding: $0.raw, as: UTF8.self) } == ["id=9&lat=91&lon=2"])
        #expect(batch.refusalCounts == [.init(device: "9", kind: .latitude, count: 1)])
        let long = String(repeating: "x", count: 100_000)
        let bad = #"{"lon":1,"note":"\#(long)"}"#
        batch = try RecordingFormat.own.read(
            decodedRequest("[" + Array(repeating: bad, count: 15).joined(separator: ",") + "]"))
        #expect(batch.refused.first?.raw.count == RecordingBatch.rawBytes)
        #expect(batch.refused.reduce(0) { $0 + $1.raw.count } <= RecordingBatch.totalRawByteLimit)
        #expect(batch.refusedPoints == 15)
    }

    @Test func `Points of devices above the limit are refused`() throws {
        let points = (0..<150).map { #"{"_type":"location","lat":1,"lon":2,"tst":1700000000,"topic":"o/u/d\#($0)"}"# }
        let batch = try RecordingFormat.ownTracks.read(decodedRequest("[" + points.joined(separator: ",") + "]"))
        #expect(batch.points == 100 && batch.refusedPoints == 50)
        #expect(batch.refused.first?.kind == .deviceCount)
    }

    @Test func `Tens of thousands of headings after one point are all stored`() throws {
        let headings = (0..<60_000).map { #"{"t":\#(1_700_000_000_001 + $0),"heading":\#($0 % 360).5}"# }
        let body = ([#"{"t":1700000000,"lon":1,"lat":2}"#] + headings).joined(separator: "\n")
        let start = ContinuousClock.now
        let batch = try RecordingFormat.own.read(decodedRequest(body))
        #expect(batch.points == 1 && batch.headings == 60_000 && batch.refusedPoints == 0)
        #expect(batch.devices[0].headings.count == 60_000)
        // Merging them one by one took minutes.
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func `A form with too many parameters is refused, and invalid lines are refused one by one`() throws {
        let form = "lat=1&lon=2" + String(repeating: "&a=1", count: 5000)
        #expect(throws: RecordingError.self) { try RecordingFormat.gpsLogger.read(decodedRequest(form)) }
        let lines = point + "\n\n{\n  \r\n\"}\"\n[\(point)] \n7\n{}\n" + String(repeating: "{\n", count: 50_000)
        let batch = try RecordingFormat.own.read(decodedRequest(lines))
        #expect(batch.points == 2)
        #expect(batch.refused.prefix(5).map(\.kind) == [.line, .line, .line, .shape, .line])
        #expect(batch.refusedPoints == 50_004)
    }

    @Test func `An invalid heading is refused, and its other fields are reported`() throws {
        let body = """
            [\(point),{"t":1700000001,"heading":-1},{"t":1700000001,"heading":361},{"t":-5,"heading":1},
            {"t":1700000001,"heading":"90.50","id":"H1","hacc":5},{"t":1700000001,"heading":1,"id":"a;b"},{"heading":1}]
            """
        let batch = try RecordingFormat.own.read(decodedRequest(body))
        #expect(batch.devices[0].headings.map(\.text) == ["2023-11-14T22:13:21Z 90.5 H1"])
        #expect(batch.refusedPoints == 5 && batch.refusedFields == 1)
        #expect(batch.refused.map(\.kind) == [.heading, .heading, .heading, .headingField, .heading, .place])
    }
}
