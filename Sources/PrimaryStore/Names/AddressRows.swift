internal import Database
public import Geocoding
import TileMath

// The table `address` of the primary store: a row for each cell whose address is wanted. Its rows do not belong to what was
// recorded: the digests of recordings do not contain them.

/// The state of the row of a cell, as it is stored.
enum AddressState: Int {
    case waiting, found, none, failed

    var value: Value { .integer(rawValue) }
}

/// How many cells are in each state.
public struct AddressCounts: Sendable, Equatable {
    /// Cells that are to be asked for.
    public var waiting = 0
    /// Cells with an address, of the service or of a file.
    public var found = 0
    /// Cells of which the service knows no address.
    public var none = 0
    /// Cells for which the service gave no answer to several requests.
    public var failed = 0
}

/// What a process that requests addresses does next.
public enum NextAddressRequest: Sendable, Equatable {
    /// Request the address of this cell now.
    case request(GeocodingCell)
    /// Nothing before this many milliseconds have passed.
    case wait(milliseconds: Int64)
    /// No cell waits.
    case idle
}

extension TrackSnapshot {
    /// The address of a cell; nil if none is known.
    func address(of cell: GeocodingCell) throws -> PostalAddress? {
        let sql = """
            SELECT label, place, region, country, longitude, latitude, source FROM address
            WHERE cell = $1 AND label IS NOT NULL
            """
        let found = try session.first(sql, [.integer(cell.key)]) { row -> PostalAddress? in
            var position: GeoPoint?
            if let longitude = row.integerOrNil(4), let latitude = row.integerOrNil(5) {
                position = GeoPoint(longitude: Double(longitude) * 1e-7, latitude: Double(latitude) * 1e-7)
            }
            return PostalAddress(
                label: row.text(0), place: row.textOrNil(1), region: row.textOrNil(2), country: row.textOrNil(3),
                position: position, source: row.text(6))
        }
        return found ?? nil
    }

    /// Whether any address is wanted or known.
    package func hasAddressRows() throws -> Bool { try session.integer("SELECT 1 FROM address LIMIT 1") != nil }
}

extension TrackDatabase {
    /// The addresses of cells, as far as they are known.
    public func addresses(of cells: some Sequence<GeocodingCell>) throws -> [GeocodingCell: PostalAddress] {
        try read { snapshot in
            guard try snapshot.hasAddressRows() else { return [:] }
            var found: [GeocodingCell: PostalAddress] = [:]
            for cell in cells where found[cell] == nil { found[cell] = try snapshot.address(of: cell) }
            return found
        }
    }

    /// How many cells are in each state.
    public func addressCounts() throws -> AddressCounts {
        try read { snapshot in
            var counts = AddressCounts()
            try snapshot.session.forEach("SELECT state, count(*) FROM address GROUP BY state") { row in
                let count = Int(row.integer(1))
                switch AddressState(rawValue: Int(row.integer(0))) {
                case .waiting: counts.waiting = count
                case .found: counts.found = count
                case .none?: counts.none = count
                case .failed: counts.failed = count
                case nil: break
                }
            }
            return counts
        }
    }

    /// Where the instant is stored before which no process makes a request.
    private static let requestTimeKey = "address_next"
    /// While a process requests the address of a cell, no other does. A process that was killed leaves it waiting for
    /// this time.
    private static let leaseMilliseconds: Int64 = 45_000
    /// Longer than any pause of the pace, and than any delay of a cell (at most 1,000 minutes): an instant later than
    /// this shows that the clock was set back, and is ignored.
    private static let longestPause = Int64(GeocodingPace.longestRetryAfterSeconds) * 1000

    /// Reserves the next cell for this process, if it is time for a request. All processes that use the library
    /// together keep to the pace, also after a restart. `revision` is that of the queue: after another change of the
    /// library nothing is asked for before the queue is updated, because a place may have been removed.
    public func reserveAddressRequest(_ pace: GeocodingPace, revision: Int64) throws -> NextAddressRequest {
        // Mostly there is nothing to do, and a read neither waits for the writer nor takes its place.
        let request = try read { try Self.nextAddressRequest($0.session, now: now()) }
        guard case .request = request else { return request }
        return try write { writer in
            try writer.session.transaction {
                let now = writer.now()
                // Another process may have been faster.
                let request = try Self.nextAddressRequest(writer.session, now: now)
                guard case .request(let cell) = request else { return request }
                guard try ChangeLog.head(writer.session).revision == revision else { return .wait(milliseconds: 0) }
                try writer.session.run(
                    "UPDATE address SET due = $1 WHERE cell = $2",
                    [.integer(now + Self.leaseMilliseconds), .integer(cell.key)])
                try Meta.set(Self.requestTimeKey, to: .integer(now + pace.intervalMilliseconds), writer.session)
                return request
            }
        }
    }

