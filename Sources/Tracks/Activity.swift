/// What somebody did on a track: the vocabulary of lists, layers and statistics.
///
/// Files name activities in many words (`running`, `Laufen`, `course à pied`, `IN_PASSENGER_VEHICLE`). The word of the
/// file is stored and exported as it is; `init(word:)` finds the activity that it means.
public enum Activity: String, Sendable, CaseIterable, Codable {
    case run, ride, walk, hike, ski, swim, drive, train, flight, boat, other

    /// The number in grids: 1 for the first activity. It is stored, so new activities are added at the end.
    public var number: UInt8 {
        guard let index = Self.allCases.firstIndex(of: self) else { preconditionFailure("allCases has every case") }
        return UInt8(index + 1)
    }

    /// The activity with this number; nil if there is none.
    public init?(number: UInt8) {
        guard number > 0, number <= Self.allCases.count else { return nil }
        self = Self.allCases[Int(number) - 1]
    }
}
