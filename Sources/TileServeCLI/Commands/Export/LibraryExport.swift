import JourneyFiles
import JourneyService
import Journeys
import PinService
import Pins
import PrimaryStore
import Text
import TrackExport
import TrackService
import TrackStore
import VenueService
import Venues

/// Writes everything that a library has into a folder.
struct LibraryExport {
    private let library: Library
    private let output: ExportFolder
    private let context: CommandEnvironment
    private let progress: Progress
    /// When it was begun, in milliseconds since 1970.
    let now: Int64

    init(_ library: Library, to output: ExportFolder, _ context: CommandEnvironment, _ progress: Progress) {
        self.library = library
        self.output = output
        self.context = context
        self.progress = progress
        now = TrackDatabase.systemClock()
    }

    mutating func write() throws {
        try writeTracks(of: library, below: "")
        if let inbox = try library.inbox() { try writeTracks(of: inbox, below: "inbox/") }
        try writePins()
        try writeVenues()
        try writeRoutes()
        try writePersons()
        try writeImports()
        for rows in ExportedRows.allCases { try write(rows) }
        try output.write("README.md", Array(ExportReadme.text(counts: output.counts).utf8))
    }

    private func checkStop() throws {
        if context.stop.isRequested { throw CancellationError() }
    }

    // MARK: Tracks

    /// How often a track is written anew that changes meanwhile: a device records into it.
    private static let attempts = 10

    /// One GPX file per track, in folders by year; and a list with ids, digests, tags and what else GPX has no place for.
    private func writeTracks(of library: Library, below prefix: String) throws {
        let total = try library.database.totals().tracks
        var list: [UInt8] = []
        var (done, after) = (0, nil as String?)
        repeat {
            let page = try library.database.tracks(TrackFilter(), limit: CommandEnvironment.pageItems, after: after)
            for entry in library.entries(of: page?.tracks ?? []) {
                try checkStop()
                let name = try write(entry.track, of: library, below: prefix)
                var object = entry.fullJSON
                object.add("file", name)
                list += Array((object.text + "\n").utf8)
                done += 1
                progress.update(fraction: Double(done) / Double(max(1, total))) { _ in
                    "exporting: \(DisplayText.count(done, "track"))"
                }
            }
            after = page?.next
        } while after != nil
        output.count(prefix.isEmpty ? "tracks" : "inboxTracks", done)
        if prefix.isEmpty || done > 0 { try output.write(prefix + "tracks.ndjson", list, count: done) }
    }

    private func write(_ track: Track, of library: Library, below prefix: String) throws -> String {
        let format = ExportFormat.gpx
        let year = track.start.map { String(InstantFormatter.utc($0).prefix { $0 != "-" }) } ?? "undated"
        let name = "\(prefix)tracks/\(year)/\(format.fileName(start: track.start, id: track.id))"
        for attempt in 1... {
            // The newest version, whose digest the list has if it did not change meanwhile.
            guard let current = try library.database.track(number: track.number) else { break }
            do {
                try output.write(name, count: current.points) { put in
                    var export = Export(try TrackExportSource(library, [current]), as: format)
                    while let bytes = try export.next() {
                        try checkStop()
                        if !bytes.isEmpty { try put(bytes) }
                    }
                }
                break
            } catch ExportError.changed(let id) {
                guard attempt < Self.attempts else {
                    throw Failure(.incomplete, "\(id): the track changed during the export; repeat the command")
                }
            }
        }
        return name
    }

    // MARK: Pins and photos

    private func writePins() throws {
        let source = try TrackExportSource(library, pins: PinFilter())
        var count = 0
        var list: [UInt8] = []
        var pages = source
        while case let pins = try pages.nextPins(), !pins.isEmpty {
            for pin in pins {
                try checkStop()
                count += 1
                var object = pin.fullJSON(picture: try PinPictureDetails(pin, library))
                if let file = try writePhoto(of: pin) { object.add("file", file) }
                list += Array((object.text + "\n").utf8)
            }
        }
        output.count("pins", count)
        try output.write("pins.ndjson", list, count: count)
        try output.write("pins.geojson", count: count) { put in
            var export = Export(source, as: .geojson)
            while let bytes = try export.next() { if !bytes.isEmpty { try put(bytes) } }
        }
    }

