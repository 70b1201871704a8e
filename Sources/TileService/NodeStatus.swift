import RequestHandling
import TrackStore

/// A process among those that serve a library from a database that they share.
package struct NodeStatus: Encodable, Sendable, Equatable {
    /// Names the process until it ends or loses its lease.
    package var name: String
    /// For how many seconds it serves tiles without reaching the database; 0 if it serves none.
    package var lease: Double
    /// Seconds since it has last read what others have changed.
    package var lag: Double

    init(_ lease: MemberLease, lag: Double) {
        name = lease.name
        self.lease = Self.rounded(lease.seconds)
        self.lag = Self.rounded(max(0, lag))
    }

    private static func rounded(_ seconds: Double) -> Double { (seconds * 100).rounded() / 100 }

    /// The metrics in the text format of Prometheus.
    func metricsText(roundTrips: Int) -> String {
        let waits = "tileserve_database_round_trips_total"
        return MetricsText.head(waits, .counter, "How often this process has waited for an answer of the database.")
            + "\(waits){node=\"\(name)\"} \(roundTrips)\n"
            + gauge("lease", "Seconds for which this process serves tiles without reaching the database.", lease)
            + gauge("lag", "Seconds since this process has last read what others have changed.", lag)
    }

    private func gauge(_ name: String, _ help: String, _ value: Double) -> String {
        let metric = "tileserve_\(name)_seconds"
        return MetricsText.head(metric, .gauge, help) + "\(metric){node=\"\(self.name)\"} \(value)\n"
    }
}
