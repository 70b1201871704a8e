import Database
import Foundation
import HeatGrid
import Locking
import TileLog

/// The numbers of the tracks that the workers of a build rasterise, one after another; may be used from any thread.
final class TrackSupply: Sendable {
    private struct State {
        var numbers: [Int64]
        var next = 0
        /// Jobs of others whose results were checked: they are used.
        var accepted: [Int64] = []
        var checked: Set<Int64> = []
        var isFinished = false

        mutating func add(_ new: [Int64]) {
            numbers = Array(numbers[next...]) + new
            next = 0
        }
    }

    private let shared: (build: SharedBuild, offer: any JobOffer, changed: @Sendable () throws -> Set<Int64>)?
    private let state: Locked<State>

    private static let pauseSeconds = 0.05

    /// These tracks, without help.
    init(_ numbers: [Int64]) {
        shared = nil
        state = Locked(State(numbers: numbers))
    }

    /// The tracks of a shared build; `changed` are those that have changed since the build began.
    init(_ build: SharedBuild, changed: @escaping @Sendable () throws -> Set<Int64>) throws {
        shared = (build, try build.offer(), changed)
        state = Locked(State(numbers: []))
    }

    /// The next track; nil if there is none. Waits for other processes that have taken the rest.
    func next() throws -> Int64? {
        try state.withLock { state -> Int64? in
            while true {
                if state.next < state.numbers.count {
                    state.next += 1
                    return state.numbers[state.next - 1]
                }
                guard let shared, !state.isFinished else { return nil }
                switch try shared.offer.takeOwn() {
                case .job(let job): state.add(shared.build.parts[Int(job)])
                case .heldByOthers: Thread.sleep(forTimeInterval: Self.pauseSeconds)
                case .none:
                    let changed = try shared.changed()
                    for job in try shared.offer.finished() where state.checked.insert(job).inserted {
                        let numbers = shared.build.parts[Int(job)]
                        if changed.isDisjoint(with: numbers) {
                            state.accepted.append(job)
                        } else {
                            try shared.offer.discard(job)
                            state.add(numbers)
                        }
                    }
                    state.isFinished = state.next == state.numbers.count
                }
            }
        }
    }

    /// Adds what others have rasterised. `tracks` gets each track, `rows` its rows.
    func addResults(
        of source: any GridSource, cells: GridSpill, lines: GridSpill, rows: GatheredTrackRows
    ) throws -> [RasterisedTrack] {
        guard let shared else { return [] }
        var tracks: [RasterisedTrack] = []
        for job in state.withLock({ $0.accepted }) {
            for (kind, spill) in [(SharedBuild.Kind.cells, cells), (SharedBuild.Kind.lines, lines)] {
                var run = try SharedRun(of: job, kind: kind, shared.offer)
                try spill.write(&run)
            }
            var run = try SharedRun(of: job, kind: SharedBuild.Kind.tracks, shared.offer)
            while let result = try run.next() {
                guard let track = try source.gridTrack(result.key) else {
                    throw StoreError(
                        .busy, code: "changed", message: "a track was removed while the map was built", statement: nil)
                }
                let (rasterised, trackRows) = SharedBuild.decoded(result.bytes, track)
                tracks.append(rasterised)
                try rows.add(trackRows, ofTrack: result.key)
            }
        }
        return tracks
    }
}

/// The results of a kind of a job, read in pages.
private struct SharedRun: GridRun {
    private let offer: any JobOffer
    private let job: Int64
    private let kind: Int64
    private var page: ArraySlice<JobResult> = []

    private static let pageRows = 256

    init(of job: Int64, kind: Int64, _ offer: any JobOffer) throws {
        self.offer = offer
        self.job = job
        self.kind = kind
        page = try offer.results(of: job, kind: kind, after: -1, limit: Self.pageRows)[...]
    }

    var nextTile: UInt64? { page.first.map { UInt64($0.key) } }

    mutating func takeLog() throws -> [UInt8] {
        guard let result = try next() else { preconditionFailure("a log of no tile") }
        return result.bytes
    }

    mutating func next() throws -> JobResult? {
        guard let result = page.popFirst() else { return nil }
        if page.isEmpty {
            page = try offer.results(of: job, kind: kind, after: result.key, limit: Self.pageRows)[...]
        }
        return result
    }
}
