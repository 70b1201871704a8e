/// Kept tiles in a ring: finding one is a look in a dictionary and a mark, giving one up a step of the hand.
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
    /// Bytes of all tiles kept.
    private(set) var bytes = 0

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// How many tiles are kept.
    var used: Int { places.count }

    /// How many slots there are, empty ones too.
    var count: Int { slots.count }

    /// The tile, marked as used.
    mutating func use(_ key: Key) -> CachedTile? {
        guard let place = places[key], let tile = slots[place]?.tile else { return nil }
        slots[place]?.wasUsed = true
        return tile
    }

    /// Keeps a tile, giving up others until there is room; one larger than all room is not kept. Returns how many went.
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

    /// Drops tiles of a stretch of slots.
    mutating func drop(_ range: Range<Int>, where fits: (Key) -> Bool) {
        for place in range.clamped(to: slots.indices) {
            if let key = slots[place]?.key, fits(key) { remove(place) }
        }
    }

    /// There is a tile to give up whenever more bytes are kept than none, which is when this is called.
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
