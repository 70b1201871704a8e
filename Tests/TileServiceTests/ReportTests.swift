import HTTPCore
import RequestHandling
import Testing
import TileService

@Suite struct ReportTests {
    private func record(
        status: Int = 200, target: String = "/tiles/0/0/0.png", microseconds: Int64 = 120, cache: CacheResult? = .hit
    ) -> AccessRecord {
        var record = AccessRecord(peer: .loopback)
        record.startMilliseconds = 1_795_257_107_123
        record.microseconds = microseconds
        record.method = .get
        record.target = RequestTarget(target)
        record.version = .http11
        record.status = status
        record.bodyBytes = 116
        record.cacheResult = cache
        record.isComplete = status != 0
        return record
    }

    @Test func `an access line is in the Common Log Format, then microseconds and cache`() {
        #expect(
            record().line
                == "127.0.0.1 - - [21/Nov/2026:10:31:47 +0000] \"GET /tiles/0/0/0.png HTTP/1.1\" 200 116 120 hit")
        #expect(record(status: 0, cache: nil).line.hasSuffix("\" 0 116 120 - abandoned"))
    }

    @Test func `nothing in a request can begin a line or end a quote`() {
        let line = record(target: "/a\"b\n\u{1b}é\\?key=secret").line
        #expect(line.contains("\"GET /a\\x22b\\x0a\\x1b\\xc3\\xa9\\x5c HTTP/1.1\""))
        #expect(!line.contains("secret"))
    }

    @Test func `metrics count by status, cache and time`() {
        let metrics = RequestMetrics()
        metrics.add(record(microseconds: 100))
        metrics.add(record(microseconds: 101))
        metrics.add(record(status: 404, microseconds: 10_000_000, cache: nil))
        metrics.add(record(status: 0, microseconds: 0, cache: .miss))
        let lines = Set(metrics.text.split(separator: "\n").map(String.init))
        for line in [
            "tileserve_http_requests_total{status=\"200\"} 2", "tileserve_http_requests_total{status=\"404\"} 1",
            "tileserve_tile_answers_total{cache=\"hit\"} 2", "tileserve_tile_answers_total{cache=\"miss\"} 1",
            "tileserve_http_body_bytes_total 464", "tileserve_http_abandoned_total 1",
            "tileserve_http_request_seconds_bucket{le=\"0.0001\"} 2",
            "tileserve_http_request_seconds_bucket{le=\"0.00025\"} 3",
            "tileserve_http_request_seconds_bucket{le=\"2.5\"} 3",
            "tileserve_http_request_seconds_bucket{le=\"+Inf\"} 4", "tileserve_http_request_seconds_count 4",
            "tileserve_http_request_seconds_sum 10.000201",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func `every metric is described before its first value`() {
        let queue = WorkQueue()
        let text = RequestMetrics().text + queue.metricsText + TileCache<Int>(byteLimit: 1, queue: queue).metricsText
        var known: Set<Substring> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") {
                known.insert(line.split(separator: " ")[2])
            } else if !line.hasPrefix("#") {
                let name = line.prefix { $0 != "{" && $0 != " " }
                let isKnown = known.contains { name == $0 || name.hasPrefix($0 + "_") }
                #expect(isKnown, "\(name)")
            }
        }
    }
}
