import Database
import Files
import Geocoding
import TestLibrary
import Testing
import Tracks

@testable import GridStorage
@testable import PrimaryStore
@testable import TrackStore

@Suite(.eachStore) struct AddressRemovalTests {
    private let folder: TemporaryFolder
    private let library: Library
    /// The cells of the first track, which is kept.
    private let kept: [Int64]
    private let removed: String

    /// A library of two tracks at different places, with an address for each cell.
    init() throws {
        folder = try TemporaryFolder()
        library = try Library(in: folder)
        try library.database.add(outing(start: 1_559_390_400, count: 60), source: "a.gpx")
        try library.catchUp()
        try library.updateAddressQueue()
        kept = try library.addressCells()
        try library.database.add(outing(start: 1_560_390_400, count: 60, latitude: 600_000_000), source: "b.gpx")
        try library.catchUp()
        removed = try #require(try library.database.allTracks().first { $0.source == "b.gpx" }).id
    }

    private func updateGrid() throws {
        _ = try library.grid.catchUp(
            with: TrackGridSource(library.database), calendar: try library.calendar(), rebuilding: false,
            memoryBytes: GridStore.defaultMemoryBytes, report: { _ in })
    }

    @Test func `An update that began before a removal restores nothing`() throws {
        let stale = try #require(try library.wantedAddressCells())
        #expect(stale.cells.count == 4)
        #expect(try library.remove([removed]) { _ in } == library.completeRemoval)
        #expect(try !library.store(stale))
        #expect(try library.addressCells() == kept)
    }

    @Test func `Nothing is asked for between a change of the library and the update of the queue`() throws {
        let queue = try #require(try library.updateAddressQueue())
        _ = try library.database.markRemoved([removed])
        #expect(
            try library.database.reserveAddressRequest(GeocodingPace(), revision: queue.revision)
                == .wait(milliseconds: 0))
        #expect(try library.updateAddressQueue() == nil)
        try library.catchUp()
        let later = try #require(try library.updateAddressQueue())
        guard
            case .request(let cell) = try library.database.reserveAddressRequest(
                GeocodingPace(), revision: later.revision)
        else { return #expect(Bool(false), "nothing is asked for") }
        #expect(kept.contains(cell.key))
    }

    @Test func `Addresses of removed tracks go although tracks are added meanwhile`() throws {
        try library.updateAddressQueue()
        _ = try library.database.markRemoved([removed])
        #expect(try !library.removeUnwantedAddresses())
        try updateGrid()
        try library.database.add(outing(start: 1_570_390_400, count: 60, latitude: 610_000_000), source: "c.gpx")
        #expect(try library.gridStatus() == .behind)
        #expect(try library.removeUnwantedAddresses())
        #expect(try library.addressCells() == kept)
        try library.catchUp()
        try library.updateAddressQueue()
        #expect(try library.addressCells().count == 4)
    }

    @Test func `Cells that another process wants in a later state are not removed`() throws {
        try library.updateAddressQueue()
        _ = try library.database.markRemoved([removed])
        try updateGrid()
        let early = try #require(try library.wantedAddressCells(ignoringAdditions: true))
        try library.database.add(outing(start: 1_570_390_400, count: 60, latitude: 610_000_000), source: "c.gpx")
        try updateGrid()
        try library.updateAddressQueue()
        let known = try library.addressCells()
        #expect(known.count == 4)
        #expect(try library.removeAddresses(except: early, lost: []))
        #expect(try library.addressCells() == known)
    }

    /// Twenty minutes at a place, some metres from the first point of the track.
    private func rest(start: Int64) -> PointColumns {
        let numbers = Array(Int64(0)..<120)
        return PointColumns(
            unit: .decimal(places: 7), longitudes: numbers.map { $0 < 2 ? 134_000_000 : 134_008_000 + $0 % 5 },
            latitudes: numbers.map { 525_000_000 + $0 % 7 }, times: numbers.map { (start + $0 * 10) * 1000 },
            segmentStarts: [0])
    }

    @Test func `The place of a stay is not asked for before the person has left it for an hour`() throws {
        let now = TrackDatabase.systemClock() / 1000
        let start = try #require(GeocodingCell(e7Longitude: 134_000_000, latitude: 525_000_003))
        let place = try #require(GeocodingCell(e7Longitude: 134_008_002, latitude: 525_000_003))
        let present = try Library(in: folder, "present")
        try present.database.add([rest(start: now - 1_500)], device: "phone")
        try present.catchUp()
        let queue = try #require(try present.updateAddressQueue())
        #expect(try present.addressCells() == [start.key])
        #expect(queue.nextUpdate == (now - 1_500 + 1_190 + 3_600) * 1000)
        let past = try Library(in: folder, "past")
        try past.database.add([rest(start: now - 9_000)], device: "phone")
        try past.catchUp()
        #expect(try #require(try past.updateAddressQueue()).nextUpdate == nil)
        #expect(try past.addressCells() == [start.key, place.key].sorted())
        // Who comes back does not lose the address.
        try past.database.store(PostalAddress(label: "Allee 1", source: "test"), of: place)
        try past.database.add([rest(start: now - 1_300)], device: "phone")
        try past.catchUp()
        try past.updateAddressQueue()
        #expect(try past.database.addresses(of: [place])[place]?.label == "Allee 1")
        #expect(try past.database.addressCounts().waiting == 1)
    }
}

extension Library {
    /// The keys of the cells whose addresses are known or wanted.
    fileprivate func addressCells() throws -> [Int64] {
        try database.read { try $0.session.rows("SELECT cell FROM address ORDER BY cell") { $0.integer(0) } }
    }
}
