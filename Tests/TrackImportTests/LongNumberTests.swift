import Testing
import Text
import TrackImport

@testable import Tracks

/// Numbers with more decimals than a column can hold, as software writes that converts its binary numbers exactly.
@Suite struct LongNumberTests {
    private static let long = "110.80000019073486328125"
    private static let rounded = "110.800000191"

    private static let formats: [(name: String, text: @Sendable ([String]) -> String)] = [
        (
            "GPX",
            { values in
                "<gpx><trk><trkseg>" + values.map { "<trkpt lat='1' lon='2'><ele>\($0)</ele></trkpt>" }.joined()
                    + "</trkseg></trk></gpx>"
            }
        ),
        (
            "extensions of GPX",
            { values in
                "<gpx><trk><trkseg>"
                    + values.map {
                        "<trkpt lat='1' lon='2'><extensions><altitude>\($0)</altitude></extensions></trkpt>"
                    }
                    .joined() + "</trkseg></trk></gpx>"
            }
        ),
        (
            "TCX",
            { values in
                "<TrainingCenterDatabase><Activities><Activity Sport='Running'><Lap><Track>"
                    + values.enumerated().map {
                        "<Trackpoint><Time>2024-05-01T10:00:0\($0)Z</Time><Position><LatitudeDegrees>1</LatitudeDegrees>"
                            + "<LongitudeDegrees>2</LongitudeDegrees></Position><AltitudeMeters>\($1)</AltitudeMeters>"
                            + "</Trackpoint>"
                    }.joined() + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
            }
        ),
        (
            "KML",
            { values in
                "<kml xmlns:gx='http://www.google.com/kml/ext/2.2'><Placemark><gx:Track>"
                    + values.indices.map { "<when>2024-05-01T10:00:0\($0)Z</when>" }.joined()
                    + values.map { "<gx:coord>2 1 \($0)</gx:coord>" }.joined() + "</gx:Track></Placemark></kml>"
            }
        ),
        ("CSV", { values in "lat,lon,ele\n" + values.map { "1,2,\($0)\n" }.joined() }),
        (
            "GeoJSON",
            { values in
                let places = values.map { "[2,1,\($0)]" }.joined(separator: ",")
                return
                    "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\(places)]}}"
            }
        ),
        (
            "properties of GeoJSON",
            { values in
                "{\"type\":\"FeatureCollection\",\"features\":["
                    + values.enumerated().map {
                        "{\"type\":\"Feature\",\"properties\":{\"ele\":\($1),\"time\":\"2024-05-01T10:00:0\($0)Z\"},"
                            + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[2,1]}}"
                    }.joined(separator: ",") + "]}"
            }
        ),
    ]

    @Test func `An elevation with many decimals is a number in all formats, and leaves the others numbers`() throws {
        for (format, text) in Self.formats {
            let result = imported(text(["100.5", Self.long, "8848.25", "12345.6"]))
            let chunk = try #require(result.recordings.first?.chunks.first, "\(format)")
            let column = try #require(chunk.column(FieldName.elevation), "\(format)")
            guard case .numbers = column.values else {
                Issue.record("\(format): \(column.values)")
                continue
            }
            let fields = DrawnFields(chunk)
            let expected = [100.5, 110.800000190734863, 8848.25, 12345.6]
            for (index, metres) in expected.enumerated() {
                #expect(abs(fields.exactElevation(at: index) - metres) < 1e-8, "\(format), \(index)")
            }
        }
    }

    @Test func `A number with up to 18 decimals is kept as written, if the others leave room for it`() {
        let text = Self.formats[0].text
        #expect(imported(text(["1.123456789012345", "2.5"])).recordings[0].field("ele")[0] == "1.123456789012345")
        let values = imported(text([Self.long, "2"])).recordings[0].field("ele")
        #expect(values == [Self.rounded, "2.000000000"])
    }

    @Test func `Digits of fields that are no measurements are kept as texts`() {
        let text = "lat,lon,code\n1,2,\(Self.long)\n1,2,5\n"
        #expect(imported(text).recordings[0].field("code") == [Self.long, "5"])
    }

    @Test func `A text among elevations does not hide the numbers`() throws {
        let result = imported(Self.formats[0].text(["100.5", "NaN", "+101", Self.long]))
        let chunk = try #require(result.recordings.first?.chunks.first)
        let fields = DrawnFields(chunk)
        #expect(fields.elevation(at: 0) == 101 && fields.elevation(at: 2) == 101 && fields.elevation(at: 3) == 111)
        #expect(fields.elevation(at: 1) == DrawnFields.noElevation)
        // Exports write what the file had.
        #expect(result.recordings[0].field("ele") == ["100.5", "NaN", "+101", Self.long])
    }

    @Test func `Texts of a column are numbers with nine decimals at most`() throws {
        let column = FieldColumn(name: "ele", values: .texts(["1.00000000049", nil, "x", "-2.5", "9e12"]))
        let numbers = try #require(column.numbers)
        #expect(numbers.places == 9)
        #expect(
            numbers.numbers == [
                1_000_000_000, FieldColumn.absent, FieldColumn.absent, -2_500_000_000, FieldColumn.absent,
            ])
        #expect(FieldColumn(name: "ele", values: .texts(["x", nil])).numbers == nil)
    }
}
