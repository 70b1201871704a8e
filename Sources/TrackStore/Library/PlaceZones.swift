import Countries
import Files
import Locking
import Text
public import TileMath
public import Tracks

/// The calendars of the time zones of places: `ZoneMap` says which zone, the time zone database of the system its clocks.
public final class PlaceZones: Sendable {
    private let calendars = Locked<[String: DayCalendar?]>([:])
    private let cells = Locked<[Int32: CellZone]>([:])
    private let borderCells = Locked<[BorderCell: DayCalendar]>([:])
    /// Above this number, what is known of cells is forgotten.
    private static let cellLimit = 50_000

    /// Whether the time zone database was found.
    public let isUsable: Bool

    /// What is known of a cell of `LedgerMap`.
    private enum CellZone {
        /// All of it is in one country, and has one zone.
        case one(DayCalendar)
        /// A border or a coast is near.
        case divided
    }

    /// A square of 0.005° near a border or a coast.
    private struct BorderCell: Hashable {
        private static let units: Int64 = 50_000

        let column: Int64
        let row: Int64

        init(_ place: LedgerPlace) {
            column = Int64(place.longitude).floorDivided(by: Self.units)
            row = Int64(place.latitude).floorDivided(by: Self.units)
        }
    }

    /// The table of zones, in the folder of the system's time zone database.
    public static let systemTable = "/usr/share/zoneinfo/zone.tab"
    private static let tableLimit = 1 << 20

    /// Without the table, the system has no time zone database, and no place has a zone.
    public init(table path: String = PlaceZones.systemTable) {
        isUsable = ((try? AtomicFile.read(path, limit: Self.tableLimit)) ?? nil) != nil
    }

    /// The zones of the system's time zone database.
    static let shared = PlaceZones()

    /// The zone of a place, or of one near it: within the cell of `LedgerMap` if no border or coast is near, else within
    /// 0.005°. nil if it is not known.
    func calendar(near place: LedgerPlace) -> DayCalendar? {
        let number = LedgerMap.cellNumber(of: place)
        switch cells.withLock({ $0[number] }) {
        case .one(let calendar): return calendar
        case .divided: return calendar(nearBorder: place)
        case nil: break
        }
        guard let center = LedgerMap.center(ofCell: number), LedgerMap.embedded.isOneArea(cell: number) else {
            insert(.divided, number, into: cells)
            return calendar(nearBorder: place)
        }
        guard let calendar = calendar(at: center) else { return nil }
        insert(.one(calendar), number, into: cells)
        return calendar
    }

    private func calendar(nearBorder place: LedgerPlace) -> DayCalendar? {
        let cell = BorderCell(place)
        if let known = borderCells.withLock({ $0[cell] }) { return known }
        guard
            let point = GeoPoint(longitude: Double(place.longitude) / 1e7, latitude: Double(place.latitude) / 1e7),
            let calendar = calendar(at: point)
        else { return nil }
        insert(calendar, cell, into: borderCells)
        return calendar
    }

    private func insert<Key, Value>(_ value: Value, _ key: Key, into known: Locked<[Key: Value]>) {
        known.withLock { known in
            if known.count >= Self.cellLimit { known.removeAll() }
            known[key] = value
        }
    }

    /// The zone of a place; nil if it is not known.
    public func calendar(at place: GeoPoint) -> DayCalendar? {
        guard isUsable else { return nil }
        return ZoneMap.embedded.zone(at: place) { calendar(zone: $0) != nil }.flatMap { calendar(zone: $0) }
    }

    private func calendar(zone name: String) -> DayCalendar? {
        if let known = calendars.withLock({ $0[name] }) { return known }
        let calendar = DayCalendar(zone: name)
        calendars.withLock { $0[name] = .some(calendar) }
        return calendar
    }
}
