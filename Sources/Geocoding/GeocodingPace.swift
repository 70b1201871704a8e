/// When the next request is made to a service: at most one in an interval, fewer while the service fails.
///
/// Instants are milliseconds since 1970.
public struct GeocodingPace: Hashable, Sendable {
    /// The time between the beginnings of two requests.
    public var intervalMilliseconds: Int64 = 1_000
    /// After this number of failures a cell is not requested again.
    public static let triesLimit = 5
    /// A cell is not requested again before this time after a failure, which grows tenfold with each.
    public var retryMilliseconds: Int64 = 60_000
    /// The time until the next request to a service that refuses.
    public var refusedMilliseconds: Int64 = 3_600_000

    /// The delay doubles with each failure up to this one: an hour.
    private static let longestFailure: Int64 = 3_600_000
    /// The limit of the time that a service may name until the next request.
    public static let longestRetryAfterSeconds = 86_400

    public init() {}

    /// The time until the next request after `failures` failures one after another, of which the last one named a time.
    /// `isOfCell` is true if it concerns one cell, while the service works: then other cells are not delayed as long.
    public func delay(failures: Int, retryAfterSeconds: Int? = nil, isOfCell: Bool = false) -> Int64 {
        let named = Int64(min(max(retryAfterSeconds ?? 0, 0), Self.longestRetryAfterSeconds)) * 1000
        guard failures > 0 else { return max(intervalMilliseconds, named) }
        let doubled = intervalMilliseconds.multipliedReportingOverflow(by: 1 << Int64(min(failures, 30)))
        let longest = isOfCell ? min(60 * intervalMilliseconds, Self.longestFailure) : Self.longestFailure
        let own = doubled.overflow ? longest : min(doubled.partialValue, longest)
        return max(own, named, intervalMilliseconds)
    }

    /// The time until a cell is asked for again after its failure number `tries`, 1 for the first; nil if never.
    public func retryDelay(tries: Int) -> Int64? {
        guard tries < Self.triesLimit else { return nil }
        return (0..<max(0, tries - 1)).reduce(retryMilliseconds) { delay, _ in delay * 10 }
    }
}
