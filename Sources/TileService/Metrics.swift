public import HTTPCore
import OpenAPI
import Playback
import RequestHandling

/// A histogram of durations with fixed buckets.
public final class LatencyHistogram: Sendable {
    /// Upper bounds in microseconds: from a cached answer to one that waited for many drawings.
    public static let boundsMicroseconds = [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    ]

    /// One per bound, and one for everything above the last.
    private let buckets: [AtomicCounter]
    private let total = AtomicCounter()

    /// No durations yet.
    public init() {
        buckets = (0...Self.boundsMicroseconds.count).map { _ in AtomicCounter() }
    }

    /// Counts a duration.
    public func add(microseconds: Int64) {
        let bucket = Self.boundsMicroseconds.firstIndex { microseconds <= Int64($0) } ?? Self.boundsMicroseconds.count
        buckets[bucket].add()
        total.add(Int(microseconds))
    }

    /// The histogram in the text format of Prometheus, in seconds.
    func lines(_ name: String, labels: String = "") -> String {
        let prefix = labels.isEmpty ? "" : labels + ","
        let suffix = labels.isEmpty ? "" : "{\(labels)}"
        var text = ""
        var sum = 0
        for (bound, bucket) in zip(Self.boundsMicroseconds, buckets) {
            sum += bucket.count
            text += "\(name)_bucket{\(prefix)le=\"\(MetricsText.seconds(bound))\"} \(sum)\n"
        }
        sum += buckets.last?.count ?? 0
        text += "\(name)_bucket{\(prefix)le=\"+Inf\"} \(sum)\n"
        text += "\(name)_sum\(suffix) \(MetricsText.seconds(total.count))\n\(name)_count\(suffix) \(sum)\n"
        return text
    }
}

/// Totals of the requests served, for `/metrics`. Costs a few atomic additions per request.
public final class RequestMetrics: Sendable {
    private let statuses: [AtomicCounter]
    private let cacheResults: [CacheResult: AtomicCounter]
    private let bodyBytes = AtomicCounter()
    private let abandoned = AtomicCounter()
    private let latency = LatencyHistogram()
    /// Greater statuses, which no handler sends, would be counted as this one.
    private static let largestStatus = 599

    /// No requests yet.
    public init() {
        statuses = (0...Self.largestStatus).map { _ in AtomicCounter() }
        cacheResults = [.hit: AtomicCounter(), .disk: AtomicCounter(), .miss: AtomicCounter()]
    }

    /// Counts a completed request.
    public func add(_ record: AccessRecord) {
        statuses[min(max(0, record.status), Self.largestStatus)].add()
        if let result = record.cacheResult { cacheResults[result]?.add() }
        bodyBytes.add(record.bodyBytes)
        if !record.isComplete { abandoned.add() }
        latency.add(microseconds: record.microseconds)
    }

    /// The metrics in the text format of Prometheus.
    public var text: String {
        var text = MetricsText.head(
            "tileserve_http_requests_total", .counter, "Requests answered, by status; 0: the client had disconnected.")
        for (status, counter) in statuses.enumerated() where counter.count > 0 {
            text += "tileserve_http_requests_total{status=\"\(status)\"} \(counter.count)\n"
        }
        text += MetricsText.head("tileserve_tile_answers_total", .counter, "Tiles answered, by source.")
        for (result, counter) in cacheResults.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            text += "tileserve_tile_answers_total{cache=\"\(result.rawValue)\"} \(counter.count)\n"
        }
        text += MetricsText.counter("tileserve_http_body_bytes_total", "Bytes of bodies sent.", bodyBytes.count)
        text += MetricsText.counter(
            "tileserve_http_abandoned_total", "Requests whose client disconnected before the end.", abandoned.count)
        text += MetricsText.head(
            "tileserve_http_request_seconds", .histogram, "From the request line to the end of the answer.")
        return text + latency.lines("tileserve_http_request_seconds")
    }
}

/// Answers `/metrics`.
struct MetricsHandler: RequestHandler {
    /// Some counts are read from the library.
    let queue: WorkQueue
    /// The metrics of all parts of the server.
    let text: @Sendable () -> String

    func add(to routes: inout Routes) {
        routes.on(
            .get, "/metrics", for: .read,
            as: APIOperation(
                "counters in the text format of Prometheus", .server,
                answers: [APIResponse("The counters", APIContent("text/plain"))])
        ) { _, _ in
            queue.answer {
                var response = Response.text(text(), type: MetricsText.mediaType)
                response.forbidStoring()
                return .response(response)
            }
        }
    }
}

extension WorkQueue {
    /// The metrics of the queue in the text format of Prometheus.
    package var metricsText: String {
        let counts = counts
        return MetricsText.gauge("tileserve_drawing_waiting", "Drawings waiting.", counts.waiting)
            + MetricsText.gauge("tileserve_drawing_running", "Drawings under way.", counts.running)
            + MetricsText.counter("tileserve_drawing_done_total", "Drawings done.", counts.done)
            + MetricsText.counter(
                "tileserve_drawing_refused_total", "Drawings refused because too many were waiting.", counts.refused)
            + MetricsText.counter(
                "tileserve_drawing_cancelled_total", "Drawings cancelled because no client waited for them.",
                counts.cancelled)
    }
}

extension TileCache {
    /// The metrics of the cache in the text format of Prometheus.
    public var metricsText: String {
        let counts = counts
        return MetricsText.gauge("tileserve_cache_tiles", "Tiles in memory.", counts.tiles)
            + MetricsText.gauge("tileserve_cache_bytes", "Bytes they take.", counts.bytes)
            + MetricsText.counter("tileserve_cache_hits_total", "Requests answered from memory.", counts.hits)
            + MetricsText.counter("tileserve_cache_misses_total", "Requests that started a drawing.", counts.misses)
            + MetricsText.counter("tileserve_cache_joined_total", "Requests that joined a drawing.", counts.joined)
            + MetricsText.counter("tileserve_cache_evicted_total", "Tiles evicted.", counts.evicted)
    }
}

extension ServerStatus {
    /// The status in the text format of Prometheus.
    var metricsText: String {
        MetricsText.gauge("tileserve_library_tracks", "Tracks in the library.", tracks)
            + MetricsText.gauge("tileserve_library_points", "Points in the library.", points)
            + MetricsText.gauge(
                "tileserve_library_behind", "Whether tiles do not show all changes yet.", readiness == .ready ? 0 : 1)
            + MetricsText.head("tileserve_library_revision_info", .gauge, "The revision of the tiles.")
            + "tileserve_library_revision_info{revision=\"\(revision)\"} 1\n"
    }
}

extension EventStreams {
    /// The text of Prometheus for it.
    var metricsText: String {
        MetricsText.gauge("tileserve_event_streams", "Replays and live streams under way.", openCount)
    }
}
