import Testing
import TrackImport
import Tracks

private func collection(_ features: String...) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[" + features.joined(separator: ",") + "]}"
}

private func line(_ properties: String, _ more: String = "") -> String {
    "{\"type\":\"Feature\"\(more),\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4]]},\"properties\":\(properties)}"
}

@Suite struct VenueTests {
    @Test(arguments: [
        collection(line("{\"category\":\"pedestrian\"}", ",\"feature_type\":\"opening\"")),
        collection(line("{\"feature_type\":\"unit\"}")),
        collection(line("{\"indoor\":\"wall\"}")),
        collection(line("{\"highway\":\"steps\",\"level\":\"0;1\"}")),
        collection(line("{\"level_id\":\"a\"}")),
        collection(line("{\"name\":\"a road\"}"), line("{\"indoor\":\"corridor\",\"level\":\"-1\"}")),
    ]) func `A map of a building is refused with a single message`(text: String) {
        let result = imported(text)
        #expect(result.receipt.failure == .venue)
        #expect(result.recordings.isEmpty)
        #expect(result.receipt.lines.count { $0.contains("venue") } == 1)
        #expect(result.receipt.lines.count == 1)
    }

    @Test func `Plain lines without times are still tracks`() {
        let result = imported(
            collection(line("{\"name\":\"Main Street\",\"level\":\"120\"}"), line("{\"featurecla\":\"River\"}")))
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.map(\.header.name) == ["Main Street", nil])
    }

    @Test func `A recording with times is not a venue and parts of buildings are counted`() {
        let timed = line("{\"times\":[1714550400,1714550401],\"indoor\":\"yes\"}")
        let result = imported(collection(timed, line("{\"indoor\":\"room\"}")))
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.count == 1)
        #expect(result.receipt.skipped == [.venuePart: 1])
    }

    @Test func `Editors of map objects are not recorded persons`() {
        let meta = "\"user\":\"ada\",\"timestamp\":\"2018-02-20T09:11:42Z\",\"version\":\"1\",\"changeset\":\"5\""
        let point =
            "{\"type\":\"Feature\",\"id\":\"node/1\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]},\"properties\":{\(meta)}}"
        let result = imported(collection(point, line("{\(meta),\"highway\":\"path\"}")))
        #expect(result.receipt.skipped == [.place: 1])
        #expect(result.recordings.map(\.header.person) == [nil])
    }

    @Test(arguments: [
        "indoor/westport-house-imdf/opening.geojson", "indoor/westport-house-imdf/unit.geojson",
        "indoor/westport-house-imdf/level.geojson", "indoor/osm-indoor/caserne.geojson",
        "indoor/osm-indoor/gare-de-l-est.geojson", "indoor/westport-house-imdf.zip",
    ]) func `Real buildings are refused`(path: String) {
        guard let bytes = realFile(path) else { return }
        let result = imported(bytes)
        #expect(result.recordings.isEmpty)
        #expect(result.receipt.reported.map(\.failure) == [.venue])
    }
}
