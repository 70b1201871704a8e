/// A cache whose entries have a limited total cost, such as bytes or a number of entries. It evicts what was not used
/// for the longest time.
///
/// Eviction follows CLOCK, which approximates the order of use: a lookup is one dictionary access and sets a flag; a
/// hand passes over the entries, clears the flag of those used since its last pass, and evicts the others. Used under a
/// lock; `SharedCache` has one.
public struct BoundedCache<Key: Hashable, Value> {
    @usableFromInline
    struct Slot {
        @usableFromInline let key: Key
        @usableFromInline let value: Value
        @usableFromInline let cost: Int
        @usableFromInline var wasUsed: Bool

        @inlinable
        init(key: Key, value: Value, cost: Int) {
            self.key = key
            self.value = value
            self.cost = cost
            wasUsed = false
        }
    }

    @usableFromInline var slots: [Slot?] = []
    @usableFromInline var free: [Int] = []
    @usableFromInline var indices: [Key: Int] = [:]
    @usableFromInline var hand = 0
    /// Limit of the cost of all entries.
    public let costLimit: Int
    /// The cost of all entries.
    public private(set) var cost = 0

    /// An empty cache whose entries cost at most `costLimit` together.
    public init(costLimit: Int) {
        self.costLimit = costLimit
    }

    /// The number of entries.
    public var count: Int { indices.count }

    /// The keys with their values, in no particular order.
    public var entries: [(key: Key, value: Value)] { slots.compactMap { $0.map { ($0.key, $0.value) } } }

    /// The number of slots, including empty ones; see `removeAll(inSlots:where:)`.
    public var slotCount: Int { slots.count }

    /// The value of a key, which is flagged as used.
    @inlinable
    public mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key], let value = slots[index]?.value else { return nil }
        slots[index]?.wasUsed = true
        return value
    }

    /// Stores a value, in place of the key's previous one, and evicts others until it fits; a value that costs more
    /// than the limit is not stored. Returns the number of evicted entries.
    @discardableResult
    public mutating func store(_ value: Value, for key: Key, cost valueCost: Int = 1) -> Int {
        // First, because the previous value must not count against the limit while others are evicted for the new one.
        if let index = indices[key] { remove(index) }
        guard valueCost <= costLimit else { return 0 }
        var evicted = 0
        while cost + valueCost > costLimit {
            evict()
            evicted += 1
        }
        let slot = Slot(key: key, value: value, cost: valueCost)
        if let index = free.popLast() {
            slots[index] = slot
            indices[key] = index
        } else {
            indices[key] = slots.count
            slots.append(slot)
        }
        cost += valueCost
        return evicted
    }

    /// Removes the entries that match.
    public mutating func removeAll(where fits: (Key, Value) -> Bool) {
        removeAll(inSlots: slots.indices, where: fits)
    }

    /// Removes the entries that match in a range of slots: a part of a `removeAll(where:)` that would hold a lock for
    /// too long.
    public mutating func removeAll(inSlots range: Range<Int>, where fits: (Key, Value) -> Bool) {
        for index in range.clamped(to: slots.indices) {
            if let slot = slots[index], fits(slot.key, slot.value) { remove(index) }
        }
    }

    /// Called only while the cost is above 0, so there is always an entry to evict.
    private mutating func evict() {
        while true {
            let index = hand
            hand = (hand + 1) % slots.count
            guard let slot = slots[index] else { continue }
            guard slot.wasUsed else { return remove(index) }
            slots[index]?.wasUsed = false
        }
    }

    private mutating func remove(_ index: Int) {
        guard let slot = slots[index] else { return }
        slots[index] = nil
        indices[slot.key] = nil
        free.append(index)
        cost -= slot.cost
    }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
extension BoundedCache.Slot: Sendable where Key: Sendable, Value: Sendable {}
