import Database
import Digest
import Dispatch
import Files
import Foundation
import Locking
import PictureStore
import SQLite
import Testing
import TileMath

@Suite struct PictureCacheTests {
    @Test func `pictures of a style without stored ones are looked up while a removal waits for a reader`() throws {
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
        let cache = try PictureCache(path: folder.path + "/pictures.sqlite")
        let digest = ContentDigest(of: [1])
        let key = PictureKey(
            style: "heat", layer: "run", tile: TileCoordinate(northWestOf: .deepestGrid), scale: .double)
        #expect(try cache.picture(key, digest: digest) == nil)
        let other = try PictureCache(path: folder.path + "/pictures.sqlite")
        let entry = PictureCache.Entry(key: key, digest: digest, bytes: [7])
        #expect(try other.store([entry], drawnIn: other.generation()))
        #expect(try cache.picture(key, digest: digest) == [7])
    }
}
