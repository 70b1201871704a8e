/// The times that a replay can show.
enum PlayableTimes {
    /// The limits of times that browsers can represent; a point beyond them counts as untimed.
    static let limit: Int64 = 8_640_000_000_000_000
}
