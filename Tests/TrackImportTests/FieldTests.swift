import Testing
import TrackImport
import Tracks

/// A file that writes point fields in one of the possible ways, and the fields expected from it.
struct FieldSample: Sendable, CustomTestStringConvertible {
    let format: TrackFormat
    let text: String
    /// Fields by the library's names, in its units.
    let fields: [String: String]

    var testDescription: String { "\(format): \(fields.count) fields" }
}

private let all = [
    "ele": "12.5", "hacc": "5", "vacc": "3", "speed": "10", "course": "90", "heading": "91", "hr": "140", "cad": "80",
    "power": "200", "temp": "-3", "battery": "88", "address": "1 Main St", "mark": "1", "repeats": "3", "mood": "fine",
]
private let names = all.keys.sorted()

private func only(_ names: String, and others: [String: String] = [:]) -> [String: String] {
    let kept = names.split(separator: " ").map { String($0) }
    return all.filter { kept.contains($0.key) }.merging(others) { $1 }
}

private let samples = [
    FieldSample(
        format: .csv,
        text: "lat,lon,time," + names.joined(separator: ",") + "\n1,2,2024-05-01T08:00:00Z,"
            + names.map { all[$0] ?? "" }.joined(separator: ",") + "\n",
        fields: all),
    FieldSample(
        format: .csv,
        text:
            "Breite;Länge;Zeit;Höhe (m);Genauigkeit;Geschwindigkeit;Kurs;Puls;Trittfrequenz;Leistung;Temperatur;Adresse\n"
            + "1;2;2024-05-01T08:00:00Z;12,5;5;10;90;140;80;200;-3;1 Main St\n",
        fields: only("ele hacc speed course hr cad power temp address")),
    FieldSample(
        format: .geojson,
        text: "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[2,1]},\"properties\":{"
            + "\"time\":\"2024-05-01T08:00:00Z\","
            + names.map { "\"\($0)\":\"\(all[$0] ?? "")\"" }.joined(separator: ",") + "}}",
        fields: all),
    FieldSample(
        format: .geojson,
        text: """
            {"type":"Feature","geometry":{"type":"LineString","coordinates":[[2,1,12.5],[3,1,12.5]]},"properties":
            {"coordTimes":["2024-05-01T08:00:00Z","2024-05-01T08:00:01Z"],"heart":[140,141],"coordinateProperties":
            {"speeds":[10,10],"courses":[90,90],"heading":[91,91],"cads":[80,80],"powers":[200,200],"atemps":[-3,-3],
            "accuracies":[5,5],"batt":[88,88],"mood":["fine","fine"]}}}
            """,
        fields: only("ele speed course heading hr cad power temp hacc battery mood")),
    FieldSample(
        format: .gpx,
        text: """
            <gpx><trk><trkseg><trkpt lat="1" lon="2"><ele>12.5</ele><time>2024-05-01T08:00:00Z</time><extensions>
            <gpxtpx:TrackPointExtension><gpxtpx:hr>140</gpxtpx:hr><gpxtpx:cad>80</gpxtpx:cad><gpxtpx:atemp>-3</gpxtpx:atemp>
            <gpxtpx:speed>10</gpxtpx:speed><gpxtpx:course>90</gpxtpx:course></gpxtpx:TrackPointExtension>
            <pwr:PowerInWatts>200</pwr:PowerInWatts><opentracks:accuracy_horizontal>5</opentracks:accuracy_horizontal>
            <opentracks:accuracy_vertical>3</opentracks:accuracy_vertical><osmand:heading>91</osmand:heading>
            <battery>88</battery><address>1 Main St</address><mark>1</mark><repeats>3</repeats><mood>fine</mood>
            </extensions></trkpt></trkseg></trk></gpx>
            """,
        fields: all),
    FieldSample(
        format: .tcx,
        text: """
            <TrainingCenterDatabase><Activities><Activity><Lap><Track><Trackpoint><Time>2024-05-01T08:00:00Z</Time><Position>
            <LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position>
            <AltitudeMeters>12.5</AltitudeMeters><HeartRateBpm><Value>140</Value></HeartRateBpm><Cadence>80</Cadence>
            <Extensions><ns3:TPX><ns3:Speed>10</ns3:Speed><ns3:Watts>200</ns3:Watts></ns3:TPX><Course>90</Course>
            <Heading>91</Heading><Accuracy>5</Accuracy><VerticalAccuracy>3</VerticalAccuracy><Temperature>-3</Temperature>
            <Battery>88</Battery><Address>1 Main St</Address><mark>1</mark><repeats>3</repeats><mood>fine</mood></Extensions>
            </Trackpoint></Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """,
        fields: all),
    FieldSample(
        format: .kml,
        text: "<kml><Placemark><gx:Track><when>2024-05-01T08:00:00Z</when><gx:coord>2 1 12.5</gx:coord>"
            + "<gx:angles>91 0 0</gx:angles><ExtendedData><SchemaData>"
            + names.filter { $0 != "ele" && $0 != "heading" }.map {
                "<gx:SimpleArrayData name='\($0)'><gx:value>\(all[$0] ?? "")</gx:value></gx:SimpleArrayData>"
            }.joined() + "</SchemaData></ExtendedData></gx:Track></Placemark></kml>",
        fields: all),
    FieldSample(
        format: .kml,
        text: "<kml><Placemark><address>1 Main St</address><TimeStamp><when>2024-05-01T08:00:00Z</when></TimeStamp>"
            + "<ExtendedData><Data name='heartrate'><value>140</value></Data><Data name='Speed'><value>10</value></Data>"
            + "<Data name='mood'><value>fine</value></Data></ExtendedData>"
            + "<Point><coordinates>2,1,12.5</coordinates></Point></Placemark></kml>",
        fields: only("ele address hr speed mood")),
    FieldSample(
        format: .google,
        text: """
            {"locations":[{"latitudeE7":10000000,"longitudeE7":20000000,"timestamp":"2024-05-01T08:00:00Z","accuracy":5,
            "altitude":12.5,"verticalAccuracy":3,"velocity":10,"heading":90,"mood":"fine","odd":{"deep":[1,2],"on":true},
            "activity":[{"activity":[{"type":"ON_FOOT","confidence":99}]}]}]}
            """,
        fields: only(
            "ele hacc vacc speed course mood", and: ["odd.deep": "1,2", "odd.on": "true", "activity": "ON_FOOT"])),
    FieldSample(
        format: .owntracks,
        text: "2024-05-01T08:00:00Z\t*\t{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":1714550400,\"acc\":5,"
            + "\"vac\":3,\"alt\":12.5,\"vel\":36,\"cog\":90,\"batt\":88,\"mood\":\"fine\"}\n",
        fields: only("ele hacc vacc speed course battery mood")),
    FieldSample(
        format: .nmea,
        text:
            "$GPRMC,080000,A,0100.0,N,00200.0,E,10.0,90,010524,,\n$GPGGA,080000,0100.0,N,00200.0,E,2,07,1.5,12.5,M,40,M,,\n",
        fields: only(
            "ele course", and: ["speed": "5.1444", "sat": "7", "hdop": "1.5", "fix": "dgps", "geoidheight": "40"])),
    FieldSample(
        format: .polarsteps,
        text:
            "{\"locations\":[{\"lat\":1,\"lon\":2,\"time\":1714550400,\"altitude\":12.5,\"accuracy\":5,\"mood\":\"fine\"}]}",
        fields: only("ele hacc mood")),
]

@Suite struct FieldTests {
    @Test(arguments: samples) func `All that a point carries survives under one name and unit`(sample: FieldSample)
        throws
    {
        let result = imported(sample.text)
        #expect(result.receipt.format == sample.format)
        #expect(result.receipt.failure == nil)
        let recording = try #require(result.recordings.first)
        #expect(recording.points.first?.time == 1_714_550_400_000)
        for (name, wanted) in sample.fields {
            let found = recording.field(name).first ?? nil
            let isSame = found == wanted || found.flatMap { Double($0) }.map { $0 == Double(wanted) } ?? false
            #expect(isSame, "\(name): \(found ?? "nothing") for \(wanted)")
        }
    }

    @Test func `Missing values are not stored`() throws {
        for sample in samples where sample.format == .csv || sample.format == .geojson {
            let recording = try #require(imported(sample.text).recordings.first)
            #expect(recording.fieldNames.isSubset(of: sample.fields.keys), "\(recording.fieldNames)")
        }
    }
}
