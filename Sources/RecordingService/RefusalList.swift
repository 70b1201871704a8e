import Foundation
import HTTPCore
import Locking
import PrimaryStore
import Recording
import RecordingStore
import RequestHandling
import Text
import TrackStore
import Tracks

/// What devices sent and the library refused: fsynced before the app receives its acknowledgement, and listed for the
/// library's owner.
struct RefusalList: Sendable {
    private let database: TrackDatabase
    private let records: RefusedRecords
    /// Points stored since the server started, by device.
    private let accepted = Locked<[String: Int]>([:])

    /// Limit of devices whose points are counted.
    private static let countedDevices = 10_000

    init(library: Library, report: @escaping @Sendable (any Error) -> Void) {
        database = library.database
        records = RefusedRecords(store: library.coordination.refusals, report: report)
    }

    /// Adds what was refused of a request; calls `done` when it is fsynced, or at once if there is nothing.
    func add(_ refusals: [Refusals], done: @escaping @Sendable ((any Error)?) -> Void) {
        guard !refusals.isEmpty else { return done(nil) }
        records.add(refusals, done: done)
    }

    /// Counts stored points.
    func count(_ points: [RecordedPoints]) {
        accepted.withLock { accepted in
            for part in points where accepted[part.device] != nil || accepted.count < Self.countedDevices {
                accepted[part.device, default: 0] += part.points.count
            }
        }
    }

    /// What is known of a device; throws a `404` if nothing is.
    func answer(device: String) throws -> Response {
        let record = try records.record(of: device)
        let count = accepted.withLock { $0[device] }
        let stored = try database.points(ofDevice: device)
        guard record != nil || count != nil || stored != nil else { throw Self.noSuchDevice }
        return JSONResponse.response(Self.object(device, record, accepted: count ?? 0, stored: stored ?? 0))
    }

    /// Deletes what was refused of a device.
    func remove(device: String) throws -> Response {
        guard try records.remove(device: device) else { throw Self.noSuchDevice }
        return Response(status: .noContent, headers: [ResponseHeader(.cacheControl, "no-store")])
    }

    private static let noSuchDevice = Problem.notFound("nothing has been recorded by a device of this name")

    private static func object(
        _ device: String, _ record: RefusedRecord?, accepted: Int, stored: Int
    ) -> JSONObject {
        let reasons = (record?.reasons ?? [:]).sorted { $0.key < $1.key }
        func total(_ subject: RefusalReason.Subject) -> Int {
            reasons.filter { (RefusalReason(rawValue: $0.key)?.subject ?? .point) == subject }.reduce(0) {
                let (sum, overflow) = $0.addingReportingOverflow($1.value.count)
                return overflow ? .max : sum
            }
        }
        var object = JSONObject()
        object.add("device", device)
        object.add("stored", stored)
        object.add("accepted", accepted)
        object.add("refused", total(.point))
        object.add("refusedFields", total(.field))
        object.add(
            "reasons",
            objects: reasons.map { name, reason in
                var line = JSONObject()
                line.add("reason", name)
                line.add("count", reason.count)
                line.add("first", InstantFormatter.utc(reason.first))
                line.add("last", InstantFormatter.utc(reason.last))
                return line
            })
        object.add("newest", objects: (record?.samples ?? []).reversed().map { line($0, of: device) })
        return object
    }

    private static func line(_ sample: RefusedRecord.Sample, of device: String) -> JSONObject {
        var line = JSONObject()
        line.add("time", InstantFormatter.utc(sample.time))
        line.add("format", sample.format)
        if let person = sample.person { line.add("person", person) }
        // Only in the record that devices beyond the limit share.
        if sample.device != device { line.add("device", sample.device) }
        line.add("reason", sample.reason)
        line.add("detail", sample.detail)
        if let text = String(validating: sample.raw, as: UTF8.self) {
            line.add("raw", text)
        } else {
            line.add("rawBase64", Data(sample.raw).base64EncodedString())
        }
        return line
    }
}

extension RecordingBatch {
    /// What was refused, by the device that its points would have been stored under.
    func refusals(of sender: RecordingSender, person: String?, at time: Int64) -> [Refusals] {
        guard !refusalCounts.isEmpty else { return [] }
        var all: [String: Refusals] = [:]
        func entry(_ device: String?) -> (name: String, refusals: Refusals) {
            let name = sender.name(of: device)
            let new = Refusals(
                device: name, person: person, format: sender.format.rawValue, time: time, counts: [:], samples: [])
            return (name, all[name] ?? new)
        }
        for count in refusalCounts {
            var (name, refusals) = entry(count.device)
            refusals.counts[count.kind.rawValue, default: 0] += count.count
            all[name] = refusals
        }
        for refused in refused {
            var (name, refusals) = entry(refused.device)
            refusals.samples.append(
                Refusals.Sample(reason: refused.kind.rawValue, detail: refused.reason, raw: refused.raw))
            all[name] = refusals
        }
        return all.values.sorted { $0.device < $1.device }
    }
}

extension RecordingError {
    /// A body that could not be read, as a refusal of the device that the request names.
    func refusals(
        of sender: RecordingSender, person: String?, _ request: RecordingRequest
    ) -> [Refusals] {
        let sample = Refusals.Sample(
            reason: kind.rawValue, detail: description, raw: Array(request.body.prefix(RecordingBatch.rawBytes)))
        return [
            Refusals(
                device: sender.name(of: request.namedDevice), person: person, format: sender.format.rawValue,
                time: request.now, counts: [kind.rawValue: 1], samples: [sample])
        ]
    }
}

extension TrackDatabase {
    /// The number of points of a device's streams in the library; nil if there is no such device.
    fileprivate func points(ofDevice device: String) throws -> Int? {
        try read { try $0.points(ofDevice: device) }
    }
}
