/// Finds places by the beginnings of words of their names.
public struct PlaceSearch: Sendable {
    /// A place that was found.
    public struct Match: Sendable, Hashable {
        public let place: NamedPlace
        /// The name that was found, if it is another one than that of the place.
        public let otherName: String?
    }

    /// The most characters of a text that are searched.
    public static let longestText = 100

    /// A name in `keys`.
    private struct Entry {
        var keyStart: UInt32
        var place: UInt32
        /// The offset of the text in the gazetteer's bytes.
        var name: UInt32
    }

    private struct Candidate {
        var score: Int
        var place: Int
        var entry: Int
        var isUsualName: Bool
    }

    private static let end = UInt8(ascii: "\n")
    private static let blank = UInt8(ascii: " ")
    private static let openBracket = UInt8(ascii: "(")
    /// Scores are ten times binary logarithms, as populations in the table. A name that is equal counts as much as 30
    /// times the population, one that begins with the text 4 times, and another name than the usual one half. Names with
    /// brackets count an eighth: they are mostly parts of a town that is found, too.
    private static let equalScore = 49
    private static let beginningScore = 20
    private static let otherNameScore = -10
    private static let bracketScore = -30
    /// Places whose population is not known are mostly small.
    private static let unknownPopulation = 80

    private let gazetteer: Gazetteer
    /// Folded names, each followed by `end`; the usual names of all places, then other names.
    private let keys: [UInt8]
    private let entries: [Entry]

    /// The search in what the program contains; prepared at the first use, in about 0.1 s.
    public static let embedded = PlaceSearch(.embedded)

    /// Prepares the search.
    public init(_ gazetteer: Gazetteer) {
        self.gazetteer = gazetteer
        var keys: [UInt8] = [Self.end]
        var entries: [Entry] = []
        entries.reserveCapacity(gazetteer.count)
        func add(_ place: Int, _ name: UInt32) {
            let start = keys.count
            guard gazetteer.folding.append(gazetteer.textBytes(at: name), to: &keys) else { return }
            entries.append(Entry(keyStart: UInt32(start), place: UInt32(place), name: name))
            keys.append(Self.end)
        }
        for place in 0..<gazetteer.count { add(place, gazetteer.nameOffsets[place]) }
        for other in gazetteer.otherNames {
            for name in other.offsets { add(other.place, name) }
        }
        self.keys = keys
        self.entries = entries
    }

    /// The places that match a text best, best first; none if the text has neither letters nor digits.
    ///
    /// Words after a comma have to be in the region or the country; without a comma, the last words may be if nothing
    /// has all of them in its name. Takes some milliseconds.
    public func places(matching text: String, limit: Int) -> [Match] {
        let text = text.prefix(Self.longestText)
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        let name = gazetteer.folding.folded(parts[0])
        guard !name.isEmpty, limit > 0 else { return [] }
        if parts.count > 1 {
            return matches(name, in: gazetteer.folding.folded(parts[1]), limit)
        }
        let found = matches(name, in: [], limit)
        guard found.isEmpty else { return found }
        for blank in name.indices.reversed() where name[blank] == Self.blank {
            let found = matches(Array(name[..<blank]), in: Array(name[(blank + 1)...]), limit)
            if !found.isEmpty { return found }
        }
        return []
    }

    private func matches(_ name: [UInt8], in area: [UInt8], _ limit: Int) -> [Match] {
        let regions = area.isEmpty ? nil : regions(matching: area)
        var best: [Candidate] = []
        for spelling in Self.spellings(name) { scan(spelling, regions, limit, &best) }
        return best.map { candidate in
            let entry = entries[candidate.entry]
            return Match(
                place: gazetteer[candidate.place],
                otherName: candidate.isUsualName ? nil : gazetteer.text(at: entry.name))
        }
    }

