package import Digest
import Parallelism
package import PictureStore
package import Styling
package import TileArchive
package import TileMath

/// What to prerender, and the output.
package struct PrerenderJob: Sendable {
    /// The destination of pictures.
    package enum Output: Sendable {
        /// The disk cache that `serve` reads.
        case cache(PictureCache)
        /// Files `{z}/{x}/{y}.png` (`{y}@2x.png`) below a folder, which others may publish; `index` is the path of a
        /// database elsewhere that records what they were drawn from.
        case folder(String, index: String)
        /// The tiles of an archive, which is written from them when the run has ended.
        case spool(TileSpool)
    }

    /// Zoom levels, ascending.
    package var zooms: ClosedRange<Int>
    package var style: String
    package var layer: String
    /// Only tiles that intersect one of these; empty for all.
    package var boxes: [BoundingBox]
    package var scale: TileScale
    package var workers: Int
    package var output: Output
    /// Skips pictures that exist and are up to date.
    package var resumes = false
    /// Only counts, draws nothing.
    package var isDryRun = false
    /// The background for which the pictures are made.
    package var theme = Theme.light

    /// A job.
    package init(
        zooms: ClosedRange<Int>, style: String = TileRequest.defaultStyle, layer: String = TileRequest.defaultLayer,
        boxes: [BoundingBox] = [], scale: TileScale = .single, workers: Int, output: Output
    ) {
        self.zooms = zooms
        self.style = style
        self.layer = layer
        self.boxes = boxes
        self.scale = scale
        self.workers = workers
        self.output = output
    }
}

extension PrerenderJob {
    /// The digest of what is drawn: tiles of an interrupted run belong to another one only if it is the same.
    package static func subject(style: String, theme: Theme, layer: String, scale: TileScale) -> ContentDigest {
        var digester = Digester()
        digester.update(style)
        digester.update(theme.rawValue)
        digester.update(layer)
        digester.update(scale.rawValue)
        return digester.finish()
    }
}

/// The progress or the result of prerendering.
package struct PrerenderReceipt: Sendable, Equatable {
    /// Tiles visited so far that may not be empty.
    package var tiles = 0
    /// All tiles that may not be empty, before boxes are applied.
    package var totalTiles = 0
    /// Pictures written.
    package var drawn = 0
    /// Pictures that existed and were up to date.
    package var kept = 0
    /// Tiles that turned out to be empty: nothing is written.
    package var empty = 0
    /// Pictures of earlier runs that were removed because their tiles are now empty.
    package var removed = 0
    /// Bytes written.
    package var bytes = 0
    /// Whether the run was stopped before the end.
    package var wasStopped = false
}

