import Database
import Digest
import Editions
import Geocoding
import Journeys
import Pins
import Stays
import Testing
import TileMath
import TrackQuery
import Tracks

@testable import PrimaryStore
@testable import TrackStore

/// A row of each table of journeys.
private func addJourneys(to database: TrackDatabase) throws {
    let places = try (0..<2).map {
        JourneyPlace("P", at: try #require(GeoPoint(longitude: Double($0), latitude: 1)))
    }
    let route = try database.add(JourneyRoute("R", places: places), source: "r.json").id
    let journey = try database.add(NewJourney(route: route, drive: .focus, members: ["ada"]))
    guard case .added(let id) = journey else { return }
    _ = try database.startSession(inJourney: id, of: "ada", seconds: 3600, place: nil, now: { 1 })
    try database.setSeen([1], of: "ada", at: 3_600_001)
    _ = try database.setPicture([1], of: .route(route))
}

/// Makes a library with rows in every table.
func makeFilledLibrary(_ path: String) throws {
    let library = try Library(folder: path, zoneIfNew: "Europe/Berlin")
    let database = library.database
    for (time, elevation) in [(0, nil), (1, (0..<90).map { Int64($0) })] as [(Int, [Int64]?)] {
        let number = try database.beginImportRun(["\(time).gpx"])
        let session = try database.beginImport(of: number)
        let file = try session.open()
        for chunk in outing(start: 1_559_390_400, count: 90, elevation: elevation) {
            try session.append(chunk, to: file)
        }
        let header = RecordingHeader(
            name: "Ride \(time)", activity: "ride", person: "ada", source: "\(time).gpx",
            attributes: ["desc": "\(time)"]
        )
        _ = try session.close(file, header: header)
        // Two tracks of a device, and then the points that join them.
        let seconds: [Int64] = time == 0 ? [0, 60, 120, 6000, 6060, 6120] : (2..<100).map { $0 * 60 + 7 }
        let device = try session.open()
        try session.append(trickle(seconds.map { $0 + 1_559_400_000 }), to: device)
        let phone = RecordingHeader(
            name: "Day", activity: "walk", device: "phone", source: "r.json", attributes: ["a": "b"])
        _ = try session.close(device, header: phone)
        try session.finish()
        try database.storeReceipts(
            [
                StoredReceipt(
                    json: "{\"file\":\"\(time).gpx\"}",
                    file: ReadFile(
                        number: 1, name: "\(time).gpx", digest: ContentDigest(of: [UInt8(time)]), format: "gpx",
                        reader: 1))
            ], ofImport: number)
    }
    try database.add(outing(start: 1_560_000_000, count: 20), source: "c.gpx")
    let box = try #require(BoundingBox(west: 13.1, south: 52.1, east: 13.2, north: 52.2))
    let venue = VenueSummary(id: "a1", name: "House", source: "a.zip", time: 7, bounds: box)
    _ = try database.store(venue, bytes: [1, 2, 3])
    _ = try database.close("b2", ofVenue: "a1", until: 9, now: 0)
    let favourite = StoredFavourite(venue: "a1", place: "c3", name: "Desk")
    #expect(try database.keep(favourite, of: "ada", position: nil) == .done)
    let directions = StoredDirections(id: "d4", time: 8, venue: "a1", stops: "1,1;2,2", profile: "walk")
    #expect(try database.keep(directions, of: "ada"))
    try addJourneys(to: database)
    let longer = try database.beginImport(of: try database.beginImportRun(["c.gpx"]))
    let continued = try longer.open()
    for chunk in outing(start: 1_560_000_000, count: 30) { try longer.append(chunk, to: continued) }
    try longer.close(continued, header: RecordingHeader(source: "c.gpx"))
    try longer.finish()
    try database.write {
        try $0.session.run("INSERT INTO heading SELECT min(number), 1559400000000, 90, 0, 'h' FROM stream")
    }
    let zone = RequestedZone(longitude: 134_000_000, latitude: 525_000_000, radiusMetres: 600)
    _ = try database.addEdition(name: "public", rule: EditionRule(), zones: [zone])
    _ = try database.add(RetentionRule(.device("car"), days: 30))
    // A row that only libraries of editions have.
    try database.add([EditionSource(source: 1, fingerprint: 2, track: 3)])
    let tracks = try database.allTracks()
    var edit = TrackEdit()
    edit.name = "Mine"
    edit.activity = "run"
    edit.addedTags = ["red"]
    _ = try database.edit([tracks[0].id], edit)
    _ = try database.addLayer(name: "long", condition: try TrackCondition(parsing: "metres > 10"))
    var pin = PinContent(try #require(PinPlace(longitude: 8, latitude: 47)), source: .hand, located: .hand)
    pin.caption = "here"
    let added = try database.addPin(pin)
    _ = try database.setVote(true, of: "ada", on: added.id)
    for person in ["ada", "bea", "cid"] {
        _ = try database.setReport(true, of: person, on: added.id, reason: "spam")
    }
    let comment = try #require(try database.addComment("nice", of: "ada", on: added.id))
    _ = try database.setVote(true, of: "bea", onComment: comment.number, of: added.id)
    let bytes = [UInt8](repeating: 7, count: 300_000)
    let photo = PinPhoto(
        digest: ContentDigest(of: bytes), contentType: "image/jpeg", byteCount: 300_000, method: .exif)
    _ = try database.addPin(pin, PhotoContent(photo, pictures: [.original: bytes, .thumb: [1, 2, 3]]))
    try library.rebuild()
    try database.add(outing(start: 1_570_000_000, count: 20), source: "d.gpx")
    try library.catchUp()
    try library.finishLayers()
    try library.updateAddressQueue()
    let cells = try database.read { try $0.session.rows("SELECT cell FROM address") { $0.integer(0) } }
    let address = PostalAddress(
        label: "Allee 1, Berlin", place: "Berlin", region: "Berlin", country: "DE",
        position: GeoPoint(longitude: 13.4, latitude: 52.5), source: "test")
    _ = try database.nameStays(at: StayName(longitude: 84_000_000, latitude: 470_000_000, name: "Home"), of: nil)
    for cell in cells { try database.store(address, of: try #require(GeocodingCell(key: cell))) }
}
