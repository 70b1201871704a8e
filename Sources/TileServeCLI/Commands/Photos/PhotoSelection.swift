import Files
import PhotoFiles
import PhotoLocating
import PhotoMatching
import PrimaryStore
import Text
import TileMath
import TrackStore

/// The photos of a command line: the options that help to locate them, and the files.
struct PhotoSelection {
    /// A place that the user knows: `FILE=LON,LAT`.
    struct GivenPlace: Equatable {
        var file: String
        var place: GeoPoint
    }

    /// A photo that could be read.
    struct ReadPhoto {
        var path: String
        var photo: PhotoMatcher.Photo
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
    /// read, or nil, and a line that says why.
    func read(_ context: CommandEnvironment, refuse: (_ path: String?, _ line: String) -> Void) throws -> [ReadPhoto] {
        var photos: [ReadPhoto] = []
        var used = Set<Int>()
        func read(_ path: String, isNamed: Bool) {
            guard !context.stop.isRequested, isNamed || !path.hasSuffix(".xmp") else { return }
            do {
                var metadata = try PhotoFile(path: path).metadata()
                if let sidecar = Self.sidecar(of: path).flatMap({ PhotoSidecar.metadata($0) }) {
                    metadata.fill(from: sidecar)
                }
                let index = places.firstIndex { $0.file == path || $0.file == Self.lastComponent(path) }
                if let index { used.insert(index) }
                let photo = PhotoMatcher.Photo(metadata, givenPlace: index.map { places[$0].place })
                photos.append(ReadPhoto(path: path, photo: photo))
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
        for (index, place) in places.enumerated() where !used.contains(index) {
            refuse(nil, "--at \(place.file.singleLine): none of the photos has this name; check the name")
        }
        return photos
    }

    /// Locates photos by the tracks of a person, or of all persons; nil if the command was stopped.
    func locate(
        _ photos: [ReadPhoto], person number: Int64?, zones: PlaceZones, _ library: Library,
        _ context: CommandEnvironment
    ) throws -> [LocatedFile]? {
        let progress = Progress(context.terminal)
        defer { progress.end() }
        do {
            let timelines = try LibraryTimelines(
                library, person: number, isCancelled: { context.stop.isRequested })
            let matcher = try PhotoMatcher(library, timelines, zones: zones, givenAhead: ahead)
            let located = try matcher.locate(photos.map(\.photo)) { done in
                if context.stop.isRequested { throw CancellationError() }
                progress.update(fraction: Double(done) / Double(photos.count)) { _ in
                    "located \(DisplayText.count(done)) of \(DisplayText.count(photos.count, "photo"))"
                }
            }
            return zip(photos, located).map {
                LocatedFile(path: $0.path, metadata: $0.photo.metadata, photo: $1)
            }
        } catch is CancellationError {
            return nil
        }
    }

    private static func lastComponent(_ path: String) -> String {
        String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    }

    /// The bytes of a photo's sidecar; nil if there is none that can be read.
    static func sidecar(of path: String) -> [UInt8]? {
        (try? AtomicFile.read(PhotoSidecar.path(of: path), limit: PhotoSidecar.byteLimit)) ?? nil
    }
}
