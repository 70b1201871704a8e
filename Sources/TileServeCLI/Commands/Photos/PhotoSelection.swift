import Files
import PhotoFiles
import PhotoLocating
import PhotoMatching
import PrimaryStore
import Text
import TileMath
import TrackStore
import Tracks

/// The photos of a command line: the options that help to locate them, and the files.
struct PhotoSelection {
    /// A place that the user knows: `FILE=LON,LAT`.
    struct GivenPlace: Equatable {
        var file: String
        var place: GeoPoint
    }

    static let offset = Option(
        "offset", "D", "how far the camera's clock is ahead of UTC: +02:00, -05:30:10, 1h3m20s")
    static let at = Option(
        "at", "FILE=LON,LAT", "where a photo was taken; its camera's clock is learned from it; can be repeated")

    let paths: [String]
    /// Milliseconds that the clocks are ahead of UTC.
    let ahead: Int64?
    let places: [GivenPlace]
    /// The name of the command, for messages.
    let command: String

    init(_ given: CommandLineArguments, command: String) throws(UsageError) {
        self.command = command
        paths = given.operands
        ahead = try given.value(Self.offset, .clockOffset, Quantity.clockOffset)
        places = try given.allValues(Self.at, .photoPlace, Self.givenPlace)
    }

    /// Parses `FILE=LON,LAT`; the file may contain `=`.
    private static func givenPlace(_ text: String) -> GivenPlace? {
        guard let equals = text.lastIndex(of: "="), equals > text.startIndex else { return nil }
        return GeoPoint(text: text[text.index(after: equals)...]).map {
            GivenPlace(file: String(text[..<equals]), place: $0)
        }
    }

    /// The zones of places; reports it if the system has none.
    func zones(_ terminal: Terminal) -> PlaceZones {
        let zones = PlaceZones()
        if !zones.isUsable {
            terminal.report(
                "\(PlaceZones.systemTable): not found; install tzdata, or times without a zone are in the library's zone"
            )
        }
        return zones
    }

    /// The number of a person of the library; nil for no name.
    func personNumber(_ person: String?, _ library: Library) throws -> Int64? {
        guard let person else { return nil }
        guard let number = try library.database.personNumber(named: person) else {
            throw Failure(.noInput, "person '\(person.singleLine)': no such person; 'tileserve tracks list' shows them")
        }
        return number
    }

    /// Reads the metadata of all photos, in the order of their paths. `refuse` gets the path of a file that cannot be
    /// read, or nil, and a line that says why. Sidecars are read with their photos.
    func read(_ context: CommandEnvironment, refuse: (_ path: String?, _ line: String) -> Void) throws -> [ReadPhoto] {
        var photos: [ReadPhoto] = []
        var reader = PhotoReader()
        var used = Set<Int>()
        func read(_ path: String, isNamed: Bool) {
            guard !context.stop.isRequested, !PhotoReader.isSidecar(path) else { return }
            do {
                var photo = try reader.read(path)
                let index = places.firstIndex { $0.file == path || $0.file == Self.lastComponent(path) }
                if let index { used.insert(index) }
                photo.photo.givenPlace = index.map { places[$0].place }
                photos.append(photo)
            } catch PhotoError.unknownFormat where !isNamed {
                // A folder may contain anything.
            } catch let error as FileError {
                refuse(path, Failure(error, command: "tileserve \(command)").line)
            } catch {
                refuse(path, "\(FileName.shown(path)): \(error)")
            }
        }
        for path in paths {
            if FileStatus.ifExists(of: path)?.kind == .folder {
                try Folder.walk(
                    path, refused: { refuse(nil, Failure($0, command: "tileserve \(command)").line) },
                    { read($0, isNamed: false) })
            } else {
                read(path, isNamed: true)
            }
        }
        for (index, place) in places.enumerated() where !used.contains(index) && !context.stop.isRequested {
            refuse(nil, "--at \(place.file.singleLine): none of the photos has this name; check the name")
        }
        return reader.joined(photos)
    }

    /// Locates photos by the tracks of a person, or of all persons; nil if the command was stopped. Without a library,
    /// only what the files themselves say is known.
    func locate(
        _ photos: [ReadPhoto], person number: Int64?, zones: PlaceZones, _ library: Library?,
        _ context: CommandEnvironment
    ) throws -> [LocatedFile]? {
        // Then not all photos were read.
        if context.stop.isRequested { return nil }
        let progress = Progress(context.terminal)
        defer { progress.end() }
        do {
            let matcher = try matcher(person: number, zones: zones, library, context)
            let located = try matcher.locate(photos.map(\.photo)) { done in
                if context.stop.isRequested { throw CancellationError() }
                progress.update(fraction: Double(done) / Double(photos.count)) { _ in
                    "located \(DisplayText.count(done)) of \(DisplayText.count(photos.count, "photo"))"
                }
            }
            return zip(photos, located).map {
                LocatedFile(
                    path: $0.path, metadata: $0.photo.metadata, photo: $1, parts: $0.parts, shownPath: $0.shownPath)
            }
        } catch is CancellationError {
            return nil
        }
    }

    private func matcher(
        person number: Int64?, zones: PlaceZones, _ library: Library?, _ context: CommandEnvironment
    ) throws -> PhotoMatcher {
        guard let library else {
            guard let zone = DayCalendar(zone: OpenedLibrary.systemZone(context.environment)) else {
                throw Failure(.unavailable, "the time zone UTC is not known to this system; install tzdata")
            }
            return PhotoMatcher(zone: zone, zones: zones, givenAhead: ahead)
        }
        let timelines = try LibraryTimelines(library, person: number, isCancelled: { context.stop.isRequested })
        return try PhotoMatcher(library, timelines, zones: zones, givenAhead: ahead)
    }

    private static func lastComponent(_ path: String) -> String {
        String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    }
}
