import Database
import Digest
import Files
import HeatGrid
import Locking
import SQLite
import SampleTracks
import TestLibrary
import TestSupport
import Testing
import TileLog
import TileMath
import TrackQuery
import Tracks

@testable import GridStorage
@testable import PrimaryStore

@Suite(.eachStore) struct GridLayerTests {
    private let folder: TemporaryFolder
    private let calendar: DayCalendar

    init() throws {
        folder = try TemporaryFolder()
        calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
    }

    /// Eight tracks with tiles that are dense, become dense and cease to be dense.
    private static let rule = {
        var rule = SumRule()
        rule.denseVisits = 500
        rule.minVisits = 300
        rule.gain = 1
        return rule
    }()

    private func grid(_ name: String) throws -> GridStore {
        let path = "\(folder.path)/\(name)"
        try Folder.make(path)
        return try GridStore(folder: path, rule: Self.rule)
    }

    private func source(_ numbers: [Int]) -> MemorySource {
        let source = MemorySource()
        for number in numbers { source.add(GridDump.samples[number], number: Int64(number)) }
        return source
    }

    private static func layer(_ number: UInt8, _ name: String, _ text: String) throws -> LayerDefinition {
        LayerDefinition(number: number, name: name, condition: try TrackCondition(parsing: text))
    }

    /// Layers of some tracks, of all and of none; a track's tags determine to which of them it belongs.
    private static func layers() throws -> [LayerDefinition] {
        [
            try layer(254, "odd", "tag = odd"), try layer(253, "everybody", "metres >= 0"),
            try layer(252, "rides", "activity = ride and tag = even"), try layer(251, "nobody", "name = nobody"),
        ]
    }

    /// Does all outstanding work of layers.
    private func finish(_ grid: GridStore) throws {
        while let work = try grid.layerWork(waiting: true) { while try work.step() != nil {} }
    }

    @Test func `a layer added later equals one that was built with the grid`() throws {
        let later = source(Array(0..<8))
        let grown = try grid("grown")
        _ = try grown.catchUp(with: later, calendar: calendar)
        later.set(layers: try Self.layers())
        let change = try grown.catchUp(with: later, calendar: calendar)
        #expect(change?.tiles == [])
        #expect(try grown.read { try $0.layers() }.allSatisfy { !$0.isReady })
        try finish(grown)
        #expect(try grown.read { try $0.layers() }.allSatisfy(\.isReady))
        let made = try grid("made")
        _ = try made.catchUp(with: later, calendar: calendar)
        #expect(try made.read { try $0.layers() }.allSatisfy(\.isReady))
        let dump = try GridDump.lines(made)
        #expect(try GridDump.lines(grown) == dump)
        #expect(dump.contains { $0.hasPrefix("layer_rows") } && dump.contains { $0.hasPrefix("members") })
        #expect(try grown.read { try $0.state() }?.layers == made.read { try $0.state() }?.layers)
    }

    @Test func `adding and removing a layer changes no other row`() throws {
        let tracks = source(Array(0..<8))
        tracks.set(layers: [try Self.layer(253, "everybody", "metres >= 0")])
        let store = try grid("store")
        _ = try store.catchUp(with: tracks, calendar: calendar)
        let before = try GridDump.lines(store)
        tracks.set(layers: [
            try Self.layer(253, "everybody", "metres >= 0"), try Self.layer(254, "odd", "tag = odd"),
        ])
        _ = try store.catchUp(with: tracks, calendar: calendar)
        try finish(store)
        let between = try GridDump.lines(store)
        let own = Set(between).subtracting(before)
        #expect(Set(before).isSubset(of: between) && !own.isEmpty)
        tracks.set(layers: [try Self.layer(253, "everybody", "metres >= 0")])
        _ = try store.catchUp(with: tracks, calendar: calendar)
        #expect(try store.read { try $0.layers() }.map(\.name) == ["everybody"])
        try finish(store)
        #expect(try GridDump.lines(store) == before)
        // A new layer with the number of a removed one: its rows are built after those of the removed layer are
        // deleted.
        tracks.set(layers: [try Self.layer(253, "rides", "activity = ride")])
        _ = try store.catchUp(with: tracks, calendar: calendar)
        #expect(try store.read { try $0.layers() }.isEmpty)
        try finish(store)
        _ = try store.catchUp(with: tracks, calendar: calendar)
        try finish(store)
        let fresh = try grid("fresh")
        _ = try fresh.catchUp(with: tracks, calendar: calendar)
        #expect(try GridDump.lines(store) == GridDump.lines(fresh))
    }