/// Iterates over the occupied tiles of the grid and draws each as a request would.
package struct Prerender: Sendable {
    private let renderer: TileRenderer
    private let job: PrerenderJob
    private let sink: any PrerenderSink
    /// For tests: runs after pictures are drawn and before they are stored.
    package var beforeStoring: @Sendable () throws -> Void = {}

    /// Tiles per commit, per report, and per check of `shouldStop`. At the end of each batch workers wait for the slowest,
    /// 1 to 2 ms with two of them.
    private let batchTiles: Int
    /// Tiles that a worker takes at once: those of a column need the same cells with a kernel, and another worker would wait
    /// for them.
    private static let runTiles = 16

    /// A run of a job; a missing output folder is created.
    package init(_ job: PrerenderJob, renderer: TileRenderer, batchTiles: Int = 1024) throws {
        self.batchTiles = batchTiles
        self.renderer = renderer
        self.job = job
        sink =
            switch job.output {
            case .cache(let cache): CacheSink(cache: cache)
            case .folder(let path, let index): try FolderSink(folder: path, index: index)
            case .spool(let spool): SpoolSink(spool: spool)
            }
    }

    /// Draws until the end, or until `shouldStop` returns true. Written pictures are always complete.
    package func run(
        shouldStop: @Sendable () -> Bool = { false }, report: (PrerenderReceipt) -> Void = { _ in }
    ) throws -> PrerenderReceipt {
        // Any tile will do: style and layer are checked, before the tiles are counted.
        try renderer.check(key(of: TileCoordinate(northWestOf: .deepestGrid)).request)
        var receipt = PrerenderReceipt()
        receipt.totalTiles = try totalTiles()
        let writing = WriteBehind()
        var visited: Set<TileCoordinate> = []
        do {
            try drawAll(writing, &receipt, &visited, shouldStop: shouldStop, report: report)
        } catch {
            // The batch before may still be written; if that fails too, its error is the first one.
            try writing.finish()
            throw error
        }
        try writing.finish()
        // A stopped run has not visited all tiles, so it cannot tell which pictures are left over.
        if !job.isDryRun, !receipt.wasStopped { receipt.removed = try removeLeftovers(except: visited) }
        return receipt
    }

    /// Draws all batches; the last one may still be written when this returns or throws.
    private func drawAll(
        _ writing: WriteBehind, _ receipt: inout PrerenderReceipt, _ visited: inout Set<TileCoordinate>,
        shouldStop: @Sendable () -> Bool, report: (PrerenderReceipt) -> Void
    ) throws {
        var walk = TileWalk(job, renderer)
        var next = try walk.next(limit: batchTiles)
        while let tiles = next {
            guard !shouldStop() else {
                receipt.wasStopped = true
                return
            }
            let wanted = tiles.filter(isWanted)
            receipt.tiles += wanted.count
            if job.isDryRun {
                next = try walk.next(limit: batchTiles)
            } else {
                // Read before drawing: a removal of tracks ends the generation, and pictures drawn in it are then refused.
                let generation = try sink.generation()
                let entries = try draw(wanted, in: generation, &receipt, &visited, reading: &next, of: &walk)
                try writing.begin {
                    try beforeStoring()
                    try store(entries, drawnIn: generation)
                }
            }
            report(receipt)
        }
    }

    /// The occupied tiles of all zoom levels of a job, the lowest first.
    private struct TileWalk: Sendable {
        private let job: PrerenderJob
        private let renderer: TileRenderer
        private var zooms: ClosedRange<Int>.Iterator
        private var tiles: OccupiedTiles?

        init(_ job: PrerenderJob, _ renderer: TileRenderer) {
            self.job = job
            self.renderer = renderer
            zooms = job.zooms.makeIterator()
        }

        /// The next tiles, at most `limit`; nil at the end.
        mutating func next(limit: Int) throws -> [TileCoordinate]? {
            var found: [TileCoordinate] = []
            while found.count < limit {
                if let next = try tiles?.next(limit: limit - found.count) {
                    found += next
                } else if let number = zooms.next() {
                    tiles = ZoomLevel(number).map {
                        OccupiedTiles(
                            zoom: $0, scale: job.scale, style: renderer.styles[job.style], library: renderer.library)
                    }
                } else {
                    break
                }
            }
            return found.isEmpty ? nil : found
        }
    }

    private func key(of tile: TileCoordinate) -> PictureKey {
        PictureKey(
            style: keyStyle, layer: job.layer, tile: tile, scale: job.scale)
    }

    /// The style as keys name it; a style that is the same on all backgrounds has one picture of each tile.
    private var keyStyle: String {
        let theme = renderer.styles[job.style]?.takesTheme == true ? job.theme : .light
        return PictureKey.name(ofStyle: job.style, theme)
    }

    private func isWanted(_ tile: TileCoordinate) -> Bool {
        guard !job.boxes.isEmpty else { return true }
        let box = BoundingBox(of: tile)
        return job.boxes.contains { $0.intersects(box) }
    }

    private func totalTiles() throws -> Int {
        try job.zooms.reduce(0) { sum, number in
            guard let zoom = ZoomLevel(number) else { return sum }
            return sum
                + (try OccupiedTiles.count(
                    zoom: zoom, style: renderer.styles[job.style], library: renderer.library))
        }
    }

    /// What a worker does next.
    private enum Step: Sendable {
        /// Reading the tiles of the next batch, so that no worker waits for it between two batches: it takes 5 % of the time
        /// of one worker.
        case read(TileWalk)
        case draw(TileCoordinate)
    }

    /// The result of a step.
    private enum Drawn: Sendable {
        case read(TileWalk, [TileCoordinate]?)
        case kept(TileCoordinate)
        case empty
        case picture(PictureCache.Entry)
    }

    /// Draws a batch on all workers; returns the pictures to store, and adds the tiles that have one to `visited`. `next`
    /// becomes the next batch of `walk`.
    private func draw(
        _ tiles: [TileCoordinate], in generation: Int64, _ receipt: inout PrerenderReceipt,
        _ visited: inout Set<TileCoordinate>, reading next: inout [TileCoordinate]?, of walk: inout TileWalk
    ) throws -> [PictureCache.Entry] {
        let steps = [Step.read(walk)] + tiles.map(Step.draw)
        let results = steps.parallelMap(workers: job.workers, run: Self.runTiles) { step in
            Result { try result(of: step) }
        }
        var entries: [PictureCache.Entry] = []
        var failure: (any Error)?
        for result in results {
            switch result {
            case .success(.read(let later, let found)): (walk, next) = (later, found)
            case .success(.kept(let tile)):
                receipt.kept += 1
                visited.insert(tile)
            case .success(.empty): receipt.empty += 1
            case .success(.picture(let entry)):
                receipt.drawn += 1
                receipt.bytes += entry.bytes.count
                entries.append(entry)
                visited.insert(entry.key.tile)
            case .failure(let error): failure = failure ?? error
            }
        }
        guard let failure else { return entries }
        // Pictures already drawn are worth storing even if a later one failed. That failure is the one to report.
        try? store(entries, drawnIn: generation)
        throw failure
    }

    private func result(of step: Step) throws -> Drawn {
        switch step {
        case .read(var walk):
            let next = try walk.next(limit: batchTiles)
            return .read(walk, next)
        case .draw(let tile): return try draw(tile)
        }
    }

    private func draw(_ tile: TileCoordinate) throws -> Drawn {
        let key = key(of: tile)
        let request = key.request
        guard let picture = try renderer.picture(request, unless: { try job.resumes && sink.holds(key, digest: $0) })
        else {
            return .kept(tile)
        }
        guard !picture.isEmpty else { return .empty }
        try sink.add(key, picture.bytes)
        return .picture(PictureCache.Entry(key: key, digest: picture.digest, bytes: picture.bytes))
    }

    /// Stores pictures. If the library has changed since they were drawn, they are drawn again first.
    private func store(_ entries: [PictureCache.Entry], drawnIn drawn: Int64) throws {
        var entries = entries
        var generation = drawn
        while true {
            if try sink.store(entries, drawnIn: generation) { return }
            generation = try sink.generation()
            entries = try entries.compactMap { entry in
                let picture = try renderer.picture(entry.key.request)
                return picture.isEmpty
                    ? nil : PictureCache.Entry(key: entry.key, digest: picture.digest, bytes: picture.bytes)
            }
        }
    }

    /// Removes the pictures of earlier runs at these zoom levels whose tiles are now empty.
    private func removeLeftovers(except visited: Set<TileCoordinate>) throws -> Int {
        let style = keyStyle
        return try sink.removeLeftovers(
            where: { other in
                other.style == style && other.layer == job.layer && other.scale == job.scale
                    && job.zooms.contains(other.tile.zoom.number) && isWanted(other.tile)
                    && !visited.contains(other.tile)
            }, isCurrent: visited.contains)
    }
}