    /// The name, and without the `e` by which German replaces dots.
    private static func spellings(_ name: [UInt8]) -> [[UInt8]] {
        var plain: [UInt8] = []
        for byte in name {
            if byte == UInt8(ascii: "e"), let last = plain.last, "aou".utf8.contains(last) { continue }
            plain.append(byte)
        }
        return plain == name ? [name] : [name, plain]
    }

    /// Whether each region matches: by the beginning of a word of its name or of its country's name, or by its
    /// country's code.
    private func regions(matching area: [UInt8]) -> [Bool] {
        func has(_ name: String) -> Bool {
            let folded = [Self.blank] + gazetteer.folding.folded(name)
            return folded.indices.contains { folded[$0] == Self.blank && folded[($0 + 1)...].starts(with: area) }
        }
        let countries = gazetteer.countries.map { gazetteer.folding.folded($0.code) == area || has($0.name) }
        return gazetteer.regions.map { countries[$0.country] || has($0.name) }
    }

    private func scan(_ name: [UInt8], _ regions: [Bool]?, _ limit: Int, _ best: inout [Candidate]) {
        let keys = keys.span
        let first = name[0]
        var entry = 0
        var position = 1
        // A key at `last` itself would include the final `end`, which no searched name contains.
        let last = keys.count - name.count
        while position < last {
            defer { position += 1 }
            // `end` and blanks are the only bytes up to a blank: what follows them begins a word.
            guard keys[position] == first, keys[position - 1] <= Self.blank else { continue }
            var length = 1
            while length < name.count, keys[position + length] == name[length] { length += 1 }
            guard length == name.count else { continue }
            entry = self.entry(at: position, from: entry)
            guard let candidate = candidate(entry, at: position, length),
                regions?[Int(gazetteer.placeRegions[candidate.place])] ?? true
            else { continue }
            Self.insert(candidate, limit, &best)
        }
    }

    /// How well an entry matches that has the text at a position of `keys`; nil for another name than the usual one, of
    /// which there are many strange ones, if the text is not its beginning and half of it.
    private func candidate(_ entry: Int, at position: Int, _ length: Int) -> Candidate? {
        let place = Int(entries[entry].place)
        let name = entries[entry].name
        let start = Int(entries[entry].keyStart)
        let end = (entry + 1 < entries.count ? Int(entries[entry + 1].keyStart) : keys.count) - 1
        let isUsualName = name == gazetteer.nameOffsets[place]
        let isBeginning = position == start
        guard isUsualName || isBeginning && 2 * length >= end - start else { return nil }
        let population = Int(gazetteer.populations[place])
        var score = population == 0 ? Self.unknownPopulation : population
        if isBeginning { score += length == end - start ? Self.equalScore : Self.beginningScore }
        if !isUsualName { score += Self.otherNameScore }
        if isUsualName, gazetteer.textBytes(at: name).contains(Self.openBracket) { score += Self.bracketScore }
        return Candidate(score: score, place: place, entry: entry, isUsualName: isUsualName)
    }

    /// The entry whose key has a position of `keys`, which is not before that of the entry `start`.
    private func entry(at position: Int, from start: Int) -> Int {
        var (low, high) = (start, entries.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(entries[middle].keyStart) <= position { low = middle } else { high = middle }
        }
        return low
    }

    /// Keeps the best places, each once.
    private static func insert(_ candidate: Candidate, _ limit: Int, _ best: inout [Candidate]) {
        func isBefore(_ one: Candidate, _ other: Candidate) -> Bool {
            one.score != other.score ? one.score > other.score : one.place < other.place
        }
        if best.count == limit, let last = best.last, !isBefore(candidate, last) { return }
        var candidate = candidate
        if let known = best.firstIndex(where: { $0.place == candidate.place }) {
            guard isBefore(candidate, best[known]) else { return }
            // The usual name is returned if it matches, too.
            if best[known].isUsualName {
                candidate.entry = best[known].entry
                candidate.isUsualName = true
            }
            best.remove(at: known)
        }
        best.insert(candidate, at: best.firstIndex { isBefore(candidate, $0) } ?? best.count)
        if best.count > limit { best.removeLast() }
    }
}
