import Digest
import Dispatch
import Files
import HTTPCore
import Locking
import Styling
package import TileMath
import TrackStore

/// What is to be prerendered, and where to.
package struct PrerenderJob: Sendable {
    /// Where pictures go.
    package enum Output: Sendable {
        /// The disk cache that `serve` reads.
        case cache(PictureCache)
        /// Files `{z}/{x}/{y}.png` (`{y}@2x.png`) below a folder.
        case folder(String)
    }

    /// Zoom levels, ascending.
    package var zooms: ClosedRange<Int>
    package var style: String
    package var layer: String
    /// Only tiles that meet one of these; empty for all.
    package var boxes: [BoundingBox]
    package var scale: TileRequest.Scale
    package var workers: Int
    package var output: Output
    /// Passes over what is there already, as it would be drawn now.
    package var resumes: Bool
    /// Counts, and draws nothing.
    package var isDryRun: Bool

    /// A job.
    package init(
        zooms: ClosedRange<Int>, style: String = TileRequest.defaultStyle, layer: String = TileRequest.defaultLayer,
        boxes: [BoundingBox] = [], scale: TileRequest.Scale = .single, workers: Int, output: Output,
        resumes: Bool = false,
        isDryRun: Bool = false
    ) {
        self.zooms = zooms
        self.style = style
        self.layer = layer
        self.boxes = boxes
        self.scale = scale
        self.workers = workers
        self.output = output
        self.resumes = resumes
        self.isDryRun = isDryRun
    }
}

/// How far prerendering is, or how it ended.
package struct PrerenderReceipt: Sendable, Equatable {
    /// Tiles that may have something on them, of those looked at so far.
    package var tiles = 0
    /// Tiles in all that may have something on them, before boxes are looked at.
    package var tilesInAll = 0
    /// Pictures written.
    package var drawn = 0
    /// Pictures that were there already, as they would be drawn now.
    package var kept = 0
    /// Tiles with nothing on them after all: nothing is written.
    package var empty = 0
    /// Pictures of earlier runs that were taken away, as nothing is there any more.
    package var removed = 0
    /// Bytes written.
    package var bytes = 0
    /// Whether it was told to stop before the end.
    package var wasStopped = false
}

