import Foundation
import GridStorage
import Links
import PrimaryStore
import Text
import Tokens
import TrackStore
import Tracks

/// Opens a library for a command.
enum OpenedLibrary {
    /// Opens an existing library; commands that only read do not create one.
    static func existing(in folder: String) throws -> Library {
        guard try Library.existsWithTracks(in: folder) else {
            throw try LibraryError.missing(path: Library.name(in: folder))
        }
        return try Library(folder: folder)
    }

    /// Opens an existing library; nil if there is none.
    static func ifExists(in folder: String) throws -> Library? {
        try Library.existsWithTracks(in: folder) ? Library(folder: folder) : nil
    }

    /// Opens a library, creating it if necessary.
    static func made(in folder: String, environment: [String: String]) throws -> Library {
        let outer = try Library.folder(ofInbox: folder).map { try Library(folder: $0).database.zone() }
        return try Library(folder: folder, zoneIfNew: outer ?? systemZone(environment))
    }

    /// The tokens of the library in a folder, which need not exist yet.
    static func tokens(in folder: String) throws -> any TokenStore {
        try records(in: folder)
    }

    /// The links of the library in a folder, which need not exist yet.
    static func links(in folder: String) throws -> any LinkStore {
        try records(in: folder)
    }

    private static func records<Record: StoredRecord>(in folder: String) throws -> any RecordStore<Record> {
        if let shared = try Library.sharedDatabase(in: folder) { return RecordTable(shared) }
        return RecordFile(folder: folder)
    }

    /// Gives the library in the folder `target` the tokens and links of the one in `source`.
    static func copyAccess(from source: String, to target: String) throws {
        let (copiedTokens, copiedLinks) = (try tokens(in: source).all(), try links(in: source).all())
        // A folder without them stays without their files.
        let (newTokens, newLinks) = (try tokens(in: target), try links(in: target))
        if try newTokens.all() != copiedTokens { try newTokens.change { $0 = copiedTokens } }
        if try newLinks.all() != copiedLinks { try newLinks.change { $0 = copiedLinks } }
    }

    /// The time zone of a new library: `$TZ`, else the system's, else UTC; names not in the time zone database are
    /// ignored.
    static func systemZone(_ environment: [String: String]) -> String {
        let configured = environment["TZ"].map { String($0.drop { $0 == ":" }) }
        return [configured, TimeZone.current.identifier].compactMap { $0 }.first {
            !$0.isEmpty && DayCalendar(zone: $0) != nil
        }
            ?? "UTC"
    }
}

extension Progress {
    /// Shows the progress of the grid.
    func update(_ grid: GridProgress) {
        update(fraction: grid.fraction) { seconds in
            let done =
                "updating the map: \(DisplayText.count(grid.points)) of \(DisplayText.count(grid.totalPoints)) points"
            return seconds > 0 ? done + " · \(DisplayText.count(Int(Double(grid.points) / seconds)))/s" : done
        }
    }
}
