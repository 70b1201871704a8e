internal import Archive
internal import Files
internal import Venues

/// Why a file gave no venue.
public enum VenueImportError: Error, Equatable, Sendable {
    /// It is no map of a building: a recording, a picture, anything else. Other readers may know it.
    case notAVenue
    /// It is one, or an archive of one, and cannot be read; with the member, if it is one of an archive, and the reason.
    case unreadable(member: String?, reason: String)

    /// One sentence without the name of the file, for a receipt: `unit.geojson: line 3: a comma is missing`.
    public var reason: String {
        switch self {
        case .notAVenue: "it is no map of a building"
        case .unreadable(let member?, let reason): "\(member): \(reason)"
        case .unreadable(nil, let reason): reason
        }
    }

    init(_ error: VenueError, member: String? = nil) {
        switch error {
        case .notAVenue: self = .notAVenue
        default: self = .unreadable(member: member, reason: error.reason)
        }
    }

    /// The error of an archive or of the disk.
    init(reading error: any Error, member: String? = nil) {
        switch error {
        case let error as VenueImportError: self = error
        case let error as VenueError: self = VenueImportError(error, member: member)
        case let error as ArchiveError: self = .unreadable(member: member, reason: Self.reason(error))
        case let error as FileError: self = .unreadable(member: member, reason: error.reason)
        default: self = .unreadable(member: member, reason: "it cannot be read")
        }
    }

    private static func reason(_ error: ArchiveError) -> String {
        switch error {
        case .invalid(let message): "the archive is invalid: \(message)"
        case .damagedData: "the archive is damaged"
        case .truncated: "the archive ends too early"
        case .encrypted: "the archive needs a password"
        case .unsupported(let what): "the archive is not supported: \(what)"
        case .checksum: "the archive is damaged: a checksum is wrong"
        case .bomb(let ratio): "the archive expands by more than \(ratio) times; it was not read"
        case .limit(let limit): "the archive has \(limit)"
        case .memory, .outOfMemory: "the archive needs too much memory"
        }
    }
}