    private static func nextAddressRequest(_ session: any Session, now: Int64) throws -> NextAddressRequest {
        let next = try session.first(
            "SELECT cell, due FROM address WHERE state = 0 ORDER BY due, cell LIMIT 1"
        ) { (cell: $0.integer(0), due: $0.integer(1)) }
        guard let next, let cell = GeocodingCell(key: next.cell) else { return .idle }
        let pause = try Meta.integer(requestTimeKey, session) ?? .min
        let instant = max(next.due, pause)
        guard instant > now, instant - now <= longestPause else { return .request(cell) }
        return .wait(milliseconds: instant - now)
    }

    /// Stores that no process makes a request before this many milliseconds have passed. A longer delay, which another
    /// process may have received, is kept.
    public func delayAddressRequests(milliseconds: Int64) throws {
        try write { writer in
            try writer.session.transaction {
                let now = writer.now()
                let known = try Meta.integer(Self.requestTimeKey, writer.session) ?? now
                let kept = known > now && known - now <= Self.longestPause ? known : now
                let next = max(kept, now + milliseconds)
                try Meta.set(Self.requestTimeKey, to: .integer(next), writer.session)
            }
        }
    }

    /// Stores what is known of a cell now: its address, or nil if there is none. A cell that is not wanted any more is
    /// left out. Returns whether it was stored.
    @discardableResult
    public func store(_ address: PostalAddress?, of cell: GeocodingCell) throws -> Bool {
        try write { writer in
            try writer.session.transaction { try writer.store(address, of: cell, track: nil) }
        }
    }

    /// Stores that a cell is asked for again after `delay` milliseconds; nil if never.
    public func postponeAddress(of cell: GeocodingCell, by delay: Int64?) throws {
        try write { writer in
            try writer.session.transaction {
                try writer.session.run(
                    "UPDATE address SET state = $1, due = $2 WHERE cell = $3 AND state = 0",
                    [
                        delay == nil ? AddressState.failed.value : AddressState.waiting.value,
                        .integer(writer.now() + (delay ?? 0)), .integer(cell.key),
                    ])
            }
        }
    }

    /// Counts a failure of a cell; returns the number of its failures.
    public func countAddressFailure(of cell: GeocodingCell) throws -> Int {
        try write { writer in
            try writer.session.transaction {
                try writer.session.run("UPDATE address SET tries = tries + 1 WHERE cell = $1", [.integer(cell.key)])
                return Int(
                    try writer.session.integer("SELECT tries FROM address WHERE cell = $1", [.integer(cell.key)]) ?? 0)
            }
        }
    }

    /// Lets all cells be asked for again whose requests failed; returns their number.
    public func retryFailedAddresses() throws -> Int {
        try write { writer in
            try writer.session.transaction {
                try writer.session.run(
                    "UPDATE address SET state = 0, tries = 0, due = $1 WHERE state = 3", [.integer(writer.now())])
                return writer.session.changedRows
            }
        }
    }
}

extension TrackWriter {
    /// Stores the address of a cell that is wanted, or that there is none. What a file says, of a `track`, is not
    /// replaced by the answer of a service.
    @discardableResult
    package func store(_ address: PostalAddress?, of cell: GeocodingCell, track: Int64?) throws -> Bool {
        let state = address == nil ? AddressState.none : .found
        let e7 = { (degrees: Double?) in degrees.map { Value.integer(Int64(($0 * 1e7).rounded())) } ?? .null }
        try session.run(
            """
            UPDATE address SET state = $1, due = $2, label = $3, place = $4, region = $5, country = $6, longitude = $7,
            latitude = $8, source = $9, track = $10 WHERE cell = $11 AND (CAST($12 AS BIGINT) = 1 OR track IS NULL)
            """,
            [
                state.value, .integer(now()), .text(orNull: address?.label), .text(orNull: address?.place),
                .text(orNull: address?.region), .text(orNull: address?.country), e7(address?.position?.longitude),
                e7(address?.position?.latitude), .text(orNull: address?.source), .integer(orNull: track),
                .integer(cell.key), .integer(track == nil ? 0 : 1),
            ])
        return session.changedRows > 0
    }
}
