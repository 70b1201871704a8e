import Locking
import Pins
import PrimaryStore
import Testing
import TrackQuery
import TrackStore

@testable import PinService
@testable import TileService

@Suite struct PinLayerCacheTests {
    /// The number of statements that `body` executes.
    private func statements(_ failures: DiskFailures, _ body: () throws -> Void) rethrows -> Int {
        let count = Locked(0)
        failures.begin { _, _ in
            count.withLock { $0 += 1 }
            return false
        }
        defer { failures.end() }
        try body()
        return count.withLock { $0 }
    }

    @Test func `the tracks of each layer are read once for each revision, of however many layers`() throws {
        let failures = DiskFailures()
        let town = try Town(failures: failures)
        let names = try (0..<40).map { number in
            let condition = try TrackCondition(parsing: "activity = \(number % 2 == 0 ? "ride" : "walk")")
            _ = try town.library.database.addLayer(name: "layer\(number)", condition: condition)
            return "layer\(number)"
        }
        let layers = PinLayers(town.library)
        func readAll() throws { for name in names { #expect(try layers.times(of: name) != nil) } }
        let first = try statements(failures, readAll)
        let again = try statements(failures, readAll)
        let revision = try statements(failures) { _ = try town.library.database.head() }
        #expect(again == names.count * revision && first > again)
        #expect(try layers.times(of: "none") == nil)
    }

    @Test func `a changed library is read again`() throws {
        let town = try Town()
        let layers = PinLayers(town.library)
        let time = (Town.firstDay + 9 * 86_400 + 1) * 1000
        #expect(try layers.times(of: "walk")?.contains(time, of: nil) == false)
        try town.library.ride(day: 9, activity: "walk")
        try layers.dropOutdated()
        #expect(try layers.times(of: "walk")?.contains(time, of: nil) == true)
    }
}
