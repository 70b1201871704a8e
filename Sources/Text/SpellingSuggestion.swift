/// Finds the known word that an unknown word is probably a misspelling of.
package enum SpellingSuggestion {
    /// The known word with the fewest edits, if these are at most 2 or a third of its length, whichever is more.
    package static func nearest(to word: String, of known: [String]) -> String? {
        let ranked = known.map { (word: $0, changes: changes(from: word.lowercased(), to: $0)) }
        guard let best = ranked.min(by: { ($0.changes, $0.word) < ($1.changes, $1.word) }) else { return nil }
        return best.changes <= max(2, best.word.count / 3) && best.changes < best.word.count ? best.word : nil
    }

    /// The Levenshtein distance of two words, computed with one row of the table. Only their first 40 letters are
    /// compared, because the cost grows with the product of the lengths.
    package static func changes(from left: String, to right: String) -> Int {
        let (left, right) = (Array(left.prefix(40)), Array(right.prefix(40)))
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
