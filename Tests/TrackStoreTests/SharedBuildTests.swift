import Database
import Digest
import Dispatch
import Files
import Foundation
import HeatGrid
import Locking
import TestLibrary
import Testing
import Tracks

@testable import GridStorage
@testable import TrackStore

/// Builds in which processes that wait help: each `GridStore` here is one of them.
@Suite(.eachStore) struct SharedBuildTests {
    private let folder: TemporaryFolder
    private let calendar: DayCalendar

    init() throws {
        folder = try TemporaryFolder()
        calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
    }

    private func grid(_ name: String, jobPoints: Int = 1) throws -> GridStore {
        let path = "\(folder.path)/\(name)"
        try Folder.make(path)
        return try GridStore(Library.storage(in: path), rule: GridDump.rule, jobPoints: jobPoints)
    }

    /// 48 tracks: two copies of the samples.
    private func source(_ count: Int = 48) -> MemorySource {
        let source = MemorySource()
        for number in 0..<count { source.add(GridDump.samples[number % 24], number: Int64(number)) }
        return source
    }

    private func hasJobs(_ grid: GridStore) -> Bool { grid.storage.jobs != nil }

    private func isExpected(_ grid: GridStore, _ source: MemorySource) throws -> Bool {
        let alone = try self.grid("alone-\(UInt64.random(in: 0...UInt64.max))", jobPoints: .max / 2)
        _ = try alone.catchUp(with: source, calendar: calendar)
        return try GridDump.lines(grid) == GridDump.lines(alone)
    }

    /// Tracks that a source has read.
    private func tracksRead(_ source: MemorySource) -> Int { source.reads.count }

    @Test func `four processes build one grid, each a part of it`() throws {
        let processes = try (0..<4).map { _ in (grid: try grid("shared"), source: source()) }
        // On threads of their own: those of tasks are as many as there are cores, and other tests use them.
        let failures = Locked<[String]>([])
        let group = DispatchGroup()
        for process in processes {
            group.enter()
            Thread.detachNewThread { [calendar] in
                do {
                    _ = try process.grid.catchUp(with: process.source, calendar: calendar)
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
                group.leave()
            }
        }
        group.wait()
        #expect(failures.withLock { $0 } == [])
        let reads = processes.map { tracksRead($0.source) }
        // More if a job takes so long that another process takes it, too.
        #expect(reads.reduce(0, +) >= 48, "\(reads)")
        if hasJobs(processes[0].grid) { #expect(reads.count { $0 > 0 } > 1, "\(reads)") }
        #expect(try isExpected(processes[0].grid, source()))
    }

    @Test func `jobs of a process that was killed are done by others`() throws {
        let grid = try grid("killed")
        guard let jobs = grid.storage.jobs else { return }
        let source = source()
        let condition = Int64(
            bitPattern: GridSchema.fingerprint(calendar, GridDump.rule, source.outlierRule()).first64)
        // It takes jobs as soon as there are some, and ends.
        let taken = Locked(0)
        let isDone = Locked(false)
        let killed = Thread {
            while !isDone.withLock({ $0 }) {
                guard taken.withLock({ $0 }) < 2, (try? jobs.take(condition: condition, seconds: 2)) ?? nil != nil
                else {
                    Thread.sleep(forTimeInterval: 0.001)
                    continue
                }
                taken.withLock { $0 += 1 }
            }
        }
        killed.start()
        defer { isDone.withLock { $0 = true } }
        let begun = ContinuousClock.now
        _ = try grid.catchUp(with: source, calendar: calendar)
        // It waits until they can be taken again.
        #expect(taken.withLock { $0 } > 0 && ContinuousClock.now - begun > .seconds(1))
        #expect(tracksRead(source) == 48)
        #expect(try isExpected(grid, source))
    }

    @Test func `tracks that change while others help are rasterised again`() throws {
        let grid = try grid("changed")
        guard let jobs = grid.storage.jobs else { return }
        let (own, other) = (source(), source())
        let helped = Locked(0)
        let isDone = Locked(false)
        let help = BuildHelp(jobs: jobs, storage: grid.storage, jobPoints: 1)
        let helper = Thread { [calendar] in
            while !isDone.withLock({ $0 }) {
                if (try? help.rasterise(other, calendar, GridDump.rule, memoryBytes: 1 << 26)) == true {
                    helped.withLock { $0 += 1 }
                    // The track is another one since.
                    if helped.withLock({ $0 }) == 1 {
                        own.add(GridDump.samples[5], number: 0)
                        own.add(GridDump.samples[7], number: 47)
                    }
                } else {
                    Thread.sleep(forTimeInterval: 0.001)
                }
            }
        }
        helper.start()
        _ = try grid.catchUp(with: own, calendar: calendar)
        isDone.withLock { $0 = true }
        while !helper.isFinished { Thread.sleep(forTimeInterval: 0.01) }
        // What has changed during the build is in a later revision.
        _ = try grid.catchUp(with: own, calendar: calendar)
        #expect(try isExpected(grid, own))
    }

    @Test func `a process with other rules does not help`() throws {
        let grid = try grid("rules")
        guard let jobs = grid.storage.jobs else { return }
        let offer = try jobs.offer([[1], [2]], condition: 7)
        #expect(try jobs.take(condition: 8) == nil)
        let job = try #require(try jobs.take(condition: 7))
        #expect(job.content == [1])
        #expect(try offer.takeOwn() == .job(1) && offer.takeOwn() == .heldByOthers)
        var results = [JobResult(kind: 1, key: 2, bytes: [4]), JobResult(kind: 1, key: 1, bytes: [3])]
        #expect(try jobs.finish(job) { results.popLast() })
        #expect(try offer.takeOwn() == .none && offer.finished() == [0])
        #expect(try offer.results(of: 0, kind: 1, after: -1, limit: 9).map(\.bytes) == [[3], [4]])
        #expect(try offer.results(of: 0, kind: 1, after: 1, limit: 9).map(\.key) == [2])
        #expect(try offer.results(of: 0, kind: 2, after: -1, limit: 9).isEmpty)
        // Only once, and only by its holder.
        #expect(try !jobs.finish(job) { nil })
        try offer.discard(0)
        #expect(try offer.finished().isEmpty && offer.results(of: 0, kind: 1, after: -1, limit: 9).isEmpty)
    }
}
