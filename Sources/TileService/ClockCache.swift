/// Cached tiles with CLOCK eviction: a lookup is one dictionary access and sets a flag, an eviction advances a hand
/// over a ring of slots.
struct ClockCache<Key: Hashable & Sendable>: Sendable {
    private struct Slot {
        var key: Key
        var tile: CachedTile
        var bytes: Int
        var wasUsed: Bool
    }

    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var places: [Key: Int] = [:]
    private var hand = 0
    private let byteLimit: Int
    /// Bytes of all cached tiles.
    private(set) var bytes = 0

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The number of cached tiles.
    var used: Int { places.count }

    /// The number of slots, including empty ones.
    var count: Int { slots.count }

    /// The tile; it is flagged as used.
    mutating func use(_ key: Key) -> CachedTile? {
        guard let place = places[key], let tile = slots[place]?.tile else { return nil }
        slots[place]?.wasUsed = true
        return tile
    }

    /// Stores a tile and evicts others until it fits; a tile larger than the byte limit is not stored. Returns the
    /// number of evicted tiles.
    mutating func put(_ tile: CachedTile, for key: Key, bytes size: Int) -> Int {
        if let place = places[key] { remove(place) }
        guard size <= byteLimit else { return 0 }
        var evicted = 0
        while bytes + size > byteLimit {
            evict()
            evicted += 1
        }
        let slot = Slot(key: key, tile: tile, bytes: size, wasUsed: false)
        if let place = free.popLast() {
            slots[place] = slot
            places[key] = place
        } else {
            places[key] = slots.count
            slots.append(slot)
        }
        bytes += size
        return evicted
    }

    /// Drops the tiles in a range of slots whose key matches.
    mutating func drop(_ range: Range<Int>, where fits: (Key) -> Bool) {
        for place in range.clamped(to: slots.indices) {
            if let key = slots[place]?.key, fits(key) { remove(place) }
        }
    }

    /// Called only while bytes are in use, so there is always a tile to evict.
    private mutating func evict() {
        while true {
            let place = hand
            hand = (hand + 1) % slots.count
            guard let slot = slots[place] else { continue }
            guard slot.wasUsed else { return remove(place) }
            slots[place]?.wasUsed = false
        }
    }

    private mutating func remove(_ place: Int) {
        guard let slot = slots[place] else { return }
        slots[place] = nil
        places[slot.key] = nil
        free.append(place)
        bytes -= slot.bytes
    }
}
