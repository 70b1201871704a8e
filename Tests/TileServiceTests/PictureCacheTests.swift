import Database
import Digest
import Dispatch
import Files
import Foundation
import GridStorage
import Locking
import PictureStore
import SQLite
import TestLibrary
import Testing
import TileMath

@testable import TrackStore

extension PictureCache {
    /// The cache of the library in a folder.
    convenience init(ofLibrary folder: String) throws {
        if let tables = try Library.storage(in: folder).pictureTables() {
            self.init(tables)
        } else {
            try self.init(path: folder + "/pictures.sqlite")
        }
    }
}

@Suite(.eachStore) struct PictureCacheTests {
    private static func entry(_ index: Int, _ bytes: [UInt8], style: String = "heat") throws -> PictureCache.Entry {
        let tile = try #require(TileCoordinate(zoom: .deepestGrid, x: index, y: 7))
        let key = PictureKey(style: style, layer: "all", tile: tile, scale: index % 2 == 0 ? .single : .double)
        return PictureCache.Entry(key: key, digest: ContentDigest(of: [UInt8(index % 5)]), bytes: bytes)
    }

    @Test func `pictures are found by key and digest, replaced, counted and dropped`() throws {
        let folder = try TemporaryFolder()
        let cache = try PictureCache(ofLibrary: folder.path)
        let generation = try cache.generation()
        let entries = try (0..<200).map { index in
            try Self.entry(
                index, [UInt8](repeating: UInt8(index), count: index * 50), style: index < 100 ? "heat" : "lines")
        }
        #expect(try cache.store(entries, drawnIn: generation))
        #expect(try cache.store(Array(entries[50..<150]), drawnIn: generation))
        let other = try PictureCache(ofLibrary: folder.path)
        for entry in entries {
            #expect(try other.picture(entry.key, digest: entry.digest) == entry.bytes)
            #expect(try other.holds(entry.key, digest: entry.digest))
            let changed = ContentDigest(of: [99])
            #expect(try other.picture(entry.key, digest: changed) == nil)
            #expect(try !other.holds(entry.key, digest: changed))
        }
        let totals = try other.totals()
        #expect(totals.pictures == 200 && totals.bytes == (0..<200).reduce(0) { $0 + $1 * 50 })
        let dropped = try other.drop { $0.style == "lines" && $0.scale == .double }
        let expected = entries[100...].map(\.key).filter { $0.scale == .double }
        #expect(Set(dropped) == Set(expected) && dropped.count == expected.count)
        #expect(try cache.generation() == generation)
        #expect(try cache.totals().pictures == 150)
        let newer = PictureCache.Entry(key: entries[0].key, digest: ContentDigest(of: [77]), bytes: [1, 2])
        #expect(try cache.store([newer], drawnIn: generation))
        #expect(try other.picture(newer.key, digest: newer.digest) == [1, 2])
        #expect(try other.picture(newer.key, digest: entries[0].digest) == nil)
    }

    @Test func `what was drawn before a drop is not stored after it, by no process`() throws {
        let folder = try TemporaryFolder()
        let (cache, other) = (try PictureCache(ofLibrary: folder.path), try PictureCache(ofLibrary: folder.path))
        let entry = try Self.entry(1, [1])
        let drawn = try other.generation()
        try cache.dropEndingGeneration { _ in false }
        #expect(try !other.store([entry], drawnIn: drawn))
        #expect(try !cache.store([entry], drawnIn: drawn))
        #expect(try cache.totals().pictures == 0)
        #expect(try other.store([entry], drawnIn: other.generation()))
    }

