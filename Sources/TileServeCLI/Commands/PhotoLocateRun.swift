import Files
import PhotoFiles
import PhotoLocating
import PhotoMatching
import Text
import TrackStore
import Tracks

extension PhotoLocateCommand {
    /// A photo that could be read.
    private struct ReadPhoto {
        var path: String
        var photo: PhotoMatcher.Photo
    }

    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        let zones = PlaceZones()
        if !zones.isUsable {
            terminal.note(
                "\(PlaceZones.systemTable): not found; install tzdata, or times without a zone are in the library's zone"
            )
        }
        var code = ExitCode.done
        let photos = try readPhotos(context) { line in
            terminal.note(line)
            code = .incomplete
        }
        let timelines = try LibraryTimelines(
            library, person: try personNumber(library), for: .owner, isCancelled: { context.stop.isRequested })
        let progress = Progress(terminal)
        defer { progress.end() }
        let matcher = try PhotoMatcher(library, timelines, zones: zones, givenAhead: ahead)
        let located: [LocatedPhoto]
        do {
            located = try matcher.locate(photos.map(\.photo)) { done in
                if context.stop.isRequested { throw CancellationError() }
                progress.update(fraction: Double(done) / Double(photos.count)) { _ in
                    "located \(NumberText.count(done)) of \(NumberText.count(photos.count, "photo"))"
                }
            }
        } catch is CancellationError {
            return .incomplete
        }
        progress.end()
        let results = zip(photos, located).map { LocatedFile(path: $0.path, photo: $1) }
        try terminal.out(LocatedFile.text(results, as: output))
        if !results.contains(where: { $0.photo.best?.estimate != nil }) { code = .incomplete }
        guard writesSidecars else { return code }
        for result in results where !context.stop.isRequested {
            if let refusal = try writeSidecar(result) {
                terminal.note(refusal)
                code = .incomplete
            }
        }
        return code
    }

    private func personNumber(_ library: Library) throws -> Int64? {
        guard let person else { return nil }
        guard let found = try library.database.persons().first(where: { $0.name == person }) else {
            throw Failure(.noInput, "person '\(person.singleLine)': no such person; 'tileserve tracks list' shows them")
        }
        return found.number
    }

    // MARK: Reading

    private func readPhotos(_ context: CommandEnvironment, refuse: (String) -> Void) throws -> [ReadPhoto] {
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
                photos.append(
                    ReadPhoto(
                        path: path, photo: PhotoMatcher.Photo(metadata, givenPlace: index.map { places[$0].place })))
            } catch PhotoError.unknownFormat where !isNamed {
                // A folder may contain anything.
            } catch let error as FileError {
                refuse(Failure(error, command: "tileserve \(Self.name)").line)
            } catch {
                refuse("\(FileName.shown(path)): \(error)")
            }
        }
        for path in paths {
            if FileStatus.ifExists(of: path)?.kind == .folder {
                try Folder.walk(
                    path, refused: { refuse(Failure($0, command: "tileserve \(Self.name)").line) },
                    { read($0, isNamed: false) })
            } else {
                read(path, isNamed: true)
            }
        }
        for (index, place) in places.enumerated() where !used.contains(index) {
            refuse("--at \(place.file.singleLine): none of the photos has this name; check the name")
        }
        return photos
    }

    private static func lastComponent(_ path: String) -> String {
        String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    }

    /// The bytes of a photo's sidecar; nil if there is none that can be read.
    private static func sidecar(of path: String) -> [UInt8]? {
        (try? AtomicFile.read(PhotoSidecar.path(of: path), limit: PhotoSidecar.byteLimit)) ?? nil
    }

    // MARK: Sidecars

    /// Writes the sidecar of a photo that has a place; returns why it did not.
    private func writeSidecar(_ result: LocatedFile) throws -> String? {
        guard let best = result.photo.best, let estimate = best.estimate else { return nil }
        let path = PhotoSidecar.path(of: result.path)
        let isForeign =
            FileStatus.ifExists(of: path) != nil && !(Self.sidecar(of: result.path).map(PhotoSidecar.isOwn) ?? false)
        if isForeign, !replacesSidecars {
            return
                "\(FileName.shown(path)): another program wrote this sidecar, so it was kept; add '--replace' to replace it"
        }
        let bytes = PhotoSidecar.bytes(
            place: estimate.place, radiusMetres: estimate.radiusMetres, instant: best.instant,
            zoneAhead: best.zoneAhead)
        do {
            try AtomicFile.write(bytes, to: path, access: .shared)
            return isForeign ? "\(FileName.shown(path)): replaced the sidecar of another program" : nil
        } catch {
            return Failure(error, command: "tileserve \(Self.name)").line
        }
    }
}
