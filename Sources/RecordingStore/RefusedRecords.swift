internal import Dispatch
internal import Foundation
internal import Locking

/// The refused points, or the refused body, of one request.
public struct Refusals: Sendable {
    /// A refused point, or the refused body, as it was sent.
    public struct Sample: Sendable {
        /// The name of the reason under which it is counted.
        public var reason: String
        /// The reason as a sentence.
        public var detail: String
        /// The first bytes of what was sent.
        public var raw: [UInt8]

        public init(reason: String, detail: String, raw: [UInt8]) {
            self.reason = reason
            self.detail = detail
            self.raw = raw
        }
    }

    public var device: String
    /// The person of the device; nil for the library's owner.
    public var person: String?
    /// The protocol (`owntracks`). Devices above the limit are counted under its name.
    public var format: String
    /// The time of the request, in milliseconds since 1970.
    public var time: Int64
    /// The number of refusals by reason.
    public var counts: [String: Int]
    /// Some of the refused points or bodies.
    public var samples: [Sample]

    /// The refusals of one request.
    public init(
        device: String, person: String?, format: String, time: Int64, counts: [String: Int], samples: [Sample]
    ) {
        self.device = device
        self.person = person
        self.format = format
        self.time = time
        self.counts = counts
        self.samples = samples
    }
}

/// The refusals of a device since its record was last removed.
public struct RefusedRecord: Codable, Sendable, Equatable {
    /// The number of refusals for one reason, and the first and last time, in milliseconds since 1970.
    public struct Reason: Codable, Sendable, Equatable {
        public var count: Int
        public var first: Int64
        public var last: Int64
    }

    /// A refused point or body, as it was sent.
    public struct Sample: Codable, Sendable, Equatable {
        public var time: Int64
        public var device: String
        public var person: String?
        public var format: String
        public var reason: String
        public var detail: String
        /// The first bytes of what was sent, base64 in JSON.
        fileprivate var bytes: Data

        /// The first bytes of what was sent.
        public var raw: [UInt8] { Array(bytes) }
    }

    public var device: String
    /// The refusals by name of the reason.
    public var reasons: [String: Reason] = [:]
    /// The newest samples, oldest first.
    public var samples: [Sample] = []

    /// The maximum number of samples of a device.
    public static let sampleLimit = 32
    /// The maximum bytes of all samples of a device.
    public static let sampleBytes = 64 << 10

    init(device: String) {
        self.device = device
    }

    /// Adds refusals; returns the reasons that are new.
    fileprivate mutating func add(_ refusals: Refusals) -> [String] {
        var new: [String] = []
        for (reason, count) in refusals.counts.sorted(by: { $0.key < $1.key }) where count > 0 {
            if reasons[reason] == nil { new.append(reason) }
            var known = reasons[reason] ?? Reason(count: 0, first: refusals.time, last: refusals.time)
            let (sum, overflow) = known.count.addingReportingOverflow(count)
            known.count = overflow ? .max : sum
            known.last = max(known.last, refusals.time)
            reasons[reason] = known
        }
        samples += refusals.samples.suffix(Self.sampleLimit).map {
            Sample(
                time: refusals.time, device: refusals.device, person: refusals.person, format: refusals.format,
                reason: $0.reason, detail: $0.detail, bytes: Data($0.raw))
        }
        var bytes = 0
        let kept = samples.reversed().prefix(Self.sampleLimit).prefix { sample in
            bytes += sample.bytes.count
            return bytes <= Self.sampleBytes
        }
        samples = kept.reversed()
        return new
    }
}

/// Where the records of refusals are stored, one per device; several processes may use one store.
package protocol RefusalStore: Sendable {
    /// The record of a device; nil if there is none, or if it is damaged: a damaged record must not prevent the
    /// recording of points.
    func record(of device: String) throws -> RefusedRecord?
    /// All records, in any order, except damaged ones.
    func all() throws -> [RefusedRecord]
    /// Removes the record of a device; false if there is none.
    func remove(device: String) throws -> Bool
    /// Changes or creates the record of `device`, durable on return, while no other process changes it. If the device
    /// has none and there are `limit` records, the record of the device `shared` is changed instead.
    func change(
        device: String, limit: Int, orElse shared: String, _ body: (inout RefusedRecord) -> Void
    ) throws
}

/// Records of what devices sent and was refused, for the library's owner.
///
/// A recording app gets the answer that its points have arrived, because it would otherwise send them again and again.
/// So the record is on disk before the app gets its answer. It may be used from any thread and by several processes.
public final class RefusedRecords: Sendable {
    private struct PendingWrite {
        var refusals: [Refusals]
        var done: @Sendable ((any Error)?) -> Void
    }

    private let store: any RefusalStore
    private let report: @Sendable (any Error) -> Void
    private let pending = Locked<[PendingWrite]>([])
    private let writing = DispatchQueue(label: "tileserve.refused", qos: .utility)

    /// The number of devices with a record of their own; further devices share one record, under the protocol's name.
    public static let deviceLimit = 1000

    /// The records in a store; `report` is called once for each device and reason.
    package init(store: any RefusalStore, report: @escaping @Sendable (any Error) -> Void = { _ in }) {
        self.store = store
        self.report = report
    }

    /// Adds refusals; calls `done` when they are durable (they survive a power failure), or with the error.
    public func add(_ refusals: [Refusals], done: @escaping @Sendable ((any Error)?) -> Void) {
        let begins = pending.withLock { list in
            // Who adds the first one starts a write; what comes until it begins is written with it, with one fsync for
            // each device.
            list.append(PendingWrite(refusals: refusals, done: done))
            return list.count == 1
        }
        if begins { writing.async { [self] in commit() } }
    }

    /// The record of a device; nil if nothing was refused.
    public func record(of device: String) throws -> RefusedRecord? {
        try store.record(of: device)
    }

    /// Removes the record of a device; false if there is none.
    @discardableResult
    public func remove(device: String) throws -> Bool {
        try store.remove(device: device)
    }

    // MARK: Writing

    private func commit() {
        let batch = pending.withLock { list in
            defer { list = [] }
            return list
        }
        var failure: (any Error)?
        do {
            try write(batch.flatMap(\.refusals))
        } catch {
            failure = error
        }
        for pending in batch { pending.done(failure) }
    }

    private func write(_ refusals: [Refusals]) throws {
        for (device, list) in Dictionary(grouping: refusals, by: \.device).sorted(by: { $0.key < $1.key }) {
            var new: [FirstRefusal] = []
            try store.change(device: device, limit: Self.deviceLimit, orElse: list[0].format) { record in
                for entry in list {
                    new += record.add(entry).map { reason in
                        FirstRefusal(
                            device: record.device, format: entry.format, reason: reason,
                            detail: entry.samples.first { $0.reason == reason }?.detail)
                    }
                }
            }
            for refused in new { report(refused) }
        }
    }
}

/// The first refusal of a device for a reason, written to the log.
public struct FirstRefusal: Error, Sendable, CustomStringConvertible {
    let device: String
    let format: String
    let reason: String
    let detail: String?

    public var description: String {
        let name = String(
            String.UnicodeScalarView(device.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }))
        return "device \(name) (\(format)): refused, \(reason)" + (detail.map { ": \($0)" } ?? "")
            + "; GET /v1/record/DEVICE lists what was refused"
    }
}
