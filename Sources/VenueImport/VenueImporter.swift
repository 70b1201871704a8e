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
                do {
                    outcomes += try add(file, as: relative, to: &members)
                } catch {
                    let failure = VenueImportError(reading: error)
                    outcomes.append(VenueOutcome(name: relative, .failure(failure), isVenue: false))
                }
            }
        } catch {
            return outcomes + [VenueOutcome(name: name, .failure(VenueImportError(reading: error)))]
        }
        outcomes += members.finish()
        outcomes += refused.map { VenueOutcome(name: $0.path, .failure(VenueImportError(reading: $0))) }
        return outcomes.sorted { $0.name < $1.name }
    }

    /// Adds a file of a folder to its members; the venues of an archive, which are its own.
    private static func add(
        _ file: String, as name: String, to members: inout VenueMembers
    ) throws -> [VenueOutcome] {
        let source = try FileSource(path: file)
        let head = try source.read(upTo: FileSource.blockBytes)
        switch VenueFileKind(head.prefix(VenueFileKind.headBytes)) {
        case .archive: return readFile(file, name: name)
        case .json, .openStreetMap:
            let bytes = try head + all { try source.read(upTo: FileSource.blockBytes) }
            members.add(VenueMembers.Member(path: name, bytes: bytes))
        case .other: break
        }
        return []
    }

    /// Whether a file of this name is a member of an IMDF venue, and its folder the venue.
    public static func isMember(_ file: String) -> Bool { VenueMembers.isMemberName(file) }

    private static func readFile(_ path: String, name: String) -> [VenueOutcome] {
        do {
            let source = try FileSource(path: path)
            return read(name: name) { try source.read(upTo: FileSource.blockBytes) }
        } catch {
            return [VenueOutcome(name: name, .failure(VenueImportError(reading: error)), isVenue: false)]
        }
    }

    /// The venues of a file in memory; empty if there are none. `name` is that of the file, with its ending.
    public static func read(bytes: [UInt8], name: String) -> [VenueOutcome] {
        var blocks = [bytes]
        return read(name: name) { blocks.popLast() ?? [] }
    }

    /// The venues of a file, of which `next` returns the next bytes, empty at the end. Of a file that is neither an archive
    /// nor JSON nor a map of OpenStreetMap, only the first bytes are read.
    public static func read(name: String, next: @escaping () throws -> [UInt8]) -> [VenueOutcome] {
        do {
            let head = try next()
            var blocks = [head]
            let whole = { () throws -> [UInt8] in try blocks.popLast() ?? next() }
            switch VenueFileKind(head.prefix(VenueFileKind.headBytes)) {
            case .archive(let format) where format.isArchive: return readArchive(whole, format, name: name)
            case .archive(let format): return readCompressed(whole, format, name: name)
            case .openStreetMap, .json: return readSingle(try all(whole), name: name)
            case .other: return []
            }
        } catch {
            return [VenueOutcome(name: name, .failure(VenueImportError(reading: error)), isVenue: false)]
        }
    }

    /// All bytes of a file; throws `tooLarge` above the limit.
    private static func all(_ next: () throws -> [UInt8]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let block = try next(), !block.isEmpty {
            bytes += block
            guard bytes.count <= VenueLimits.bytes else { throw VenueError.tooLarge("\(VenueLimits.bytes >> 20) MiB") }
        }
        return bytes
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
    private static func readCompressed(
        _ next: @escaping () throws -> [UInt8], _ format: ArchiveFormat, name: String
    ) -> [VenueOutcome] {
        do {
            let reader = try ArchiveReader(format, limits: archiveLimits, read: next)
            guard let bytes = try content(reader) else { return [] }
            return readSingle(bytes, name: VenueMembers.stem(name))
        } catch {
            return [VenueOutcome(name: name, .failure(VenueImportError(reading: error)), isVenue: false)]
        }
    }

    private static func readArchive(
        _ next: @escaping () throws -> [UInt8], _ format: ArchiveFormat, name: String
    ) -> [VenueOutcome] {
        var members = VenueMembers(name: name)
        do {
            let reader = try ArchiveReader(format, limits: archiveLimits, read: next)
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
