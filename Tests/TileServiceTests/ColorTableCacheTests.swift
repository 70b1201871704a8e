import Caching
import Colors
import GridStorage
import HeatGrid
import Styling
import Testing
import TileMath
import TrackStore

@testable import TileDrawing

/// The colour tables of a state of the grid, which are cached within a limit.
@Suite struct ColorTableCacheTests {
    private let symbolizer = HeatSymbolizer(
        ramp: Ramp(
            blend: .oklab,
            stops: [
                Ramp.Stop(at: 0, color: Color(red: 0, green: 0, blue: 0)),
                Ramp.Stop(at: 1, color: Color(red: 255, green: 0, blue: 0)),
            ]))

    private func keys(zooms: ClosedRange<Int>) throws -> [GridSnapshot.TableKey] {
        try zooms.map { GridSnapshot.TableKey(symbolizer, layer: 0, zoom: try #require(ZoomLevel($0))) }
    }

    private func snapshot(_ town: Town, _ reader: GridReader, byteLimit: Int) throws -> GridSnapshot {
        try #require(
            try GridSnapshot(
                reader, wholeLayerNames: town.library.wholeLayerNames, tablesByteLimit: byteLimit))
    }

    @Test func `tables of all time are cached within a limit, and made again with the same digest`() throws {
        let town = try Town()
        try town.library.grid.read { reader in
            let (small, large) = (
                try snapshot(town, reader, byteLimit: 4_000), try snapshot(town, reader, byteLimit: 1 << 20)
            )
            let keys = try keys(zooms: 0...16)
            let digests = try keys.map { try large.colors(symbolizer, $0, reader).digest }
            for _ in 0..<2 {
                #expect(try keys.map { try small.colors(symbolizer, $0, reader).digest } == digests)
                let (entries, hasEvicted) = small.allTimeTables.contents
                #expect(hasEvicted && (1..<keys.count).contains(entries.count))
                #expect(entries.reduce(0) { $0 + $1.value.colors.byteCount + $1.key.byteCount } <= 4_000)
            }
            #expect(!large.allTimeTables.contents.hasEvicted)
        }
    }

    @Test func `a table that was evicted counts as changed, one that was never made does not`() throws {
        let town = try Town()
        try town.library.grid.read { reader in
            let keys = try keys(zooms: 0...16)
            let newer = try snapshot(town, reader, byteLimit: 1 << 20)
            let small = try snapshot(town, reader, byteLimit: 4_000)
            for key in keys { _ = try small.colors(symbolizer, key, reader) }
            let held = Set(small.allTimeTables.contents.entries.map(\.key))
            let changes = try TableChanges(from: small, to: newer, reader)
            for key in keys { #expect(changes.mayContain(key) == !held.contains(key)) }
            #expect(changes.zooms.count == 23)

            let large = try snapshot(town, reader, byteLimit: 1 << 20)
            for key in keys.dropFirst() { _ = try large.colors(symbolizer, key, reader) }
            let none = try TableChanges(from: large, to: newer, reader)
            #expect(!keys.contains { none.mayContain($0) } && none.zooms.isEmpty)
        }
    }

    @Test func `a table whose colours begin at other counts is changed`() throws {
        let town = try Town()
        let keys = try keys(zooms: 10...16)
        let older = try town.library.grid.read { reader in
            let older = try snapshot(town, reader, byteLimit: 1 << 20)
            for key in keys { _ = try older.colors(symbolizer, key, reader) }
            return older
        }
        // Counts above those of the smallest range of a scale.
        for day in 2..<32 { try town.library.ride(day: Int64(day), activity: "ride") }
        try town.library.catchUp()
        try town.library.grid.read { reader in
            let newer = try snapshot(town, reader, byteLimit: 1 << 20)
            let changes = try TableChanges(from: older, to: newer, reader)
            #expect(keys.allSatisfy { changes.mayContain($0) })
            #expect(changes.zooms == Set((10...16).compactMap { ZoomLevel($0) }))
        }
    }
}
