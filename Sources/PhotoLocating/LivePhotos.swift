import Text

/// Files that are one photo: the still and the movie of a Live Photo, and their edited versions.
public enum LivePhotos {
    /// A photo or video.
    public struct File: Sendable {
        public var path: String
        public var metadata: PhotoMetadata
        public var isMovie: Bool

        public init(path: String, metadata: PhotoMetadata, isMovie: Bool) {
            self.path = path
            self.metadata = metadata
            self.isMovie = isMovie
        }
    }

    /// The movie of a Live Photo has 3 s, those of other phones a little more: a longer one is a video of its own.
    private static let longestSeconds = 10.0
    /// The movie begins some seconds before the exposure; in milliseconds.
    private static let agreeingMilliseconds: Int64 = 10_000
    private static let zoneStep: Int64 = 900_000

    /// The indices of the files that belong together, of which each group has two or more. The first of each group is
    /// the picture to show: an edited still before the still, and a still before a movie.
    ///
    /// A movie belongs to the still with the same content identifier; if one of them has none, to the still with the same
    /// name in the same folder, if it is short and the times agree. The order of the files does not matter.
    public static func groups(_ files: [File]) -> [[Int]] {
        let names = files.map { Name($0) }
        let stills = files.indices.filter { !files[$0].isMovie }
        var byKey: [String: [Int]] = [:]
        var byIdentifier: [String: [Int]] = [:]
        for index in stills {
            byKey[names[index].key, default: []].append(index)
            if let identifier = files[index].metadata.contentIdentifier {
                byIdentifier[identifier, default: []].append(index)
            }
        }
        var original: [Int: Int] = [:]
        for index in stills where names[index].isEdited {
            original[index] = (byKey[names[index].key] ?? []).filter {
                !names[$0].isEdited && areOne(files[$0], files[index])
            }.min { files[$0].path < files[$1].path }
        }
        var parts: [Int: [Int]] = [:]
        for (edited, still) in original { parts[still, default: []].append(edited) }
        for index in files.indices where files[index].isMovie {
            let movie = files[index]
            var found = movie.metadata.contentIdentifier.flatMap { byIdentifier[$0] } ?? []
            if found.isEmpty {
                found = (byKey[names[index].key] ?? []).filter {
                    names[$0].isThumbnail || isMovie(movie, of: files[$0])
                }
            }
            let best = found.min { rank(names[$0], of: names[index]) < rank(names[$1], of: names[index]) }
            guard let best else { continue }
            parts[original[best] ?? best, default: []].append(index)
        }
        return parts.map { still, others in
            ([still] + others).sorted { order(names[$0], files[$0]) < order(names[$1], files[$1]) }
        }.sorted { $0[0] < $1[0] }
    }

    /// What a file says, and what the others of its group say in addition.
    public static func merged(_ file: File, with others: [File]) -> PhotoMetadata {
        var metadata = file.metadata
        for other in others {
            var additional = other.metadata
            // The pictures are not the same.
            additional.size = nil
            if let zoned = zoned(metadata, by: additional) { metadata.readings.insert(zoned, at: 0) }
            metadata.fill(from: additional)
        }
        return metadata
    }

    /// The reading of a file with the zone that only the other one names; nil if there is none.
    private static func zoned(_ metadata: PhotoMetadata, by other: PhotoMetadata) -> ClockReading? {
        guard var own = PhotoLocator.reading(metadata), own.meaning == .local, own.origin != .changed,
            let reading = PhotoLocator.reading(other), reading.origin != .changed
        else { return nil }
        switch reading.meaning {
        case .offset: own.meaning = reading.meaning
        case .utc:
            let ahead = own.shown - reading.shown
            let zone = (Double(ahead) / Double(zoneStep)).rounded() * Double(zoneStep)
            own.meaning = .offset(seconds: Int(zone) / 1000)
        case .local, .utcOrLocal: return nil
        }
        return own
    }

