import HTTPCore
import SQLite
import TestLibrary
import Testing
import TrackStore

@testable import PrimaryStore

/// A server whose library was altered from outside: it answers, and `verify` tells.
@Suite struct AlteredRowTests {
    /// Columns of `track`, each with values of another type or size than this program writes.
    private static let alterations: [(column: String, value: String)] = [
        "span", "points", "untimed", "metres", "start", "finish", "west", "gap", "marked", "long_segments", "digest",
    ].flatMap { column in
        ["'zz'", "9223372036854775807", "-9223372036854775808", "1e300", "-1", "x'00ff'"].map { (column, $0) }
    }

    @Test(arguments: alterations)
    func `requests end although a value of every track is altered`(column: String, value: String) throws {
        let town = try Town()
        let id = try #require(try town.library.database.tracks(limit: 1)?.tracks.first?.id)
        do {
            let connection = try Connection(path: town.library.folder + "/tracks.sqlite")
            try connection.execute("UPDATE track SET \(column) = \(value)")
        } catch {
            return  // A rule of the table refuses the value.
        }
        for path in [
            "/v1/tracks", "/v1/tracks/\(id)", "/v1/replay/manifest", "/v1/stats", "/v1/calendar?year=2019",
            "/v1/tracks/\(id).gpx", "/v1/position?t=2019-06-01T10:00:30Z", "/metrics",
        ] {
            // A crash or an endless loop would end the test.
            #expect([200, 400, 404, 500].contains(town.get(path).status.code), "\(path)")
        }
        #expect(try !town.library.verify().isEmpty)
    }
}
