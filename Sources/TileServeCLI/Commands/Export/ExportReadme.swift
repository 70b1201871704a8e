import Text
import TrackStore

/// The page in an export that says what is where.
enum ExportReadme {
    static func text(counts: [String: Int]) -> String {
        func row(_ files: String, _ kind: String, _ about: String) -> String {
            "| `\(files)` | \(counts[kind] ?? 0) | \(about) |"
        }
        let rows =
            [
                row("tracks/YEAR/DAY-ID.gpx", "tracks", "tracks, GPX 1.1, with every point and field"),
                row("tracks.ndjson", "tracks", "the list of tracks: ids, tags, digests, files"),
                row(
                    "inbox/", "inboxTracks",
                    "the same of tracks that others have shared, and that were not accepted yet"),
                row("pins.geojson", "pins", "pins, GeoJSON (RFC 7946)"),
                row("pins.ndjson", "pins", "the list of pins, with the files of their photos"),
                row("photos/", "photos", "photos: originals; `.screen` is in the name of those that have none"),
                row("venues/ID.geojson", "venues", "plans of buildings, with their features as recorded"),
                row("routes/ID.json", "routes", "routes with their places"),
                row("pictures/", "pictures", "pictures of routes, places, persons and rewards"),
                row(
                    "journeys/PERSON.sqlite", "journeyFiles",
                    "journeys, focus sessions, reached places and rewards of a person, for any program for SQLite"),
                row("lists/imports.ndjson", "imports", "imports with their receipts"),
            ] + ExportedRows.allCases.map { row("lists/\($0.rawValue).ndjson", $0.rawValue, $0.about) }
        return """
            # An export of a library of tileserve

            A line of a `.ndjson` file is a JSON object. `manifest.json` names every file with its size and SHA-256, and has
            the counts below. Access tokens are not part of an export, nor is what is computed from tracks: the map, totals,
            countries, stays.

            | files | count | content |
            |---|---|---|
            \(rows.joined(separator: "\n"))

            To read it into a new library:

                tileserve import tracks pins.geojson venues
                tileserve routes import routes/*.json
                tileserve journeys import journeys/*.sqlite

            Tracks then have the same digests, pins the same ids. Photos are stored anew by `tileserve photos import photos`.

            """
    }
}