    // MARK: Names

    /// What the names of files of one photo have in common: without extension and the `E` of an edited version.
    public static func key(_ name: String) -> String { stem(name.lowercased()).stem }

    private static func stem(_ name: String) -> (stem: String, isEdited: Bool) {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        var stem = String(name[..<dot])
        // The movie of PXL_1.MP.jpg is PXL_1.MP.
        if stem.hasSuffix(".mp") { stem.removeLast(3) }
        // The iPhone names an edited version of IMG_1234 IMG_E1234.
        guard stem.hasPrefix("img_e"), stem.dropFirst(5).prefix(4).count(where: \.isNumber) == 4 else {
            return (stem, false)
        }
        stem.remove(at: stem.index(stem.startIndex, offsetBy: 4))
        return (stem, true)
    }

    /// The parts of a path that show what belongs together.
    private struct Name {
        var folder: Substring
        /// The folder, and the common part of the name in lower case.
        var key: String
        var isEdited: Bool
        /// A small picture that a camera writes beside a video.
        var isThumbnail: Bool

        init(_ file: File) {
            let path = file.path
            let slash = path.lastIndex(of: "/")
            folder = slash.map { path[..<$0] } ?? ""
            let name = (slash.map { path[path.index(after: $0)...] } ?? path[...]).lowercased()
            let (stem, isEdited) = LivePhotos.stem(name)
            key = "\(folder)/\(stem)"
            self.isEdited = isEdited
            isThumbnail = name.hasSuffix(".thm")
        }
    }

    /// Smaller for the still that a movie rather belongs to.
    private static func rank(_ still: Name, of movie: Name) -> (Int, Int, Int, String) {
        (
            still.folder == movie.folder ? 0 : 1, still.key == movie.key ? 0 : 1,
            still.isEdited == movie.isEdited ? 0 : 1, still.key
        )
    }

    private static func order(_ name: Name, _ file: File) -> (Int, Int, String) {
        let kind = name.isThumbnail ? 2 : file.isMovie ? 1 : 0
        return (kind, name.isEdited ? 0 : 1, file.path)
    }

    // MARK: Comparison

    private static func isMovie(_ movie: File, of still: File) -> Bool {
        guard areOne(movie, still) else { return false }
        guard let seconds = movie.metadata.durationSeconds else { return agree(movie.metadata, still.metadata) == true }
        return seconds <= longestSeconds
    }

    /// Whether nothing shows that two files are not one photo.
    private static func areOne(_ first: File, _ second: File) -> Bool {
        if let one = first.metadata.contentIdentifier, let other = second.metadata.contentIdentifier {
            return one == other
        }
        return agree(first.metadata, second.metadata) ?? true
    }

    /// Whether two times are the same; nil if one is not known.
    private static func agree(_ first: PhotoMetadata, _ second: PhotoMetadata) -> Bool? {
        guard let one = PhotoLocator.reading(first), let other = PhotoLocator.reading(second),
            one.origin != .changed, other.origin != .changed
        else { return nil }
        let isNear = { (difference: Int64) in difference.magnitude <= UInt64(agreeingMilliseconds) }
        if let first = instant(one), let second = instant(other) { return isNear(first - second) }
        let difference = one.shown - other.shown
        // One of them may be in UTC, and the other one in local time.
        guard [one, other].contains(where: { $0.meaning == .utc || $0.meaning == .utcOrLocal }) else {
            return isNear(difference)
        }
        let rest = difference.magnitude % UInt64(zoneStep)
        return difference.magnitude <= UInt64(CameraClock.furthestZone)
            && isNear(Int64(min(rest, UInt64(zoneStep) - rest)))
    }

    private static func instant(_ reading: ClockReading) -> Int64? {
        switch reading.meaning {
        case .utc: reading.shown
        case .offset(let seconds): reading.shown - Int64(seconds) * 1000
        case .local, .utcOrLocal: nil
        }
    }
}