    /// Writes the original of a photo, or the largest picture that there is of it; each photo once. Returns the name.
    private func writePhoto(of pin: Pin) throws -> String? {
        guard let photo = try library.database.photo(ofPin: pin.id) else { return nil }
        for size in [PinPhoto.Size.original, .screen, .thumb] {
            guard let bytes = try library.database.picture(ofPin: pin.id, size) else { continue }
            let kind = size == .original ? "" : ".\(size.rawValue)"
            let name = "photos/\(photo.digest)\(kind).\(PictureFormat.ending(of: bytes))"
            if !output.has(name) {
                try output.write(name, bytes)
                output.count("photos")
            }
            return name
        }
        return nil
    }

    // MARK: Venues, routes, journeys

    private func writeVenues() throws {
        for summary in try library.database.read({ try $0.venues() }) {
            try checkStop()
            guard let venue = try library.venue(summary.id) else { continue }
            try output.write("venues/\(summary.id).geojson", venue.exportedCollection())
            output.count("venues")
        }
    }

    private func writeRoutes() throws {
        let routes = try library.database.read { snapshot in
            try snapshot.routeStamps().compactMap { try snapshot.route(id: $0.id) }
        }
        for stored in routes {
            try checkStop()
            try output.write("routes/\(stored.id).json", Array((stored.route.json.text + "\n").utf8))
            output.count("routes")
            try writePicture(of: .route(stored.id), named: "route-\(stored.id)")
            for place in stored.placeIDs {
                try writePicture(of: .place(place, ofRoute: stored.id), named: "place-\(stored.id)-\(place)")
            }
        }
        for reward in try library.database.read({ try $0.rewards(withRemoved: true) }) {
            try writePicture(of: .reward(reward.id), named: "reward-\(reward.id)")
        }
    }

    private func writePicture(of subject: PictureSubject, named name: String) throws {
        guard let bytes = try library.database.read({ try $0.picture(of: subject) }) else { return }
        try output.write("pictures/\(name).\(PictureFormat.ending(of: bytes))", bytes)
        output.count("pictures")
    }

    /// One SQLite file for each person that has journeys.
    private func writePersons() throws {
        let book = JourneyBook(library)
        for person in try library.database.read({ try $0.persons() }) {
            try checkStop()
            try writePicture(of: .person(person.name), named: "person-\(person.number)")
            guard try !library.database.read({ try $0.journeys(of: person.name) }).isEmpty else { continue }
            // Names may contain anything; the file names its person.
            let name = person.name == nil ? "owner" : "person-\(person.number)"
            try output.write("journeys/\(name).sqlite", book.exported(person.name, at: now, showsAll: true).bytes())
            output.count("journeyFiles")
        }
    }

    // MARK: Lists

    private func writeImports() throws {
        var list: [UInt8] = []
        let imports = try library.database.imports()
        for record in imports {
            try checkStop()
            let receipts = try library.database.receipts(ofImport: record.number)
            var object = record.json(outdated: try library.database.outdatedFiles(of: record))
            object.add("receipts", json: receipts)
            list += Array((object.text + "\n").utf8)
        }
        output.count("imports", imports.count)
        try output.write("lists/imports.ndjson", list, count: imports.count)
    }

    private func write(_ rows: ExportedRows) throws {
        try checkStop()
        var list: [UInt8] = []
        var count = 0
        try rows.forEach(of: library) { object in
            list += Array((object.text + "\n").utf8)
            count += 1
        }
        output.count(rows.rawValue, count)
        try output.write("lists/\(rows.rawValue).ndjson", list, count: count)
    }
}
