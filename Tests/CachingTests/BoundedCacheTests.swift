import Caching
import Testing

@Suite struct BoundedCacheTests {
    @Test func `the cost never exceeds the limit, and lookups return what was stored last`() {
        var cache = BoundedCache<Int, Int>(costLimit: 100)
        var model: [Int: (value: Int, cost: Int)] = [:]
        var random: UInt64 = 7
        var evicted = 0
        var stored = 0
        for step in 0..<20_000 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let key = Int(random >> 40) % 40
            if random >> 33 & 1 == 0 {
                let cost = Int(random >> 50) % 130
                if model[key] == nil { stored += cost <= 100 ? 1 : 0 }
                evicted += cache.store(step, for: key, cost: cost)
                model[key] = cost <= 100 ? (step, cost) : nil
            } else if let found = cache.use(key) {
                #expect(model[key]?.value == found)
            } else {
                model[key] = nil
            }
            #expect(cache.cost <= 100 && cache.count <= 40)
        }
        let kept = (0..<40).filter { cache.use($0) != nil }
        #expect(cache.count == kept.count && cache.cost == kept.reduce(0) { $0 + (model[$1]?.cost ?? 0) })
        #expect(stored > 0 && evicted > 0 && cache.slotCount <= 40)
    }

    @Test func `an entry that is used survives, one that is not is evicted`() {
        var cache = BoundedCache<Int, String>(costLimit: 10)
        for key in 0..<10 { cache.store("\(key)", for: key) }
        for key in 10..<1_000 {
            #expect(cache.use(3) == "3")
            #expect(cache.store("\(key)", for: key) == 1)
        }
        #expect(cache.use(3) == "3" && cache.use(999) == "999" && cache.use(500) == nil && cache.count == 10)
    }

    @Test func `a value that costs more than the limit is not stored and evicts nothing`() {
        var cache = BoundedCache<Int, Int>(costLimit: 10)
        cache.store(1, for: 1, cost: 10)
        #expect(cache.store(2, for: 2, cost: 11) == 0)
        #expect(cache.use(1) == 1 && cache.use(2) == nil)
        // In place of a value that fits, it removes that one: it is outdated.
        cache.store(3, for: 1, cost: 11)
        #expect(cache.use(1) == nil && cache.cost == 0 && cache.count == 0)
    }

    @Test func `removed entries free their cost, also in parts`() {
        var cache = BoundedCache<Int, Int>(costLimit: 1_000)
        for key in 0..<100 { cache.store(key * 2, for: key, cost: 3) }
        cache.removeAll { key, value in key % 2 == 0 && value == key * 2 }
        #expect(cache.count == 50 && cache.cost == 150)
        for start in stride(from: 0, to: cache.slotCount, by: 7) {
            cache.removeAll(inSlots: start..<start + 7) { key, _ in key % 3 == 0 }
        }
        #expect((0..<100).filter { cache.use($0) != nil } == (0..<100).filter { $0 % 2 == 1 && $0 % 3 != 0 })
        for key in 0..<100 { cache.store(key, for: key, cost: 3) }
        #expect(cache.slotCount == 100 && cache.cost == 300)
    }
}
