import Database
import Digest
import HeatGrid
import TileLog
import Tracks

/// How processes of a library help each other to build its grid.
package struct BuildHelp: Sendable {
    let jobs: any JobTable
    /// Where large fragments wait.
    let storage: any LibraryStorage
    /// Points in one job.
    let jobPoints: Int

    /// Some seconds' work, and some tens of megabytes.
    package static let defaultJobPoints = 1_000_000

    /// A build to offer; nil if it is not worth it.
    func build(_ numbers: [Int64], _ source: any GridSource, condition: UInt64) throws -> SharedBuild? {
        try SharedBuild(
            numbers, source, jobPoints: jobPoints, condition: Int64(bitPattern: condition), jobs)
    }

    /// Rasterises a job of another process; false if there is none.
    func rasterise(_ source: any GridSource, _ calendar: DayCalendar, _ rule: SumRule, memoryBytes: Int) throws -> Bool
    {
        let outlierRule = try source.outlierRule()
        let condition = GridSchema.fingerprint(calendar, rule, outlierRule).first64
        guard let job = try jobs.take(condition: Int64(bitPattern: condition)) else { return false }
        // The numbers of activities.
        _ = try source.prepare()
        let build = GridBuild(
            source: source, calendar: calendar, outlierRule: outlierRule, memoryBytes: memoryBytes, storage: storage,
            report: { _ in })
        var rasterised = try build.rasterise(SharedBuild.numbers(job.content))
        var tracks = Dictionary(uniqueKeysWithValues: rasterised.tracks.map { ($0.track.number, $0) })
        var cells = try rasterised.cells.takeRun()
        var lines = try rasterised.lines.takeRun()
        var rows: [JobResult] = []
        try rasterised.rows.takeEach { number, trackRows in
            guard let track = tracks.removeValue(forKey: number) else { return }
            rows.append(
                JobResult(kind: SharedBuild.Kind.tracks, key: number, bytes: SharedBuild.encoded(track, trackRows)))
        }
        _ = try jobs.finish(job) {
            if let tile = cells.nextTile {
                return JobResult(kind: SharedBuild.Kind.cells, key: Int64(tile), bytes: try cells.takeLog())
            }
            if let tile = lines.nextTile {
                return JobResult(kind: SharedBuild.Kind.lines, key: Int64(tile), bytes: try lines.takeLog())
            }
            return rows.popLast()
        }
        return true
    }
}
