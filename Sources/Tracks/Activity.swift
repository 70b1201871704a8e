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

    /// The activity that a word of a file or of a user means; `other` if the word is unknown, nil if it says that the
    /// activity is not known (`unknown`, an empty text).
    ///
    /// Case, accents and the characters between words make no difference. A phrase means what its first known word means
    /// (`trail running`, `virtual ride`), unless the whole phrase is known (`horse riding`).
    public init?(word: String) {
        switch ActivityWords.meaning(of: word) {
        case .activity(let activity): self = activity
        case .unknownWord: self = .other
        case .noActivity: return nil
        }
    }

    /// The activity that a known word means; nil if the word is unknown or means no activity.
    public init?(knownWord word: String) {
        guard case .activity(let activity) = ActivityWords.meaning(of: word) else { return nil }
        self = activity
    }
}

/// A condition on the activity of tracks, from the word that a user gave.
public struct ActivityFilter: Sendable, Equatable {
    private enum Wanted: Sendable, Equatable {
        /// nil: tracks without an activity.
        case activity(Activity?)
        /// A word that means no activity in particular: tracks whose file has this word.
        case word(String)
    }

    /// All of these are wanted.
    private var wanted: [Wanted]
    /// The word for tracks without an activity.
    public static let none = "none"

    /// The filter for a word: `run` and `running` select the same tracks, `none` selects tracks without an activity,
    /// and a word that belongs to `other`, such as `golf`, selects the tracks with this word.
    public init(_ word: String) {
        switch ActivityWords.meaning(of: word) {
        case .activity(.other) where word.lowercased() != Activity.other.rawValue: wanted = [.word(word.lowercased())]
        case .activity(let activity): wanted = [.activity(activity)]
        case .noActivity: wanted = [.activity(nil)]
        case .unknownWord: wanted = [.word(word.lowercased())]
        }
    }

    /// Whether a track is selected; `word` is the word of its file or its owner, nil for none.
    public func admits(_ word: String?) -> Bool {
        wanted.allSatisfy { wanted in
            switch wanted {
            case .activity(let activity): word.flatMap { Activity(word: $0) } == activity
            case .word(let wanted): word?.lowercased() == wanted
            }
        }
    }

    /// The tracks that pass both filters.
    public func and(_ other: ActivityFilter) -> ActivityFilter {
        var both = self
        both.wanted += other.wanted
        return both
    }
}
