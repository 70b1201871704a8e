/// A hash table of numbers whose keys are stored elsewhere: 5 to 11 bytes per number, however long a key is.
struct TrackIndex {
    /// The number plus 1, or 0 for a free slot; the number of slots is a power of 2.
    private var slots = [UInt32](repeating: 0, count: 16)
    private var count = 0

    /// The first number with this hash that `isWanted` accepts.
    func first(_ hash: Int, where isWanted: (Int) -> Bool) -> Int? {
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if isWanted(number) { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds the next number, counting from 0. `hash` returns the hash of any number.
    mutating func add(_ number: Int, hash: (Int) -> Int) {
        precondition(number == count, "numbers come one after the other")
        count += 1
        // At most three quarters of the slots are in use, so that searches by linear probing stay short and always end.
        if count * 4 > slots.count * 3 {
            slots = [UInt32](repeating: 0, count: slots.count * 2)
            for earlier in 0..<number { insert(earlier, hash(earlier)) }
        }
        insert(number, hash(number))
    }

    private mutating func insert(_ number: Int, _ hash: Int) {
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(number) + 1
    }
}

/// The persons and activities of recordings: few pairs for many recordings.
struct TrackOwners {
    private struct Owner: Hashable {
        var person: String?
        var activity: String?
    }

    private var owners: [Owner] = []
    private var numbers: [Owner: UInt32] = [:]

    subscript(number: UInt32) -> (person: String?, activity: String?) {
        (owners[Int(number)].person, owners[Int(number)].activity)
    }

    func known(person: String?, activity: String?) -> UInt32? {
        numbers[Owner(person: person, activity: activity)]
    }

    mutating func number(person: String?, activity: String?) -> UInt32 {
        let owner = Owner(person: person, activity: activity)
        if let last = owners.last, last == owner { return UInt32(owners.count - 1) }
        if let number = numbers[owner] { return number }
        let number = UInt32(owners.count)
        owners.append(owner)
        numbers[owner] = number
        return number
    }
}
