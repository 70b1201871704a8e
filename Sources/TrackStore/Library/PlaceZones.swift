import Countries
import Files
import Locking
import Places
public import TileMath
public import Tracks

/// The time zones of places, from the time zone database of the system.
public final class PlaceZones: Sendable {
    private let cities: CityZones?
    private let calendars = Locked<[String: DayCalendar]>([:])
    private let cells = Locked<[Int32: DayCalendar]>([:])
    /// Above this number, what is known of cells is forgotten.
    private static let cellLimit = 50_000

    /// The table of zones with their cities, in the folder of the system's time zone database.
    public static let systemTable = "/usr/share/zoneinfo/zone.tab"
    private static let tableLimit = 1 << 20

    /// Reads the table; without it, no place has a zone.
    public init(table path: String = PlaceZones.systemTable) {
        let bytes = (try? AtomicFile.read(path, limit: Self.tableLimit)) ?? nil
        cities = bytes.flatMap { CityZones(zoneTable: String(decoding: $0, as: UTF8.self)) }
    }

    /// The zones of the system's table, read at the first use.
    static let shared = PlaceZones()

    /// The zone of a place or one within a twentieth of a degree; nil if it is not known.
    func calendar(near place: LedgerPlace) -> DayCalendar? {
        let cell = LedgerMap.cellNumber(of: place)
        if let known = cells.withLock({ $0[cell] }) { return known }
        guard let point = LedgerMap.center(ofCell: cell), let calendar = calendar(at: point) else { return nil }
        cells.withLock { known in
            if known.count >= Self.cellLimit { known.removeAll() }
            known[cell] = calendar
        }
        return calendar
    }

    /// Whether the table was found.
    public var isUsable: Bool { cities != nil }

    /// The zone of a place; nil if it is not known.
    public func calendar(at place: GeoPoint) -> DayCalendar? {
        guard let name = cities?.zone(at: place) else { return nil }
        if let known = calendars.withLock({ $0[name] }) { return known }
        guard let calendar = DayCalendar(zone: name) else { return nil }
        calendars.withLock { $0[name] = calendar }
        return calendar
    }
}