/// Walks the occupied tiles of the grid and draws each as a request would.
package struct Prerender: Sendable {
    private let renderer: TileRenderer
    private let job: PrerenderJob
    private let notes: PictureCache
    /// For tests: runs between the drawing of pictures and their keeping.
    package var beforeKeeping: @Sendable () throws -> Void = {}

    /// Tiles between two commits to the disk, two reports, and two looks whether to stop.
    private static let batchTiles = 512
    private static let notesName = ".tileserve.sqlite"

    /// A run of a job; a folder for its output is made if it is not there.
    package init(_ job: PrerenderJob, renderer: TileRenderer) throws {
        self.renderer = renderer
        self.job = job
        switch job.output {
        case .cache(let cache): notes = cache
        case .folder(let path):
            try Folder.make(path)
            notes = try PictureCache(path: path + "/" + Self.notesName)
        }
    }

    /// Draws until the end, or until `shouldStop` says so; whatever was written is whole.
    package func run(
        shouldStop: @Sendable () -> Bool = { false }, report: (PrerenderReceipt) -> Void = { _ in }
    ) throws -> PrerenderReceipt {
        try renderer.check(request(TileCoordinate(northWestOf: .deepestGrid)))
        var receipt = PrerenderReceipt()
        receipt.tilesInAll = try tilesInAll()
        let writing = WriteBehind()
        var visited: Set<TileCoordinate> = []
        for number in job.zooms {
            guard let zoom = ZoomLevel(number) else { continue }
            var walk = OccupiedTiles(
                zoom: zoom, scale: job.scale, style: renderer.styles[job.style],
                library: renderer.library)
            while let tiles = try walk.next(limit: Self.batchTiles) {
                if shouldStop() {
                    try writing.finish()
                    receipt.wasStopped = true
                    return receipt
                }
                let wanted = tiles.filter(isWanted)
                receipt.tiles += wanted.count
                if !job.isDryRun {
                    let generation = try notes.generation()
                    let entries = try draw(wanted, in: generation, &receipt, &visited)
                    try writing.begin {
                        try beforeKeeping()
                        try keep(entries, drawnIn: generation)
                    }
                }
                report(receipt)
            }
        }
        try writing.finish()
        if !job.isDryRun { receipt.removed = try removeLeftovers(except: visited) }
        return receipt
    }

    private func request(_ tile: TileCoordinate) -> TileRequest {
        TileRequest(style: job.style, layer: job.layer, tile: tile, scale: job.scale)
    }

    private func isWanted(_ tile: TileCoordinate) -> Bool {
        guard !job.boxes.isEmpty else { return true }
        let box = BoundingBox(of: tile)
        return job.boxes.contains { $0.intersects(box) }
    }

    private func tilesInAll() throws -> Int {
        try job.zooms.reduce(0) { sum, number in
            guard let zoom = ZoomLevel(number) else { return sum }
            return sum
                + (try OccupiedTiles.count(
                    zoom: zoom, style: renderer.styles[job.style], library: renderer.library))
        }
    }

    /// One tile's part of a batch.
    private enum Drawn: Sendable {
        case kept(TileCoordinate)
        case empty
        case picture(PictureCache.Entry)
    }

    /// Draws a batch on all workers; gives what is to be kept, and notes which tiles have a picture.
    private func draw(
        _ tiles: [TileCoordinate], in generation: Int64, _ receipt: inout PrerenderReceipt,
        _ visited: inout Set<TileCoordinate>
    ) throws -> [PictureCache.Entry] {
        guard !tiles.isEmpty else { return [] }
        let next = Locked(0)
        let results = Locked<(drawn: [Drawn], failure: (any Error)?)>(([], nil))
        DispatchQueue.concurrentPerform(iterations: min(job.workers, tiles.count)) { _ in
            var mine: [Drawn] = []
            do {
                while true {
                    let index = next.withLock { index in
                        defer { index += 1 }
                        return index
                    }
                    guard index < tiles.count else { break }
                    mine.append(try draw(tiles[index]))
                }
            } catch {
                results.withLock { $0.failure = $0.failure ?? error }
            }
            let finished = mine
            results.withLock { $0.drawn += finished }
        }
        let (drawn, failure) = results.withLock { $0 }
        var entries: [PictureCache.Entry] = []
        for result in drawn {
            switch result {
            case .kept(let tile):
                receipt.kept += 1
                visited.insert(tile)
            case .empty: receipt.empty += 1
            case .picture(let entry):
                receipt.drawn += 1
                receipt.bytes += entry.bytes.count
                entries.append(entry)
                visited.insert(entry.request.tile)
            }
        }
        guard let failure else { return entries }
        // What is drawn is for nothing where it cannot be kept, either.
        try keep(entries, drawnIn: generation)
        throw failure
    }

    private func draw(_ tile: TileCoordinate) throws -> Drawn {
        let request = request(tile)
        if job.resumes, try isThere(request, digest: try renderer.digest(of: request)) { return .kept(tile) }
        let picture = try renderer.picture(request)
        guard !picture.isEmpty else { return .empty }
        if case .folder(let folder) = job.output {
            let path = Self.path(of: request, below: folder)
            try Folder.make(
                String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), durability: .cached)
            try AtomicFile.write(picture.bytes, to: path, durability: .cached, access: .shared)
        }
        return .picture(PictureCache.Entry(request: request, digest: picture.digest, bytes: picture.bytes))
    }

    private func isThere(_ request: TileRequest, digest: ContentDigest) throws -> Bool {
        guard try notes.holds(request, digest: digest) else { return false }
        guard case .folder(let folder) = job.output else { return true }
        return FileStatus.ifAny(of: Self.path(of: request, below: folder)) != nil
    }

    /// Keeps pictures; where the library has changed since they were drawn, they are drawn again before.
    private func keep(_ entries: [PictureCache.Entry], drawnIn drawn: Int64) throws {
        var entries = entries
        var generation = drawn
        while true {
            var kept = entries
            if case .folder = job.output {
                // The pictures are files of their own.
                for index in kept.indices { kept[index].bytes = [] }
            }
            if try notes.keep(kept, drawnIn: generation) { return }
            generation = try notes.generation()
            entries = try entries.compactMap { entry in
                let picture = try renderer.picture(entry.request)
                return picture.isEmpty
                    ? nil : PictureCache.Entry(request: entry.request, digest: picture.digest, bytes: picture.bytes)
            }
        }
    }

    /// Takes away what earlier runs wrote of these zoom levels where nothing is drawn any more.
    private func removeLeftovers(except visited: Set<TileCoordinate>) throws -> Int {
        let gone = try notes.drop { other in
            other.style == job.style && other.layer == job.layer && other.scale == job.scale
                && job.zooms.contains(other.tile.zoom.number) && isWanted(other.tile) && !visited.contains(other.tile)
        }
        guard case .folder(let folder) = job.output else { return gone.count }
        for request in gone { try AtomicFile.remove(Self.path(of: request, below: folder)) }
        return gone.count
    }

    private static func path(of request: TileRequest, below folder: String) -> String {
        let suffix = request.scale == .double ? "@2x.png" : ".png"
        return "\(folder)/\(request.tile.zoom)/\(request.tile.x)/\(request.tile.y)\(suffix)"
    }
}

/// Writes one batch while the next is drawn.
private final class WriteBehind: Sendable {
    private let queue = DispatchQueue(label: "tileserve.prerender.write", qos: .utility)
    private let failure = Locked<(any Error)?>(nil)

    /// Waits for the batch before and begins another; throws what that one failed with.
    func begin(_ write: @escaping @Sendable () throws -> Void) throws {
        try finish()
        queue.async { [failure] in
            do {
                try write()
            } catch {
                failure.withLock { $0 = error }
            }
        }
    }

    /// Waits for the batch under way; throws what it failed with.
    func finish() throws {
        queue.sync {}
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
