public import Venues

/// What came of a file, or of one of several venues in an archive.
public struct VenueOutcome: Sendable {
    /// The name of the file; with the folder in an archive that has several venues.
    public let name: String
    public let result: Result<VenueReading, VenueImportError>

    /// Whether it is certainly about a venue: false for a file that could not be read far enough to tell, so that an importer of
    /// other formats should have its word first.
    public let isVenue: Bool

    init(name: String, _ result: Result<VenueReading, VenueImportError>, isVenue: Bool = true) {
        self.name = name
        self.result = result
        self.isVenue = isVenue
    }

    /// The lines of a receipt: the notices, or the reason of a failure.
    public var lines: [String] {
        switch result {
        case .success(let reading): reading.notices.map(\.line)
        case .failure(let error): [error.reason]
        }
    }
}
