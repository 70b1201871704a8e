import Database
import Geocoding
import GridStorage
import PrimaryStore
import Statistics
import Stays

/// The state of the queue after an update.
package struct AddressQueueState: Sendable, Equatable {
    /// The revision of the grid that it corresponds to.
    package var revision: Int64
    /// When the queue has to be updated again although nothing has changed, in milliseconds since 1970; nil if never.
    package var nextUpdate: Int64?
}

/// Which addresses are wanted: those of the cells in which tracks begin and end, somebody stayed, or a waypoint is.
extension Library {
    /// Where the revision is stored up to which the addresses of removed tracks were removed.
    private static let removalRevision = "address_cleaned"
    /// A track that a device has recorded within this time may continue: where it ends is not known yet, and requests
    /// for each of its last points would show its route to the service.
    private static let possibleContinuationMilliseconds: Int64 = 3_600_000

    /// The cells whose addresses are wanted, in a state of the grid.
    struct WantedCells {
        var cells: Set<GeocodingCell> = []
        /// The cells of stays that may continue. They are not requested, because the service would learn where somebody
        /// is now, but an address that is known already is kept.
        var ofPresentStays: Set<GeocodingCell> = []
        var queue: AddressQueueState

        /// The cells whose addresses are not removed.
        var kept: Set<GeocodingCell> { cells.union(ofPresentStays) }
    }

    /// Updates the queue: adds cells that are wanted and not known, and removes those that are not wanted any more, with
    /// their addresses, as if they had never been. Addresses that files contain are stored at once. Returns nil, and does
    /// nothing, while the grid does not have all changes, or if the library changes meanwhile.
    ///
    /// Costs milliseconds for a library of thousands of tracks, besides reading the points of changed ones.
    @discardableResult
    package func updateAddressQueue() throws -> AddressQueueState? {
        guard let wanted = try wantedAddressCells(), try store(wanted) else { return nil }
        return wanted.queue
    }

    /// Stores cells that are wanted, unless the library has changed since: what was removed meanwhile would come back.
    func store(_ wanted: WantedCells) throws -> Bool {
        let search = try recordedAddresses(in: wanted.kept, upTo: wanted.queue.revision)
        return try database.write { writer in
            try writer.session.transaction {
                guard try ChangeLog.head(writer.session).revision == wanted.queue.revision else { return false }
                try writer.removeAddresses(except: wanted.kept, lost: search.lost)
                try writer.addAddressCells(wanted.cells)
                try writer.store(search)
                try Meta.set(Self.removalRevision, to: .integer(wanted.queue.revision), writer.session)
                return true
            }
        }
    }

    /// Removes the addresses that are not wanted any more since tracks or pins were removed or changed, whichever process
    /// did that, and even if it was killed. Returns false, and does nothing, while the grid lacks removals or changes; tracks
    /// that were added do not matter.
    func removeUnwantedAddresses() throws -> Bool {
        let removedUpTo = try database.read { snapshot -> Int64? in
            guard try snapshot.hasAddressRows() || snapshot.hasTracksWithAddresses() else { return nil }
            return try Meta.integer(Self.removalRevision, snapshot.session) ?? 0
        }
        guard let removedUpTo, try database.head().revision > removedUpTo,
            try database.changes(since: removedUpTo).contains(where: \.mayRemovePlaces)
        else { return true }
        guard let wanted = try wantedAddressCells(ignoringAdditions: true) else { return false }
        return try removeAddresses(
            except: wanted, lost: try database.read { try $0.cells(wanted.kept, withAddressOfTracks: []) })
    }

    /// Removes all addresses but those of wanted cells, and those of `lost` ones; false if places were removed since.
    func removeAddresses(except wanted: WantedCells, lost: Set<GeocodingCell>) throws -> Bool {
        try database.write { writer in
            try writer.session.transaction {
                // Another process may have done this for a later revision.
                guard try Meta.integer(Self.removalRevision, writer.session) ?? 0 < wanted.queue.revision else {
                    return true
                }
                let later = try TrackSnapshot(session: writer.session).changes(since: wanted.queue.revision)
                guard !later.contains(where: \.mayRemovePlaces) else { return false }
                try writer.removeAddresses(except: wanted.kept, lost: lost)
                try writer.forgetRemovedTracksWithAddresses()
                try Meta.set(Self.removalRevision, to: .integer(wanted.queue.revision), writer.session)
                return true
            }
        }
    }

