internal import Digest
internal import Dispatch
internal import Files
internal import Foundation
internal import Locking

/// What a device sent in one request that was not stored.
public struct Refusals: Sendable {
    /// One of the points, or the body, as it was sent.
    public struct Sample: Sendable {
        /// Under which name it is counted.
        public var reason: String
        /// Why, in words.
        public var detail: String
        /// Its first bytes.
        public var raw: [UInt8]

        /// Something refused.
        public init(reason: String, detail: String, raw: [UInt8]) {
            self.reason = reason
            self.detail = detail
            self.raw = raw
        }
    }

    /// The device.
    public var device: String
    /// Whose it is; nil for the library's owner.
    public var person: String?
    /// The protocol (`owntracks`), under whose name are counted those of devices beyond the limit.
    public var format: String
    /// When it came, in milliseconds since 1970.
    public var time: Int64
    /// How often, by reason.
    public var counts: [String: Int]
    /// Some of them.
    public var samples: [Sample]

    /// What was refused of a device.
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

/// What was refused of a device since its record was removed last.
public struct RefusedRecord: Codable, Sendable, Equatable {
    /// How often something was refused for one reason, and when, in milliseconds since 1970.
    public struct Reason: Codable, Sendable, Equatable {
        public var count: Int
        public var first: Int64
        public var last: Int64
    }

    /// Something refused, as it was sent.
    public struct Sample: Codable, Sendable, Equatable {
        public var time: Int64
        public var device: String
        public var person: String?
        public var format: String
        public var reason: String
        public var detail: String
        /// Its first bytes, base64.
        fileprivate var bytes: Data

        /// Its first bytes.
        public var raw: [UInt8] { Array(bytes) }
    }

    /// The device.
    public var device: String
    /// By the reason's name.
    public var reasons: [String: Reason] = [:]
    /// The newest, the oldest of them first.
    public var samples: [Sample] = []

    /// As many are kept of a device.
    public static let sampleLimit = 32
    /// Bytes of all of them together.
    public static let sampleBytes = 64 << 10

    init(device: String) {
        self.device = device
    }

    /// Takes note; gives the reasons that are new.
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

/// What devices sent and the library did not take, for its owner to see: a file a device in `LIBRARY/recording/refused`.
///
/// An app is told that what it sent has arrived, since it would send the same again and again; so it is on the disk before the
/// app is answered. Any thread, and several processes, may use it.
public final class RefusedRecords: Sendable {
    private struct Waiting {
        var refusals: [Refusals]
        var done: @Sendable ((any Error)?) -> Void
    }

    private let folder: String
    private let report: @Sendable (any Error) -> Void
    private let waiting = Locked<[Waiting]>([])
    private let writing = DispatchQueue(label: "tileserve.refused", qos: .utility)

    /// Devices that have a record of their own; those beyond share one, under the protocol's name.
    public static let deviceLimit = 1000
    private static let ending = ".json"

    /// The records of a library; `report` is told once of each device and reason.
    public init(library: String, report: @escaping @Sendable (any Error) -> Void = { _ in }) {
        folder = library + "/recording/refused"
        self.report = report
    }

    /// Adds what was refused; calls `done` when it survives a loss of power, or with why it does not.
    public func add(_ refusals: [Refusals], done: @escaping @Sendable ((any Error)?) -> Void) {
        let begins = waiting.withLock { list in
            list.append(Waiting(refusals: refusals, done: done))
            return list.count == 1
        }
        if begins { writing.async { [self] in commit() } }
    }

    /// What was refused of a device; nil where nothing was.
    public func record(of device: String) throws -> RefusedRecord? {
        try TrackDatabase.labelled(folder) { try read(path(of: device)) }
    }

    /// Forgets what was refused of a device; false where nothing was.
    @discardableResult
    public func remove(device: String) throws -> Bool {
        try TrackDatabase.labelled(folder) {
            guard FileStatus.ifAny(of: path(of: device)) != nil else { return false }
            return try locked { try AtomicFile.remove(path(of: device)) }
        }
    }

    // MARK: Writing

    private func commit() {
        let taken = waiting.withLock { list in
            defer { list = [] }
            return list
        }
        var failure: (any Error)?
        do {
            try TrackDatabase.labelled(folder) { try write(taken.flatMap(\.refusals)) }
        } catch {
            failure = error
        }
        for waiting in taken { waiting.done(failure) }
    }

    private func write(_ refusals: [Refusals]) throws {
        try Folder.make(folder, access: .owner)
        let new = try locked {
            try Dictionary(grouping: refusals, by: \.device).sorted { $0.key < $1.key }.flatMap { device, list in
                try write(list, of: device)
            }
        }
        for refused in new { report(refused) }
    }

    private func write(_ refusals: [Refusals], of given: String) throws -> [FirstRefusal] {
        var device = given
        if FileStatus.ifAny(of: path(of: device)) == nil, try countRecords() >= Self.deviceLimit {
            device = refusals[0].format
        }
        let path = path(of: device)
        var record = try read(path) ?? RefusedRecord(device: device)
        var new: [FirstRefusal] = []
        for entry in refusals {
            new += record.add(entry).map { reason in
                FirstRefusal(
                    device: device, format: entry.format, reason: reason,
                    detail: entry.samples.first { $0.reason == reason }?.detail)
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try AtomicFile.write(Array(encoder.encode(record)), to: path)
        return new
    }

    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try LockFile.wait(for: folder + "/lock")
        return try withExtendedLifetime(lock) { try body() }
    }

    private func countRecords() throws -> Int {
        try Folder.entries(of: folder).count { $0.path.hasSuffix(Self.ending) }
    }

    /// nil where there is none, or one that cannot be read: a count that is lost must not keep points from coming.
    private func read(_ path: String) throws -> RefusedRecord? {
        guard FileStatus.ifAny(of: path) != nil, let bytes = try AtomicFile.read(path) else { return nil }
        return try? JSONDecoder().decode(RefusedRecord.self, from: Data(bytes))
    }

    private func path(of device: String) -> String {
        folder + "/" + String(ContentDigest(of: Array(device.utf8)).description.prefix(32)) + Self.ending
    }
}

/// Something a device sent was refused for a reason for the first time: a line for the log.
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
