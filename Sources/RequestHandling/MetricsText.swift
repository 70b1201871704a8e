import Synchronization

/// The text format of Prometheus, version 0.0.4.
public enum MetricsText {
    /// The type of a metric.
    public enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    /// The media type of the text format.
    public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// The lines that describe a metric.
    public static func head(_ name: String, _ kind: Kind, _ help: String) -> String {
        "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// A metric that only increases.
    public static func counter(_ name: String, _ help: String, _ value: Int) -> String {
        head(name, .counter, help) + "\(name) \(value)\n"
    }

    /// A metric that can increase and decrease.
    public static func gauge(_ name: String, _ help: String, _ value: Int) -> String {
        head(name, .gauge, help) + "\(name) \(value)\n"
    }

    /// Microseconds as seconds, exactly.
    package static func seconds(_ microseconds: Int) -> String {
        let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
        let digits = fraction.reversed().drop { $0 == "0" }.reversed()
        return "\(microseconds / 1_000_000)" + (digits.isEmpty ? "" : "." + String(digits))
    }
}

/// A counter that many threads can add to without waiting for each other.
public final class AtomicCounter: Sendable {
    private let value = Atomic<Int>(0)

    /// Starts at zero.
    public init() {}

    /// Adds `amount`.
    public func add(_ amount: Int = 1) {
        // A metric orders no other memory access.
        value.add(amount, ordering: .relaxed)
    }

    /// The present value.
    public var count: Int { value.load(ordering: .relaxed) }
}
