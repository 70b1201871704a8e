import TestSupport
import Testing
import Tracks

@testable import Stays

@Suite struct StayDraftTests {
    private func part(_ longitude: Int64, _ latitude: Int64) -> StayPart {
        let half: Int64 = 1_800_000_000
        let wrapped = (longitude + 3 * half) % (2 * half) - half
        return StayPart(
            arrive: 0, leave: 0, longitude: Int32(wrapped),
            latitude: Int32(max(-900_000_000, min(900_000_000, latitude))), points: 1, spread: 0)
    }

    @Test(
        arguments: [
            (0, 0), (1_800_000_000, 525_000_000), (-1_800_000_000, -300_000_000), (134_000_000, 899_990_000),
            (0, 900_000_000), (700_000_000, -900_000_000), (85_000_000, 473_000_000),
        ] as [(Int64, Int64)]) func `all drafts within the radius are found, also after they have moved`(
            longitude: Int64, latitude: Int64
        )
    {
        var random = SeededRandom(seed: UInt64(bitPattern: longitude &+ latitude))
        // Near the poles, all longitudes.
        let width: Int64 = abs(latitude) > 890_000_000 ? 1_800_000_000 : 40_000
        func next() -> StayPart {
            part(
                longitude + Int64.random(in: -width...width, using: &random),
                latitude + Int64.random(in: -40_000...40_000, using: &random))
        }
        var drafts = StayDrafts()
        var parts: [StayPart] = []
        for _ in 0..<500 {
            parts.append(next())
            drafts.append(StayDrafts.Draft(part: parts[parts.count - 1]))
        }
        for index in 0..<100 {
            parts[index] = next()
            let found = drafts.near(parts[index], removing: { _ in false }) { _ in }
            #expect(Set(found.map(\.index)).count == found.count)
            drafts.update(index) { $0.part = parts[index] }
        }
        var near = 0
        for _ in 0..<300 {
            let place = next()
            let found = Set(drafts.near(place, removing: { _ in false }) { _ in }.map(\.index))
            let wanted = parts.indices.filter { parts[$0].metres(to: place) <= StayRule.radiusMetres }
            near += wanted.count
            #expect(found.isSuperset(of: wanted))
            // At a pole, where latitudes end, most drafts are.
            #expect(found.count < parts.count)
        }
        #expect(near > 0)
    }

    @Test func `a draft at the same place is found at every latitude`() {
        for latitude in Int64(525_000_000)..<525_020_000 {
            var drafts = StayDrafts()
            drafts.append(StayDrafts.Draft(part: part(134_000_000, latitude)))
            let found = drafts.near(part(134_000_000, latitude), removing: { _ in false }) { _ in }
            if found.count != 1 { Issue.record("\(latitude): \(found.count) drafts") }
        }
    }

    @Test func `drafts that are over are removed once`() {
        var drafts = StayDrafts()
        for index in 0..<10 { drafts.append(StayDrafts.Draft(part: part(85_000_000 + Int64(index), 473_000_000))) }
        let place = part(85_000_000, 473_000_000)
        var removed: [Int32] = []
        let left = drafts.near(place, removing: { $0.longitude % 2 == 0 }) { removed.append($0.part.longitude) }
        #expect(removed.sorted() == [85_000_000, 85_000_002, 85_000_004, 85_000_006, 85_000_008])
        #expect(left.map(\.index).sorted() == [1, 3, 5, 7, 9])
        #expect(drafts.near(place, removing: { _ in false }) { _ in }.count == 5)
        #expect(drafts.remaining.map(\.part.longitude) == [85_000_001, 85_000_003, 85_000_005, 85_000_007, 85_000_009])
    }
}
