import Locking
package import PrimaryStore
import Text
import TrackImport
import TrackStore
import VenueImport
package import Venues

/// Reads the venues of an import, and stores them.
final class VenueStoring: Sendable {
    /// nil for a library that does not exist.
    private let library: Library?
    private let isDryRun: Bool
    /// The folders that were read as a whole, and whether they are venues.
    private let folders = Locked<[String: Bool]>([:])

    init(_ library: Library?, isDryRun: Bool) {
        self.library = library
        self.isDryRun = isDryRun
    }

    /// The venues of a file.
    func read(_ file: VenueFile) throws -> [VenueResult] {
        if let folder = file.folder, VenueImporter.isMember(file.name) {
            // The members of a folder are one venue, whichever of them comes first.
            return try folders.withLock { folders in
                if let isVenue = folders[folder] { return isVenue ? [.partOfFolder] : [] }
                let found = try results(VenueImporter.read(path: folder))
                folders[folder] = !found.isEmpty
                return found
            }
        }
        return try results(VenueImporter.read(name: file.name, next: try file.reader()))
    }

    private func results(_ outcomes: [VenueOutcome]) throws -> [VenueResult] {
        try outcomes.compactMap { outcome in
            switch outcome.result {
            case .success(let reading): .stored(try receipt(reading, outcome))
            // The other reader has its word about what may be no venue.
            case .failure(let error): outcome.isVenue ? .broken(error.reason) : nil
            }
        }
    }

    private func receipt(_ reading: VenueReading, _ outcome: VenueOutcome) throws -> VenueReceipt {
        let venue = reading.venue
        let change: VenueChange
        if isDryRun {
            let known = try library?.database.read { try $0.venueBytes(id: venue.id.description) }
            change = known.map { $0 == venue.encoded() ? .unchanged : .replaced } ?? .added
        } else if let library {
            change = try library.database.store(reading, source: outcome.name)
        } else {
            change = .added
        }
        return VenueReceipt(
            id: venue.id.description, name: venue.name, change: change.receiptChange, content: venue.contentText,
            notices: outcome.lines)
    }
}

extension TrackDatabase {
    /// Stores a venue that was read from a file of this name.
    package func store(_ reading: VenueReading, source: String) throws -> VenueChange {
        let venue = reading.venue
        let summary = VenueSummary(venue, source: source, time: TrackDatabase.systemClock())
        return try store(summary, bytes: venue.encoded())
    }
}

extension VenueSummary {
    /// A venue as it is stored.
    package init(_ venue: Venue, source: String, time: Int64) {
        self.init(id: venue.id.description, name: venue.name, source: source, time: time, bounds: venue.bounds)
    }
}

extension VenueChange {
    fileprivate var receiptChange: VenueReceipt.Change {
        switch self {
        case .added: .added
        case .replaced: .replaced
        case .unchanged: .unchanged
        }
    }

    /// In words.
    package var word: String { receiptChange.rawValue }
}

extension Venue {
    /// What it consists of, for the user: `1 building, 7 levels, 342 places`.
    package var contentText: String {
        [
            DisplayText.count(buildings.count, "building"), DisplayText.count(levels.count, "level"),
            DisplayText.count(VenuePlaces(self).all.count, "place"),
        ].joined(separator: ", ")
    }
}