    @Test func `of pictures that are stored while others drop them, none is older than the last drop`() throws {
        let folder = try TemporaryFolder()
        let problems = Locked<[String]>([])
        let stored = Locked(0)
        // Opened here: other threads do not know with which kind of storage the test runs.
        let caches = try (0..<4).map { _ in try PictureCache(ofLibrary: folder.path) }
        DispatchQueue.concurrentPerform(iterations: caches.count) { process in
            do {
                let cache = caches[process]
                for round in 0..<30 {
                    if process == 0 {
                        try cache.dropEndingGeneration { _ in true }
                        continue
                    }
                    let generation = try cache.generation()
                    // All processes store the same pictures, in different orders.
                    let entries = try (0..<20).map { index in
                        let place = process == 1 ? index : 19 - index
                        return try Self.entry(place, [UInt8(truncatingIfNeeded: generation)], style: "s\(round % 3)")
                    }
                    if try cache.store(entries, drawnIn: generation) { stored.withLock { $0 += 1 } }
                    let now = try cache.generation()
                    for entry in entries {
                        guard let bytes = try cache.picture(entry.key, digest: entry.digest) else { continue }
                        if bytes[0] < UInt8(truncatingIfNeeded: now), try cache.generation() == now,
                            try cache.picture(entry.key, digest: entry.digest) == bytes
                        {
                            problems.withLock { $0.append("\(bytes[0]) in generation \(now)") }
                        }
                    }
                }
            } catch {
                problems.withLock { $0.append("\(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
        #expect(stored.withLock { $0 } > 0)
        let generation = try PictureCache(ofLibrary: folder.path).generation()
        #expect(generation == 30)
    }

    @Test func `pictures stay when the grid is made again, which does not take them for its own tables`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library"
        let library = try Library(folder: path)
        let cache = try PictureCache(ofLibrary: path)
        let entry = try Self.entry(1, [5])
        #expect(try cache.store([entry], drawnIn: cache.generation()))
        #expect(try Library(folder: path).grid.takeRepairs() == [])
        try Library.storage(in: path).database(.grid, isReadOnly: false).recreate()
        try library.rebuild()
        #expect(try Library(folder: path).grid.takeRepairs() == [])
        #expect(try cache.picture(entry.key, digest: entry.digest) == [5])
        #expect(try PictureCache(ofLibrary: path).totals().pictures == 1)
    }

    @Test(.onlySQLite("the reader and the writer of one file"))
    func `pictures of a style without stored ones are looked up while a removal waits for a reader`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pictures.sqlite"
        let cache = try PictureCache(path: path)
        let tile = TileCoordinate(northWestOf: .deepestGrid)
        let digest = ContentDigest(of: [1])
        let stored = PictureKey(style: "heat", layer: "all", tile: tile, scale: .single)
        let generation = try cache.generation()
        try cache.store([PictureCache.Entry(key: stored, digest: digest, bytes: [1])], drawnIn: generation)
        let problems = Locked<[String]>([])
        let (removed, found) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try ReaderPool(path: path).read { connection in
            #expect(try connection.integer("SELECT count(*) FROM pictures") == 1)
            // Serial queues have threads of their own.
            DispatchQueue(label: "tileserve.test.removal").async {
                do {
                    try cache.dropEndingGeneration { _ in true }
                } catch {
                    problems.withLock { $0.append("\(error)") }
                }
                removed.signal()
            }
            while try cache.generation() == generation { Thread.sleep(forTimeInterval: 0.001) }
            // From here on, the removal waits until nobody reads the pages that it erases.
            Thread.sleep(forTimeInterval: 0.1)
            DispatchQueue(label: "tileserve.test.lookup").async {
                let other = PictureKey(style: "lines", layer: "all", tile: tile, scale: .single)
                do {
                    let isHeld = try cache.holds(other, digest: digest)
                    if try isHeld || cache.picture(other, digest: digest) != nil {
                        problems.withLock { $0.append("a picture that was never stored") }
                    }
                } catch {
                    problems.withLock { $0.append("\(error)") }
                }
                found.signal()
            }
            #expect(found.wait(timeout: .now() + .seconds(10)) == .success)
            #expect(removed.wait(timeout: .now()) == .timedOut)
        }
        removed.wait()
        #expect(problems.withLock { $0 }.isEmpty)
        #expect(try cache.totals().pictures == 0)
    }

    @Test func `a style and layer that another process stores first is found without opening the cache again`() throws {
        let folder = try TemporaryFolder()
        let cache = try PictureCache(ofLibrary: folder.path)
        let digest = ContentDigest(of: [1])
        let key = PictureKey(
            style: "heat", layer: "run", tile: TileCoordinate(northWestOf: .deepestGrid), scale: .double)
        #expect(try cache.picture(key, digest: digest) == nil)
        let other = try PictureCache(ofLibrary: folder.path)
        let entry = PictureCache.Entry(key: key, digest: digest, bytes: [7])
        #expect(try other.store([entry], drawnIn: other.generation()))
        #expect(try cache.picture(key, digest: digest) == [7])
    }
}
