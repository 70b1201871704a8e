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
