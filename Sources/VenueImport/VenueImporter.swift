internal import Archive
internal import Files
internal import Text
internal import Venues

/// Reads venues from files: archives, single files, folders of members. Files are recognised by content.
public enum VenueImporter {
    /// Limits for archives of venues: the largest known has 60 MB.
    private static var archiveLimits: ArchiveLimits {
        var limits = ArchiveLimits()
        limits.members = 10_000
        limits.directoryMembers = 10_000
        limits.memberBytes = VenueLimits.bytes
        limits.totalBytes = 4 * VenueLimits.bytes
        return limits
    }

    /// The venues of a file or a folder; empty if there are none, so that another reader may have it.
    ///
    /// A file that cannot be read is an outcome with its reason, and stops no other. A folder is read with its subfolders.
    /// `isStopped` is asked between files.
    public static func read(path: String, isStopped: () -> Bool = { false }) -> [VenueOutcome] {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard FileStatus.ifExists(of: path)?.kind == .folder else { return readFile(path, name: name) }
        var members = VenueMembers(name: name)
        var outcomes: [VenueOutcome] = []
        var refused: [FileError] = []
        let base = path.hasSuffix("/") ? path : path + "/"
        do {
            try Folder.walk(path, refused: { refused.append($0) }) { file in
                guard !isStopped() else { throw VenueError.cancelled }
                let relative = file.hasPrefix(base) ? String(file.dropFirst(base.count)) : file
                guard let bytes = try? bytes(of: file) else { return }
                if case .archive = VenueFileKind(bytes.prefix(VenueFileKind.headBytes)) {
                    outcomes += read(bytes: bytes, name: relative)
                } else {
                    members.add(VenueMembers.Member(path: relative, bytes: bytes))
                }
            }
        } catch {
            return outcomes + [VenueOutcome(name: name, .failure(VenueImportError(reading: error)))]
        }
        outcomes += members.finish()
        outcomes += refused.map { VenueOutcome(name: $0.path, .failure(VenueImportError(reading: $0))) }
        return outcomes.sorted { $0.name < $1.name }
    }

    private static func readFile(_ path: String, name: String) -> [VenueOutcome] {
        do {
            return read(bytes: try bytes(of: path), name: name)
        } catch {
            return [VenueOutcome(name: name, .failure(VenueImportError(reading: error)))]
        }
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        let source = try FileSource(path: path)
        guard let bytes = try source.readAll(limit: 4 * VenueLimits.bytes) else {
            throw VenueError.tooLarge("\(4 * VenueLimits.bytes >> 20) MiB")
        }
        return bytes
    }

    /// The venues of a file in memory; empty if there are none. `name` is that of the file, with its ending.
    public static func read(bytes: [UInt8], name: String) -> [VenueOutcome] {
        switch VenueFileKind(bytes.prefix(VenueFileKind.headBytes)) {
        case .archive(let format) where format.isArchive: return readArchive(bytes, format, name: name)
        case .archive(let format): return readCompressed(bytes, format, name: name)
        case .openStreetMap, .json: return readSingle(bytes, name: name)
        case .other: return []
        }
    }

    private static func readSingle(_ bytes: [UInt8], name: String) -> [VenueOutcome] {
        do throws(VenueError) {
            let title = VenueMembers.stem(name)
            if case .openStreetMap = VenueFileKind(bytes.prefix(VenueFileKind.headBytes)) {
                return [VenueOutcome(name: name, .success(try Venue.reading(openStreetMap: bytes, name: title)))]
            }
            let collection = try FeatureCollection(bytes)
            // The own name of a collection of IMDF is that of its type.
            let isTyped = collection.name.map { FeatureKind(rawValue: $0) != nil } ?? true
            let reading = try Venue.reading([collection], name: isTyped ? title : collection.name ?? title)
            return [VenueOutcome(name: name, .success(reading))]
        } catch {
            // JSON and XML that are no venue, or no JSON at all, may be of another kind.
            if case .notAVenue = error { return [] }
            return [VenueOutcome(name: name, .failure(VenueImportError(error)), isVenue: false)]
        }
    }

    /// A compressed single file: `house.osm.bz2`.
    private static func readCompressed(_ bytes: [UInt8], _ format: ArchiveFormat, name: String) -> [VenueOutcome] {
        do {
            let reader = try archive(bytes, format)
            guard let bytes = try content(reader) else { return [] }
            return readSingle(bytes, name: VenueMembers.stem(name))
        } catch {
            return [VenueOutcome(name: name, .failure(VenueImportError(reading: error)), isVenue: false)]
        }
    }

    private static func readArchive(_ bytes: [UInt8], _ format: ArchiveFormat, name: String) -> [VenueOutcome] {
        var members = VenueMembers(name: name)
        do {
            let reader = try archive(bytes, format)
            while let path = try reader.next() {
                let path = String(decoding: path, as: UTF8.self)
                do {
                    guard let bytes = try content(reader) else { continue }
                    members.add(VenueMembers.Member(path: path, bytes: bytes))
                } catch {
                    throw VenueImportError(reading: error, member: path)
                }
            }
        } catch {
            let failure = VenueImportError(reading: error)
            return [VenueOutcome(name: name, .failure(failure), isVenue: members.hasVenue)]
        }
        return members.finish()
    }

    private static func archive(_ bytes: [UInt8], _ format: ArchiveFormat) throws -> ArchiveReader {
        var blocks = [bytes]
        return try ArchiveReader(format, limits: archiveLimits) { blocks.popLast() ?? [] }
    }

    /// The bytes of a member; nil, without reading on, if it is neither JSON nor XML.
    private static func content(_ reader: ArchiveReader) throws -> [UInt8]? {
        var content = try reader.read()
        switch VenueFileKind(content.prefix(VenueFileKind.headBytes)) {
        case .json, .openStreetMap: break
        case .archive, .other: return nil
        }
        while case let block = try reader.read(), !block.isEmpty { content += block }
        return content
    }
}