    /// nil if the grid does not have all changes, or is changed meanwhile: what it lacks would be removed. It may lack
    /// tracks that were only added if these are ignored.
    func wantedAddressCells(ignoringAdditions: Bool = false) throws -> WantedCells? {
        let status = try gridStatus()
        guard status == .current || status == .behind && ignoringAdditions,
            let state = try grid.read({ try $0.state() }),
            try !database.changes(since: state.revision).contains(where: \.mayRemovePlaces)
        else { return nil }
        var wanted = WantedCells(queue: AddressQueueState(revision: state.revision))
        func insert(_ longitude: Int32, _ latitude: Int32) {
            if let cell = GeocodingCell(e7Longitude: longitude, latitude: latitude) { wanted.cells.insert(cell) }
        }
        let endedBefore = database.now() - Self.possibleContinuationMilliseconds
        let lastPoints = try database.read { try $0.lastPoints(since: endedBefore) }
        var nextUpdate = lastPoints.values.min()
        try grid.read { reader in
            try reader.forEachTotals { number, totals in
                guard let ends = totals.ends else { return }
                insert(ends.startLongitude, ends.startLatitude)
                if lastPoints[number] == nil { insert(ends.endLongitude, ends.endLatitude) }
            }
        }
        for person in try stays() {
            for stay in person.stays {
                if stay.leave <= endedBefore {
                    insert(stay.longitude, stay.latitude)
                } else if let cell = GeocodingCell(e7Longitude: stay.longitude, latitude: stay.latitude) {
                    wanted.ofPresentStays.insert(cell)
                    nextUpdate = min(nextUpdate ?? stay.leave, stay.leave)
                }
            }
        }
        wanted.queue.nextUpdate = nextUpdate.map { $0 + Self.possibleContinuationMilliseconds }
        try database.read { snapshot in
            try snapshot.session.forEach(
                """
                SELECT longitude, latitude FROM pin
                WHERE state = 0 AND number IN (SELECT pin FROM pin_origin WHERE origin < 0)
                """
            ) { row in insert(Int32(clamping: row.integer(0)), Int32(clamping: row.integer(1))) }
        }
        // The totals and the stays were read in several snapshots; without a change in between they belong together.
        return try grid.read { try $0.state() } == state ? wanted : nil
    }
}

extension Change {
    /// Whether places may be unwanted since the change. Tracks that were only added take no place away.
    fileprivate var mayRemovePlaces: Bool { !(removed.isEmpty && changed.isEmpty && pins.isEmpty) }
}

extension TrackSnapshot {
    /// The times of the last points of the tracks that devices have recorded after an instant, by track number.
    fileprivate func lastPoints(since instant: Int64) throws -> [Int64: Int64] {
        var times: [Int64: Int64] = [:]
        try session.forEach(
            "SELECT number, finish FROM track WHERE state = 0 AND stream IS NOT NULL AND finish > $1",
            [.integer(instant)]
        ) { times[$0.integer(0)] = $0.integer(1) }
        return times
    }
}

extension TrackWriter {
    /// Removes the rows of cells that are not wanted, or whose addresses came with tracks that are gone or
    /// have changed.
    fileprivate func removeAddresses(except wanted: Set<GeocodingCell>, lost: Set<GeocodingCell>) throws {
        let known = try session.rows("SELECT cell FROM address") { $0.integer(0) }
        let removed = known.filter { key in
            GeocodingCell(key: key).map { !wanted.contains($0) || lost.contains($0) } ?? true
        }
        guard !removed.isEmpty else { return }
        for key in removed { try session.run("DELETE FROM address WHERE cell = $1", [.integer(key)]) }
        try requestErasure()
    }

    fileprivate func addAddressCells(_ wanted: Set<GeocodingCell>) throws {
        let known = Set(try session.rows("SELECT cell FROM address") { $0.integer(0) })
        let due = now()
        for cell in wanted.sorted() where !known.contains(cell.key) {
            try session.run(
                "INSERT INTO address (cell, state, tries, due) VALUES ($1, 0, 0, $2)",
                [.integer(cell.key), .integer(due)])
        }
    }
}