    @Test func `a layer's counts are those of its tracks, in every window, in dense and other tiles`() throws {
        let tracks = source(Array(0..<8))
        tracks.set(layers: try Self.layers())
        let store = try grid("store")
        _ = try store.catchUp(with: tracks, calendar: calendar)
        try store.read { grid in
            let known = try grid.tracks()
            var reader = TileReader()
            let days = try (0..<8).map { try #require(GridDump.samples[$0].chunks.first?.times.first) }
                .map { calendar.day(of: $0) }.sorted()
            let windows = [
                DayWindow.allTime, DayWindow(from: days[2], to: days[5]), DayWindow(from: nil, to: days[4]),
                DayWindow(from: days[3], to: days[3]), DayWindow(from: days[3], to: nil),
            ]
            for definition in try Self.layers() {
                let members = try #require(known.layers[definition.number])
                if definition.name == "everybody" { #expect(members.count == 8) }
                if definition.name == "nobody" { #expect(members.count == 0) }
                for zoom in [0, 6, 11, 13, 16] {
                    let level = try #require(ZoomLevel(zoom))
                    var histogram = CountHistogram()
                    for tile in try grid.occupiedTiles(zoom: level, after: nil, limit: 300) {
                        for window in windows {
                            let own = CountQuery(window: window, layer: definition.number, tracks: known)
                            #expect(own.operatorLayer == definition.number)
                            let plain = CountQuery(window: window, layer: nil, filter: .members(members))
                            let counted = try grid.counts(of: tile, own, using: &reader)
                            #expect(try counted == grid.counts(of: tile, plain, using: &reader))
                            if window.isAllTime {
                                for count in counted.counts { histogram.add(count: count, cells: 1) }
                            }
                            if window.isAllTime {
                                let digest = try grid.contentDigest(of: tile, layer: definition.number, tracks: known)
                                #expect((digest == 0) == counted.isEmpty)
                                let log = try #require(try grid.log(of: tile.packed))
                                #expect(digest == known.contentDigest(of: log.span, layer: definition.number))
                            }
                        }
                    }
                    if zoom < 16 { #expect(try grid.histogram(zoom: level, layer: definition.number) == histogram) }
                }
            }
        }
    }

    @Test func `a track with a changed description enters and leaves layers, and other tiles do not change`() throws {
        let tracks = source(Array(0..<8))
        tracks.set(layers: try Self.layers())
        let store = try grid("store")
        _ = try store.catchUp(with: tracks, calendar: calendar)
        let before = try GridDump.lines(store)
        tracks.describe(4, tags: ["odd"])
        let change = try store.catchUp(with: tracks, calendar: calendar)
        #expect(change?.tiles?.isEmpty == false)
        let fresh = try grid("fresh")
        _ = try fresh.catchUp(with: tracks, calendar: calendar)
        #expect(try GridDump.lines(store) == GridDump.lines(fresh))
        tracks.describe(4, tags: ["even", "other"])
        _ = try store.catchUp(with: tracks, calendar: calendar)
        #expect(try GridDump.lines(store) == before)
        tracks.describe(5, tags: ["odd", "other"])
        #expect(try store.catchUp(with: tracks, calendar: calendar)?.tiles == [])
        #expect(try GridDump.lines(store) == before)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `any order of imports, removals, edits and layers equals a rebuilt grid`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let tracks = source((0..<8).filter { _ in random.below(2) == 0 })
        let store = try grid("store")
        var wanted: [LayerDefinition] = []
        var stepsBetween = 0
        for _ in 0..<24 {
            let number = random.below(8)
            switch random.below(8) {
            case 0, 1: tracks.add(GridDump.samples[number], number: Int64(number))
            case 2: tracks.remove([Int64(number)])
            case 3: tracks.describe(Int64(number), tags: [["odd", "even", "other"][random.below(3)]])
            case 4:
                var other = GridDump.samples[number]
                other.activity = ["ride", "run", "swim"][random.below(3)]
                tracks.add(other, number: Int64(number))
            case 5:
                let all = try Self.layers()
                let layer = all[random.below(all.count)]
                if !wanted.contains(where: { $0.number == layer.number }) { wanted.append(layer) }
                tracks.set(layers: wanted)
            case 6 where !wanted.isEmpty && random.below(2) == 0:
                wanted.remove(at: random.below(wanted.count))
                tracks.set(layers: wanted)
            default:
                // A process that builds layers and is killed after some steps.
                if let work = try store.layerWork(waiting: true, stepTiles: 1 + random.below(2000)) {
                    for _ in 0..<1 + random.below(6) where try work.step() != nil { stepsBetween += 1 }
                }
            }
            if random.below(3) > 0 { _ = try store.catchUp(with: tracks, calendar: calendar) }
        }
        _ = try store.catchUp(with: tracks, calendar: calendar)
        repeat { try finish(store) } while try store.catchUp(with: tracks, calendar: calendar) != nil
        let fresh = try grid("fresh")
        _ = try fresh.catchUp(with: tracks, calendar: calendar)
        #expect(try GridDump.lines(store) == GridDump.lines(fresh))
        #expect(stepsBetween > 0)
    }
}
