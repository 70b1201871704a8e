import Locking

/// The words by which files and people name activities.
enum ActivityWords {
    /// What a word means.
    enum Meaning: Equatable {
        case activity(Activity)
        /// The word says that the activity is not known.
        case noActivity
        case unknownWord
    }

    /// What a word or phrase means. Answers are cached, because most tracks of a library share a few words.
    static func meaning(of word: String) -> Meaning {
        if let known = cache.withLock({ $0[word] }) { return known }
        let meaning = find(folded(word))
        cache.withLock { cache in
            if cache.count >= cacheLimit { cache = [:] }
            cache[word] = meaning
        }
        return meaning
    }

    private static let cache = Locked<[String: Meaning]>([:])
    /// More words than formats and apps use; a library with a word of its own for each track must not fill the memory.
    private static let cacheLimit = 1024

    private static func find(_ phrase: String) -> Meaning {
        if phrase.isEmpty { return .noActivity }
        // Some services write a phrase as one word: `mountainbikeride`.
        if let known = wholePhrases[phrase] ?? meanings[phrase] ?? joinedMeanings[joined(phrase)] { return known }
        let known = phrase.split(separator: " ").compactMap { meanings[String($0)] ?? endMeaning(of: $0) }
            .filter { $0 != .noActivity }
        // `commute ride` is a ride, although a commute can be anything.
        return known.first { $0 != .activity(.other) } ?? known.first ?? .unknownWord
    }

    /// What the longest known word at the end of a compound means; nil for scripts that separate words with spaces.
    ///
    /// In Chinese, Japanese and Korean the last word is the kind, as in `虚拟骑行` (a virtual ride).
    private static func endMeaning(of compound: Substring) -> Meaning? {
        guard compound.unicodeScalars.allSatisfy({ $0.value >= firstEastAsianScalar }) else { return nil }
        var end = compound.dropFirst()
        // A single character is too often a part of another word.
        while end.count >= 2 {
            if let known = meanings[String(end)] { return known }
            end = end.dropFirst()
        }
        return nil
    }

    /// The start of the block CJK Radicals Supplement. The kana, the ideographs and the Korean syllables follow.
    private static let firstEastAsianScalar: UInt32 = 0x2E80

    /// A text in lower case without accents, its words separated by single spaces.
    static func folded(_ text: String) -> String {
        var folded = ""
        for scalar in text.lowercased().unicodeScalars {
            switch scalar.properties.generalCategory {
            // The accents of decomposed letters.
            case .nonspacingMark: continue
            case .lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .spacingMark:
                if let plain = unaccented[scalar] { folded += plain } else { folded.unicodeScalars.append(scalar) }
            default:
                if !folded.isEmpty, folded.last != " " { folded.append(" ") }
            }
        }
        if folded.last == " " { folded.removeLast() }
        return folded
    }

    /// The letters with accents of the languages of the table.
    private static let unaccented: [Unicode.Scalar: String] = {
        let groups = [
            ("a", "àáâãäåāăą"), ("c", "çćčĉ"), ("d", "ďđð"), ("e", "èéêëēėęě"), ("g", "ğģ"), ("i", "ìíîïīįı"),
            ("k", "ķ"), ("l", "łļľĺ"), ("n", "ñńňņ"), ("o", "òóôõöøōő"), ("r", "řŕ"), ("s", "śšşș"), ("t", "ťţțþ"),
            ("u", "ùúûüūůűų"), ("y", "ýÿ"), ("z", "źżž"), ("ss", "ß"), ("ae", "æ"), ("oe", "œ"), ("и", "й"),
            ("е", "ё"),
        ]
        var table: [Unicode.Scalar: String] = [:]
        for (plain, letters) in groups {
            for letter in letters.unicodeScalars { table[letter] = plain }
        }
        return table
    }()

    private static func joined(_ phrase: String) -> String { phrase.filter { $0 != " " } }

    /// The meanings of phrases without their spaces.
    private static let joinedMeanings = Dictionary(
        meanings.map { (joined($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })

    private static let wholePhrases = table(ActivityTable.wholePhrases)

    /// The meanings of words and phrases.
    private static let meanings: [String: Meaning] = {
        var meanings = table(ActivityTable.words)
        for phrase in ActivityTable.noActivity.split(separator: ",") {
            meanings[folded(String(phrase))] = Meaning.noActivity
        }
        return meanings
    }()

    private static func table(_ words: [(Activity, String)]) -> [String: Meaning] {
        var meanings: [String: Meaning] = [:]
        for (activity, text) in words {
            for phrase in text.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
                meanings[folded(String(phrase))] = .activity(activity)
            }
        }
        return meanings
    }
}

extension Activity {
    /// The activity that a word of a file or of a user means; `other` if the word is unknown, nil if it says that the
    /// activity is not known (`unknown`, an empty text).
    ///
    /// Case, accents and the characters between words make no difference. A phrase means what its first known word means
    /// (`trail running`, `virtual ride`), unless the whole phrase is known (`horse riding`). In scripts without spaces, a
    /// word means what the known word at its end means (`虚拟骑行`).
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
