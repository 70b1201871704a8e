import Database
import Digest
import Editions
import Files
import Foundation
import HTTPCore
import Links
import Locking
import TestLibrary
import Testing
import Text
import TileMath
import Tokens
import TrackQuery
import TrackStore
import Tracks

@testable import Playback
@testable import PrimaryStore
@testable import TileService

/// A library of rides that begin at a home, with an edition that hides it: two of these differ in nothing but where
/// exactly within the zone the rides began.
final class EditionHome {
    private static let id = "abcde"

    let folder: TemporaryFolder
    let library: Library
    let server: TileServer
    let links: LinkBook
    let tokens: TokenFile
    private let book: TokenBook
    let seconds = Locked<Int64>(1_700_000_000)

    init(shift: Int64 = 0, publicEdition: Bool = true, archives: [ServedArchive] = []) throws {
        folder = try TemporaryFolder()
        library = try Library(in: folder)
        for day in 0..<3 as Range<Int64> { try library.database.add([Self.ride(day, shift)], Self.header(day)) }
        try library.catchUp()
        try Self.addEdition(to: library)
        tokens = TokenFile(folder: library.folder)
        book = try TokenBook(store: tokens)
        links = try LinkBook(store: RecordFile(folder: library.folder)) { [seconds] in seconds.withLock { $0 } }
        let (book, links, seconds) = (book, links, seconds)
        server = try library.server { configuration in
            configuration.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            configuration.tokens = book
            configuration.links = links
            configuration.publicEdition = publicEdition ? "public" : nil
            configuration.archives = archives
            configuration.now = { seconds.withLock { $0 * 1000 } }
        }
    }

    private static func header(_ day: Int64) -> RecordingHeader {
        RecordingHeader(
            name: "Home to work", activity: "ride", source: "\(day).gpx", attributes: ["desc": "from home"])
    }

    /// Half an hour from home eastwards and back; of the first and last minute, `shift` moves the points and what they have.
    private static func ride(_ day: Int64, _ shift: Int64) -> PointColumns {
        let count: Int64 = 360
        let way = (0..<count).map { min($0, count - 1 - $0) }
        let moved = way.map { $0 < 12 ? shift * (1 + ($0 + day) % 3) : 0 }
        return PointColumns(
            unit: .decimal(places: 7),
            longitudes: way.indices.map { 134_000_000 + way[$0] * 7_000 + moved[$0] },
            latitudes: way.indices.map { 525_000_000 + way[$0] % 5 * 100 + moved[$0] / 2 },
            times: way.indices.map { (Town.firstDay + day * 86_400 + Int64($0) * 5) * 1000 }, segmentStarts: [0],
            fields: [
                FieldColumn(
                    name: FieldName.distance,
                    values: .numbers(places: 0, way.indices.map { Int64($0) * 50 + abs(shift) / 100 })),
                FieldColumn(name: FieldName.elevation, values: .numbers(places: 1, moved.map { 400 + $0 / 10 })),
            ])
    }

    /// With constant ids, so that two libraries can give the same bytes.
    private static func addEdition(to library: Library) throws {
        var rule = EditionRule()
        rule.zones = [
            PrivacyZone(
                longitude: 134_000_000, latitude: 525_000_000, centreLongitude: 134_010_000,
                centreLatitude: 525_010_000, radiusMetres: 700)
        ]
        let text = String(decoding: try rule.encoded(), as: UTF8.self)
        try library.database.write { writer in
            try writer.session.run(
                "INSERT INTO edition (id, name, rule, key, time) VALUES ($1, 'public', $2, $3, 1)",
                [.text(id), .text(text), .blob([UInt8](repeating: 7, count: 32))])
        }
        try library.database.write { writer in
            try writer.session.run(
                """
                INSERT INTO privacy_zone (longitude, latitude, radius, centre_longitude, centre_latitude)
                VALUES (134000000, 525000000, 700, 134010000, 525010000)
                """, [])
        }
        let edition = try #require(try library.database.editions().first)
        try library.library(of: edition).database.write { writer in
            try writer.session.run("UPDATE meta SET value = 'edition' WHERE name = 'library'")
        }
    }

    /// Lets the server see tokens that were added.
    func poll() {
        book.poll()
    }

    func get(_ target: String, _ headers: [(HeaderName, String)] = []) -> Response {
        server.get(target, [(.host, "192.0.2.1")] + headers)
    }

    func post(_ target: String, _ body: String, _ headers: [(HeaderName, String)] = []) -> Response {
        server.ask(
            Request(.post, target, headers: [(.host, "192.0.2.1")] + headers, content: .bytes(Array(body.utf8))))
    }

    func token(_ role: TokenRole, edition: String? = nil) throws -> [(HeaderName, String)] {
        let token = try tokens.add(
            role: role, name: edition ?? role.rawValue, person: role == .member ? "ada" : nil, edition: edition,
            now: 1
        ).token
        return [(.authorization, "Bearer \(token.text)")]
    }

    /// The header with the cookie of a link.
    func open(_ secret: String, password: String? = nil) -> (status: Status, cookie: [(HeaderName, String)]) {
        let answer = post(
            "/s/v1/links/open",
            "{\"secret\":\"\(secret)\"" + (password.map { ",\"password\":\"\($0)\"" } ?? "") + "}")
        let cookie = answer[HeaderName("Set-Cookie")].map { String($0.prefix { $0 != ";" }) }
        return (answer.status, cookie.map { [(HeaderName("Cookie"), $0)] } ?? [])
    }
}
