import Files
import PhotoFiles
import PhotoLocating
import PhotoMatching

/// A photo that could be read.
struct ReadPhoto {
    var path: String
    var photo: PhotoMatcher.Photo
    var isMovie: Bool
    /// Other files of the same photo; see `LivePhotos`.
    var parts: [String] = []
    /// The file that is shown for this photo; nil if it is this one.
    var shownPath: String?

    fileprivate var file: LivePhotos.File {
        LivePhotos.File(path: path, metadata: photo.metadata, isMovie: isMovie)
    }
}

/// Reads photos with their sidecars, and finds the files that are one photo.
struct PhotoReader {
    /// The names of the files of a folder, by the keys by which sidecars and parts are found.
    private struct FolderNames {
        /// JSON files, by `GoogleSidecarName.key`.
        var sidecars: [String: String] = [:]
        var files: [String] = []
    }

    private var folders: [String: FolderNames] = [:]
    private static let partSuffixes = [".jpg", ".jpeg", ".heic", ".heif", ".png", ".mov", ".mp4", ".mp", ".thm"]

    /// Whether a file is not a photo of its own: a sidecar, or the edits of an iPhone.
    static func isSidecar(_ path: String) -> Bool {
        let name = path.lowercased()
        if name.hasSuffix(".xmp") || name.hasSuffix(".aae") { return true }
        guard name.hasSuffix(".json") else { return false }
        return ((try? AtomicFile.read(path, limit: GoogleSidecar.byteLimit)) ?? nil).flatMap { GoogleSidecar($0) }
            != nil
    }

    /// Reads a photo and its sidecars: what the photo itself does not say is from XMP, then from Google's JSON file.
    mutating func read(_ path: String) throws -> ReadPhoto {
        let file = try PhotoFile(path: path)
        var metadata = try file.metadata()
        if let sidecar = Self.metadataOfSidecar(of: path) { metadata.fill(from: sidecar) }
        if let google = googleSidecar(of: path) { google.fill(&metadata) }
        return ReadPhoto(path: path, photo: PhotoMatcher.Photo(metadata), isMovie: try file.isMovie())
    }

    /// What a sidecar of another program says: `IMG_1.CR2.xmp`, or `IMG_1.xmp`, as programs of Adobe name it.
    private static func metadataOfSidecar(of path: String) -> PhotoMetadata? {
        if let found = sidecar(of: path).flatMap({ PhotoSidecar.metadata($0) }) { return found }
        let (folder, name) = split(path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let bytes = try? AtomicFile.read(folder + name[..<dot] + ".xmp", limit: PhotoSidecar.byteLimit)
        return bytes.flatMap { $0 }.flatMap { PhotoSidecar.metadata($0) }
    }

    /// The bytes of a photo's XMP sidecar; nil if there is none that can be read.
    static func sidecar(of path: String) -> [UInt8]? {
        (try? AtomicFile.read(PhotoSidecar.path(of: path), limit: PhotoSidecar.byteLimit)) ?? nil
    }

    private mutating func googleSidecar(of path: String) -> GoogleSidecar? {
        let (folder, name) = Self.split(path)
        guard let sidecar = GoogleSidecarName.sidecar(of: name, among: names(folder).sidecars),
            let bytes = (try? AtomicFile.read(folder + sidecar, limit: GoogleSidecar.byteLimit)) ?? nil
        else { return nil }
        return GoogleSidecar(bytes)
    }

    private mutating func names(_ folder: String) -> FolderNames {
        if let known = folders[folder] { return known }
        var names = FolderNames()
        for entry in (try? Folder.entries(of: folder.isEmpty ? "." : folder)) ?? [] where entry.kind == .file {
            let name = Self.split(entry.path).name
            names.files.append(name)
            let key = GoogleSidecarName.key(name)
            // Of names that differ only in letter case, the first one counts.
            if key.hasSuffix(".json"), names.sidecars[key] == nil { names.sidecars[key] = name }
        }
        folders[folder] = names
        return names
    }

    /// The folder with its slash, empty for a name alone, and the name.
    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }

    // MARK: Parts

    /// The photos, of which the files of a Live Photo know each other. Of a file that was named alone, the other parts
    /// are searched in its folder: so the still and the movie are one photo also if two commands import them.
    mutating func joined(_ photos: [ReadPhoto]) -> [ReadPhoto] {
        var all = photos
        let known = Set(photos.map(\.path))
        for path in photos.flatMap({ partCandidates(of: $0.path) }).uniqued() where !known.contains(path) {
            if let part = try? read(path) { all.append(part) }
        }
        for group in LivePhotos.groups(all.map(\.file)) {
            // What was not named is not stored, but tells whether the photo is stored already.
            guard let shown = group.first(where: { photos.indices.contains($0) }) else { continue }
            let place = group.lazy.compactMap { all[$0].photo.givenPlace }.first
            let files = group.map { all[$0].file }
            for index in group where photos.indices.contains(index) {
                let others = files.filter { $0.path != all[index].path }
                all[index].photo.metadata = LivePhotos.merged(all[index].file, with: others)
                all[index].photo.givenPlace = all[index].photo.givenPlace ?? place
                all[index].parts = others.map(\.path)
                if index != shown { all[index].shownPath = all[shown].path }
            }
        }
        return Array(all.prefix(photos.count))
    }

    /// The paths of files that have the name of a photo, but for the extension and the `E` of an edited version.
    private mutating func partCandidates(of path: String) -> [String] {
        let (folder, name) = Self.split(path)
        let key = LivePhotos.key(name)
        return names(folder).files.filter { other in
            other != name && LivePhotos.key(other) == key
                && Self.partSuffixes.contains { other.lowercased().hasSuffix($0) }
        }.map { folder + $0 }
    }
}

extension Array where Element == String {
    /// Each element once, in the order of the first occurrences.
    fileprivate func uniqued() -> [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
