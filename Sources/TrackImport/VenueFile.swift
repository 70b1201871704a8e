import Files

/// A file that is a map of a building instead of a recording, or an archive with one.
public struct VenueFile: Sendable {
    /// Without folders.
    public let name: String
    /// The folder that it was found in; nil for a file that was given by itself.
    public let folder: String?
    private let input: ImportInput
    private let isStopped: @Sendable () -> Bool

    init(_ input: ImportInput, isStopped: @escaping @Sendable () -> Bool) {
        self.input = input
        self.isStopped = isStopped
        name = input.name
        folder =
            input.wasFoundInFolder
            ? input.path.lastIndex(of: "/").map { String(input.path[..<$0]) } : nil
    }

    /// Reads the file from its beginning: a function that returns the next bytes, empty at the end.
    public func reader() throws -> () throws -> [UInt8] {
        var source = try input.source(isStopped)
        return { try source.read() }
    }
}

/// What a file that looked like a venue was.
public enum VenueResult: Sendable {
    case stored(VenueReceipt)
    /// It is broken; with the reason.
    case broken(String)
    /// It belongs to the venue of its folder, which another file's receipt reports.
    case partOfFolder
}

extension FileReceipt {
    /// Whether the file, or a member of it, looks like a map of a building.
    ///
    /// `.osm` and GeoJSON without points and lines do not tell for certain; who reads venues decides.
    var mayBeVenue: Bool {
        switch failure {
        case .venue, .unrecognised(DetectedFormat.openStreetMap): return true
        case nil where members.isEmpty: return format == .geojson && hasNoPoints
        default: return members.contains { $0.mayBeVenue }
        }
    }

    /// The receipt after its venues were read.
    mutating func take(_ results: [VenueResult]) {
        guard !results.isEmpty else { return }
        // What looked like a part of a building is in the venues.
        members.removeAll { $0.mayBeVenue }
        if mayBeVenue || members.isEmpty {
            failure = nil
            format = nil
            skipped = [:]
        }
        for result in results {
            switch result {
            case .stored(let venue): venues.append(venue)
            case .broken(let reason): failure = failure ?? .brokenVenue(reason)
            case .partOfFolder: remarks.insert(.venuePart)
            }
        }
    }
}
