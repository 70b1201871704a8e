import Database
import Digest
import Dispatch
import Files
import Foundation
import Locking
import TestLibrary
import Testing

@testable import RecordingStore
@testable import TrackStore

@Suite("Refused records of devices", .eachStore)
struct RefusedRecordsTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func shared() throws -> (any SharedDatabase)? {
        try Library.sharedDatabase(in: folder.path)
    }

    private func store() throws -> any RefusalStore {
        try shared().map { RefusalTable($0) } ?? RefusalFolder(library: folder.path)
    }

    private func refusals(
        _ device: String, _ counts: [String: Int], time: Int64 = 1000, raw: [UInt8] = Array("x".utf8), samples: Int = 1
    ) -> Refusals {
        Refusals(
            device: device, person: nil, format: "owntracks", time: time, counts: counts,
            samples: counts.keys.sorted().flatMap { reason in
                (0..<samples).map { _ in Refusals.Sample(reason: reason, detail: "because of \(reason)", raw: raw) }
            })
    }

    private func add(_ refusals: [Refusals], to records: RefusedRecords) -> (any Error)? {
        let outcome = Locked<(any Error)?>(nil)
        let done = DispatchSemaphore(value: 0)
        records.add(refusals) { error in
            outcome.withLock { $0 = error }
            done.signal()
        }
        done.wait()
        return outcome.withLock { $0 }
    }

    @Test func `Counts and samples survive a restart, in files that only their owner can read`() throws {
        let records = try RefusedRecords(store: store())
        #expect(add([refusals("a", ["latitude": 3]), refusals("b/../c", ["no-time": 1])], to: records) == nil)
        #expect(
            add([refusals("a", ["latitude": 1, "no-time": 2], time: 2000, raw: [0xFF, 0x00])], to: records) == nil)
        let again = try RefusedRecords(store: store())
        let record = try #require(try again.record(of: "a"))
        #expect(record.reasons["latitude"] == .init(count: 4, first: 1000, last: 2000))
        #expect(record.reasons["no-time"] == .init(count: 2, first: 2000, last: 2000))
        #expect(record.samples.map(\.time) == [1000, 2000, 2000])
        #expect(record.samples.last?.raw == [0xFF, 0x00])
        #expect(try again.record(of: "b/../c")?.reasons["no-time"]?.count == 1)
        #expect(try again.record(of: "c") == nil)
        if try shared() == nil {
            let files = try Folder.entries(of: folder.path + "/recording/refused").filter { $0.path.hasSuffix(".json") }
            #expect(files.count == 2)
            for file in files {
                let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
        }
        #expect(try again.remove(device: "a"))
        #expect(try !again.remove(device: "a"))
        #expect(try again.record(of: "a") == nil)
    }

    @Test func `The newest samples are kept, up to a number and a size`() throws {
        let records = try RefusedRecords(store: store())
        for time in 0..<50 as Range<Int64> {
            #expect(add([refusals("a", ["line": 1], time: time)], to: records) == nil)
        }
        var record = try #require(try records.record(of: "a"))
        #expect(record.reasons["line"]?.count == 50)
        #expect(record.samples.map(\.time) == Array((50 - Int64(RefusedRecord.sampleLimit))..<50))
        let large = [UInt8](repeating: 65, count: 4096)
        #expect(add([refusals("a", ["line": 20], time: 99, raw: large, samples: 20)], to: records) == nil)
        record = try #require(try records.record(of: "a"))
        #expect(record.samples.count == RefusedRecord.sampleBytes / 4096)
        #expect(record.samples.allSatisfy { $0.time == 99 })
    }

    @Test func `A refusal is logged once for each device and reason, also after a restart`() throws {
        let lines = Locked<[String]>([])
        for _ in 0..<2 {
            let records = try RefusedRecords(store: store()) { error in
                lines.withLock { $0.append("\(error)") }
            }
            for _ in 0..<3 {
                #expect(add([refusals("a\nb", ["latitude": 1, "no-time": 1])], to: records) == nil)
            }
        }
        #expect(
            lines.withLock { $0 } == [
                "device a b (owntracks): refused, latitude: because of latitude; GET /v1/record/DEVICE lists what was refused",
                "device a b (owntracks): refused, no-time: because of no-time; GET /v1/record/DEVICE lists what was refused",
            ])
    }

    @Test func `Devices beyond the limit share the record of their protocol`() throws {
        let records = try RefusedRecords(store: store())
        let many = (0..<RefusedRecords.deviceLimit).map { refusals("d\($0)", ["latitude": 1]) }
        // Only the number of records matters.
        let shared = try shared()
        if shared == nil { try Folder.make(folder.path + "/recording/refused") }
        for number in many.indices {
            if let shared {
                try shared.changeDocument("refused/\(number)") { $0 = Array("{}".utf8) }
                continue
            }
            try AtomicFile.write(
                Array("{}".utf8), to: folder.path + "/recording/refused/\(number).json", durability: .cached)
        }
        #expect(add([refusals("new", ["latitude": 2])], to: records) == nil)
        #expect(try records.record(of: "new") == nil)
        let common = try #require(try records.record(of: "owntracks"))
        #expect(common.reasons["latitude"]?.count == 2 && common.samples.map(\.device) == ["new"])
    }

    @Test func `An unreadable record does not prevent new refusals from being stored`() throws {
        let records = try RefusedRecords(store: store())
        #expect(add([refusals("a", ["latitude": 1])], to: records) == nil)
        if let shared = try shared() {
            // Documents are named by digests of devices.
            let device = "refused/\(ContentDigest(of: Array("a".utf8)).description.prefix(32))"
            try shared.changeDocument(device) { content in
                #expect(content != nil)
                content = Array("{".utf8)
            }
        } else {
            for file in try Folder.entries(of: folder.path + "/recording/refused") where file.path.hasSuffix(".json") {
                try AtomicFile.write(Array("{".utf8), to: file.path)
            }
        }
        #expect(try records.record(of: "a") == nil)
        #expect(add([refusals("a", ["latitude": 1])], to: records) == nil)
        #expect(try records.record(of: "a")?.reasons["latitude"]?.count == 1)
    }

    @Test(.onlySQLite("it replaces the folder by a file")) func `A write error is reported to the caller`() throws {
        try AtomicFile.write([], to: folder.path + "/recording")
        #expect(
            try add([refusals("a", ["latitude": 1])], to: RefusedRecords(store: store())) != nil
        )
    }
}
