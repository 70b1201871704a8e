public import Digest
import Dispatch
import Foundation
public import Geography
import Locking
public import Places
public import TileMath

/// The map of the ledger: areas, regions, and what is known of its cells.
///
/// Cells are squares of a twentieth of a degree. Most lie within one area, which is found once for all tracks.
public final class LedgerMap: Sendable {
    /// The embedded boundaries and places; read at the first use.
    public static let embedded: LedgerMap = {
        // Each takes some hundredths of a second.
        DispatchQueue.concurrentPerform(iterations: 2) { part in
            if part == 0 { _ = CountryIndex.embedded } else { _ = Gazetteer.embedded }
        }
        return LedgerMap(.embedded, Geography.embeddedCountries, .embedded)
    }()

    /// Begins to read the embedded boundaries and places, on another thread: a caller that needs them later, and reads files
    /// before, need not wait for them.
    public static func prepare() {
        DispatchQueue.global(qos: .utility).async { _ = embedded }
    }

    /// Increased when the rules change by which rows are derived.
    private static let version = 1
    /// A digest of the embedded boundaries and places and of the rules: rows of another one are derived again.
    public static let embeddedDigest: ContentDigest = {
        var digester = Digester()
        digester.update("ledger")
        digester.update(version)
        digester.update(Geography.embeddedChecksum)
        digester.update(Gazetteer.embeddedChecksum)
        return digester.finish()
    }()

    let finder: AreaFinder
    let gazetteer: Gazetteer
    /// For each country its index in the gazetteer.
    let gazetteerCountries: [Int?]
    private let known = Locked(Known())

    /// What is known of a cell.
    struct CellSurroundings {
        /// The area of all places of the cell and its margin; nil if there are several.
        var area: Area?
        /// Whether a place of the cell is as near to two countries as outlines may be wrong.
        var isNearBorder: Bool
    }

    private struct Known {
        var cells: [Int32: CellSurroundings] = [:]
        var regions: [UInt64: Int?] = [:]
    }

    /// Above this number of entries, what is known is forgotten: 10 MB.
    private static let limit = 200_000

    /// A map of other boundaries and places.
    public init(_ index: CountryIndex, _ countries: [Geography.Country], _ gazetteer: Gazetteer) {
        finder = AreaFinder(index)
        self.gazetteer = gazetteer
        gazetteerCountries = countries.map {
            gazetteer.countryIndex(CountryView.isoCode(of: $0.code))
        }
    }

    /// The number of the cell of a place.
    public static func cellNumber(of place: LedgerPlace) -> Int32 { LedgerCell(place).number }

    /// The middle of a cell; nil if there is no such cell.
    public static func center(ofCell number: Int32) -> GeoPoint? { LedgerCell(number: number)?.center }

    /// Whether all places of a cell and its margin are in one country, or on the same kind of water.
    public func isOneArea(cell number: Int32) -> Bool {
        LedgerCell(number: number).flatMap { area(of: $0) } != nil
    }

    /// The area of all places of a cell and its margin; nil if there are several.
    func area(of cell: LedgerCell) -> Area? { surroundings(of: cell).area }

    func surroundings(of cell: LedgerCell) -> CellSurroundings {
        if let surroundings = known.withLock({ $0.cells[cell.number] }) { return surroundings }
        // Outside of the lock: two threads may find the same twice, but neither waits for the other's search.
        let lookup = finder.lookup(cell.center)
        let surroundings = CellSurroundings(
            area: lookup.sameAreaMetres > cell.reachMetres ? lookup.area : nil,
            isNearBorder: finder.hasBorder(within: AreaHysteresis.leaveMetres + cell.reachMetres, of: cell.center))
        known.withLock { known in
            if known.cells.count >= Self.limit { known.cells.removeAll() }
            known.cells[cell.number] = surroundings
        }
        return surroundings
    }

    /// The region of a cell in a country: that of the place of this country nearest to the middle of the cell.
    func region(of cell: LedgerCell, in country: Int) -> Int? {
        guard let country = gazetteerCountries[country] else { return nil }
        let key = UInt64(country) << 32 | UInt64(cell.number)
        if let region = known.withLock({ $0.regions[key] }) { return region }
        let region = gazetteer.region(nearest: cell.center, inCountry: country)
        known.withLock { known in
            if known.regions.count >= Self.limit { known.regions.removeAll() }
            known.regions[key] = .some(region)
        }
        return region
    }
}

/// A square of a twentieth of a degree.
struct LedgerCell: Sendable, Hashable {
    /// 1e-7° in a cell.
    private static let units = 500_000
    /// A track leaves a cell when it is this far beyond its edge, so that one along an edge does not change it often.
    private static let marginUnits = 50_000
    private static let columns = 7200
    private static let rows = 3600
    private static let (firstWest, firstSouth) = (-1_800_000_000, -900_000_000)

    let number: Int32

    @inline(__always)
    init(_ place: LedgerPlace) {
        let column = min(Self.columns - 1, (Int(place.longitude) - Self.firstWest) / Self.units)
        let row = min(Self.rows - 1, (Int(place.latitude) - Self.firstSouth) / Self.units)
        number = Int32(row * Self.columns + column)
    }

    init?(number: Int32) {
        guard number >= 0, Int(number) < Self.columns * Self.rows else { return nil }
        self.number = number
    }

    private var west: Int { Int(number) % Self.columns * Self.units + Self.firstWest }
    private var south: Int { Int(number) / Self.columns * Self.units + Self.firstSouth }

    var center: GeoPoint {
        // Within the ranges of degrees, always.
        GeoPoint(longitude: Double(west + Self.units / 2) / 1e7, latitude: Double(south + Self.units / 2) / 1e7)
            ?? GeoPoint.origin
    }

    /// The cell with its margin.
    var box: LedgerBox {
        // Up to 180.005° east, which is a number of 32 bits.
        var box = LedgerBox(
            LedgerPlace(longitude: Int32(west - Self.marginUnits), latitude: Int32(south - Self.marginUnits)))
        box.east = Int32(west + Self.units + Self.marginUnits)
        box.north = Int32(south + Self.units + Self.marginUnits)
        return box
    }

    /// Metres from the middle to the corners of `box`.
    var reachMetres: Double {
        let half = Double(Self.units / 2 + Self.marginUnits) * LedgerPlace.metresPerUnit
        // The edge nearer to the equator is the longer one.
        let latitude = max(0, Double(min(abs(south), abs(south + Self.units)) - Self.marginUnits) / 1e7)
        let east = half * cos(latitude * .pi / 180)
        return (half * half + east * east).squareRoot()
    }
}

extension GeoPoint {
    fileprivate static let origin: GeoPoint = {
        guard let place = GeoPoint(longitude: 0, latitude: 0) else { preconditionFailure("0, 0 is a place") }
        return place
    }()
}
