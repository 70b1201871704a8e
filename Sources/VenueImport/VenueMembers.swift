internal import Text
internal import Venues

/// The files of an archive or a folder, put together to venues.
///
/// The IMDF members of a folder are one venue. Each other GeoJSON or `.osm` file is a venue of its own.
struct VenueMembers {
    /// A file.
    struct Member {
        /// The path in the archive or folder.
        let path: String
        let bytes: [UInt8]
    }

    private var folders: [String: Folder] = [:]
    private var outcomes: [VenueOutcome] = []

    private struct Folder {
        var collections: [FeatureCollection] = []
        var manifest: [UInt8]?
        var failure: VenueImportError?
    }

    private let name: String

    /// `name` is that of the archive or folder; venues without a name have it.
    init(name: String) { self.name = name }

    private static func folder(of path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    private static func file(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Takes a file; what is no part of a venue is ignored.
    mutating func add(_ member: Member) {
        let file = Self.file(of: member.path)
        // Resource forks that macOS puts into archives.
        guard !member.path.hasPrefix("__MACOSX/"), !file.hasPrefix("._") else { return }
        let folder = Self.folder(of: member.path)
        switch VenueFileKind(member.bytes.prefix(VenueFileKind.headBytes)) {
        case .json: addJSON(member, file, folder)
        case .openStreetMap:
            do throws(VenueError) {
                let reading = try Venue.reading(openStreetMap: member.bytes, name: Self.stem(file))
                outcomes.append(VenueOutcome(name: member.path, .success(reading)))
            } catch {
                addFailure(VenueImportError(error, member: file), member.path)
            }
        case .archive, .other: return
        }
    }

    private mutating func addJSON(_ member: Member, _ file: String, _ folder: String) {
        if file == "manifest.json" {
            folders[folder, default: Folder()].manifest = member.bytes
            return
        }
        do throws(VenueError) {
            let collection = try FeatureCollection(member.bytes)
            if collection.features.contains(where: { $0.kind != nil }) || Self.isMemberName(file) {
                folders[folder, default: Folder()].collections.append(collection)
                return
            }
            guard VenueRecognition.isVenue(collection.features) else { return }
            let reading = try Venue.reading([collection], name: collection.name ?? Self.stem(file))
            outcomes.append(VenueOutcome(name: member.path, .success(reading)))
        } catch {
            // A member with a name of IMDF belongs to the venue of its folder, and that fails without it.
            if Self.isMemberName(file) {
                let failure = VenueImportError(error, member: file)
                folders[folder, default: Folder()].failure = folders[folder]?.failure ?? failure
            } else {
                addFailure(VenueImportError(error, member: file), member.path)
            }
        }
    }

    static func isMemberName(_ file: String) -> Bool {
        file.hasSuffix(".geojson") && FeatureKind(rawValue: String(file.dropLast(".geojson".count))) != nil
    }

    private mutating func addFailure(_ failure: VenueImportError, _ path: String) {
        guard failure != .notAVenue else { return }
        outcomes.append(VenueOutcome(name: path, .failure(failure)))
    }

    /// The name of a file without its ending.
    static func stem(_ file: String) -> String {
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
        return String(file[..<dot])
    }

    /// Whether something of a venue was among the files so far.
    var hasVenue: Bool {
        !outcomes.isEmpty || folders.values.contains { $0.failure != nil || !$0.collections.isEmpty }
    }

    /// The venues, ordered by their names.
    consuming func finish() -> [VenueOutcome] {
        let isAlone = folders.count == 1
        for (path, folder) in folders.sorted(by: { $0.key < $1.key }) {
            let outcome = isAlone || path.isEmpty ? name : name + "/" + path
            if let failure = folder.failure {
                outcomes.append(VenueOutcome(name: outcome, .failure(failure)))
                continue
            }
            // A lone manifest is that of something else.
            guard folder.collections.contains(where: { !$0.features.isEmpty }) else { continue }
            let title = path.isEmpty || isAlone ? Self.stem(name) : Self.file(of: path)
            do throws(VenueError) {
                let reading = try Venue.reading(folder.collections, name: title, manifest: folder.manifest)
                outcomes.append(VenueOutcome(name: outcome, .success(reading)))
            } catch {
                outcomes.append(VenueOutcome(name: outcome, .failure(VenueImportError(error))))
            }
        }
        return outcomes.sorted { $0.name < $1.name }
    }
}
