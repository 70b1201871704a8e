import Foundation
import FoundationNetworking
import Locking
import Text

/// `tileserve-bench record`: simulates devices that send points to a running server.
///
/// Each device waits for the response to a batch before it sends the next. Prints one line of JSON: how many points a
/// second the server acknowledged as durable.
struct RecordCommand {
    private let origin: URL
    private let connections: Int
    private let batch: Int
    private let seconds: Int
    private let key: String?

    /// The printed result.
    private struct Report: Encodable {
        var points: Int
        var requests: Int
        var failed: Int
        var seconds: Double
        var pointsPerSecond: Double
        var medianMs: Double
        var p95Ms: Double

        /// The names that `Scripts/bench` reads.
        enum CodingKeys: String, CodingKey {
            case points, requests, failed, seconds
            case pointsPerSecond = "points_per_second"
            case medianMs = "median_ms"
            case p95Ms = "p95_ms"
        }
    }

    /// The results of all devices.
    private struct DeviceResults: Sendable {
        var points = 0
        var failed = 0
        var milliseconds: [Double] = []
    }

    init(_ given: Arguments) throws {
        var arguments = given
        guard let url = arguments.text("url"), let origin = URL(string: url) else {
            throw Arguments.UsageError(text: "--url is required, such as http://127.0.0.1:8080")
        }
        self.origin = origin
        connections = try arguments.number("connections") ?? 32
        batch = try arguments.number("batch") ?? 100
        seconds = try arguments.number("seconds") ?? 10
        key = arguments.text("key")
        try arguments.finish()
    }

    /// Runs the devices and prints the result.
    func run() throws {
        let results = Locked(DeviceResults())
        let start = ContinuousClock.now
        let deadline = start + .seconds(seconds)
        let ended = DispatchSemaphore(value: 0)
        let command = self
        Task {
            await withTaskGroup(of: Void.self) { group in
                for device in 0..<connections {
                    group.addTask { await command.record(device: device, until: deadline, results) }
                }
            }
            ended.signal()
        }
        ended.wait()
        let elapsed = start.duration(to: .now) / .seconds(1)
        let result = results.withLock { $0 }
        let times = result.milliseconds.sorted()
        guard !times.isEmpty else { throw Arguments.UsageError(text: "\(origin): no batch was answered") }
        let report = Report(
            points: result.points, requests: times.count, failed: result.failed, seconds: elapsed,
            pointsPerSecond: Double(result.points) / elapsed, medianMs: times[times.count / 2],
            p95Ms: times[min(times.count - 1, times.count * 95 / 100)])
        FileHandle.standardOutput.write(Data(try JSONCoding.bytes(of: report)) + Data("\n".utf8))
    }

    /// One device with its own connection.
    private func record(device: Int, until deadline: ContinuousClock.Instant, _ results: Locked<DeviceResults>) async {
        let session = URLSession(configuration: .ephemeral)
        var request = URLRequest(url: origin.appendingPathComponent("v1/record/bench-\(device)"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
        var point = 0
        while ContinuousClock.now < deadline {
            request.httpBody = Data(body(device: device, from: point).utf8)
            let sent = ContinuousClock.now
            let answered = try? await session.data(for: request)
            let isKept = (answered?.1 as? HTTPURLResponse)?.statusCode == 200
            let elapsed = sent.duration(to: .now) / .milliseconds(1)
            results.withLock { results in
                guard isKept else { return results.failed += 1 }
                results.points += batch
                results.milliseconds.append(elapsed)
            }
            if isKept { point += batch }
        }
    }

    /// A batch of points along a track, one a second, with the fields that a phone sends.
    private func body(device: Int, from first: Int) -> String {
        let points = (first..<first + batch).map { index in
            let east = 13_400_000 + device * 1000 + index % 5000 * 11
            let north = 52_500_000 + index % 977 * 7
            return "{\"t\":\(1_700_000_000 + index),\"lon\":\(Self.degrees(east)),\"lat\":\(Self.degrees(north)),"
                + "\"ele\":\(30 + index % 40),\"hacc\":\(3 + index % 9),\"speed\":1.\(index % 10)}"
        }
        return "{\"points\":[\(points.joined(separator: ","))]}"
    }

    private static func degrees(_ millionths: Int) -> String {
        let fraction = String(millionths % 1_000_000 + 1_000_000).dropFirst()
        return "\(millionths / 1_000_000).\(fraction)"
    }
}
