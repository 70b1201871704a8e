import Testing
import Text

struct NameHashTests {
    /// Names that a table with the fixed state of FNV-1a would put into one slot of 1,024.
    private static let colliding: [[UInt8]] = {
        var names: [[UInt8]] = []
        var number = 0
        while names.count < 200 {
            let name = Array("n\(number)".utf8)
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            if (hash ^ (hash >> 32)) & 1023 == 0 { names.append(name) }
            number += 1
        }
        return names
    }()

    private func slots(_ hash: NameHash) -> [Int] {
        Self.colliding.map { hash.slot($0.span, $0.indices, slotBits: 10) }
    }

    /// 200 names in 1,024 slots by chance take 182 slots, ± 4; fewer than 140 would be ten deviations.
    @Test func `names cannot be chosen to share a slot`() {
        let slots = slots(NameHash())
        #expect(Set(slots).count >= 140)
        #expect(slots.allSatisfy { (0..<1024).contains($0) })
    }

    @Test func `each table has slots of its own`() {
        let hash = NameHash()
        #expect(slots(hash) == slots(hash))
        #expect(slots(hash) != slots(NameHash()))
    }
}
