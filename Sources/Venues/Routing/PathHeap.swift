/// A binary heap of states, the least first.
struct PathHeap {
    struct Entry {
        /// The cost so far plus a lower bound of the rest.
        let estimate: Double
        let cost: Double
        let state: Int32

        /// The state decides between equal estimates, so that every search takes the same way.
        @inline(__always)
        static func isBefore(_ one: Entry, _ other: Entry) -> Bool {
            one.estimate != other.estimate ? one.estimate < other.estimate : one.state < other.state
        }
    }

    private var entries: [Entry] = []

    mutating func push(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard Entry.isBefore(entries[child], entries[parent]) else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func pop() -> Entry? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return first }
        entries[0] = last
        var parent = 0
        while true {
            // No list of the two children: a list in the innermost loop took a tenth of the time of a search.
            let left = 2 * parent + 1
            guard left < entries.count else { return first }
            let right = left + 1
            let hasLesserRight = right < entries.count && Entry.isBefore(entries[right], entries[left])
            let child = hasLesserRight ? right : left
            guard Entry.isBefore(entries[child], entries[parent]) else { return first }
            entries.swapAt(parent, child)
            parent = child
        }
    }
}
