import Digest
import Foundation
import Testing

@testable import ZoneAttacks

/// The attacks on plain figures, for which the result can be computed.
@Suite struct ZoneAttackTests {
    private static let origin = PublishedPlace(longitude: 134_000_000, latitude: 525_000_000)

    /// Straight tracks towards a place, which end before it.
    private static func rays(
        to middle: PublishedPlace = origin, courses: [Double], from far: Double = 1400, to near: (Double) -> Double
    ) -> [PublishedTrack] {
        let plane = TangentPlane(at: middle)
        return courses.enumerated().map { number, course in
            let way = Vector(sin(course), cos(course))
            let line = stride(from: far, to: near(course), by: -5).map { plane.place(at: way * $0) }
            let end = plane.place(at: way * near(course))
            return PublishedTrack(segments: [line + [end]], day: Int32(number))
        }
    }

    private static let courses = (0..<7).map { Double($0) * 0.9 }

    private static func metres(_ estimates: [Estimate], _ attack: ZoneAttack, at place: PublishedPlace = origin)
        -> Double?
    {
        AttackError.errors(of: estimates, at: place).first { $0.attack == attack }?.metres
    }

    private static func attack(_ tracks: [PublishedTrack]) -> [Estimate] {
        var knowledge = AttackerKnowledge(offsetShare: 0)
        // The far ends of seven rays are no places of their own.
        knowledge.mostPlaces = 1
        return ZoneAttacker(tracks, knowing: knowledge).estimates()
    }

    @Test func `rays that end on a circle tell its centre`() throws {
        let estimates = Self.attack(Self.rays(courses: Self.courses) { _ in 500 })
        for attack in [ZoneAttack.circleFit, .streetDirection, .exitChoice, .combined] {
            #expect(try #require(Self.metres(estimates, attack)) < 5, "\(attack)")
        }
    }

    @Test func `the circle is found although some lines end elsewhere`() throws {
        // Two of nine end outside of it.
        let tracks = Self.rays(courses: Self.courses + [0.4, 3.3]) { [0.4, 3.3].contains($0) ? 900 : 500 }
        #expect(try #require(Self.metres(Self.attack(tracks), .circleFit)) < 5)
    }

    @Test func `rays of all lengths tell where they lead to`() throws {
        let estimates = Self.attack(Self.rays(courses: Self.courses) { 200 + 100 * $0 })
        #expect(try #require(Self.metres(estimates, .streetDirection)) < 10)
    }

    @Test func `a place can be at 180° or near a pole`() throws {
        for place in [
            PublishedPlace(longitude: 1_799_999_000, latitude: 100_000_000),
            PublishedPlace(longitude: 500_000_000, latitude: 860_000_000),
            PublishedPlace(longitude: -1_000_000_000, latitude: -780_000_000),
        ] {
            let tracks = Self.rays(to: place, courses: Self.courses) { _ in 500 }
            let metres = Self.metres(Self.attack(tracks), .circleFit, at: place)
            #expect(try #require(metres) < 20, "\(place)")
        }
    }

    @Test func `a line of two days crosses at the place`() throws {
        // A departure and an arrival of each day, from two sides.
        let tracks = (0..<6).flatMap { day -> [PublishedTrack] in
            var (departure, arrival) = (
                Self.rays(courses: [0.2]) { _ in 400 }[0], Self.rays(courses: [1.9]) { _ in 600 }[0]
            )
            departure.segments = departure.segments.map { $0.reversed() }
            departure.day = Int32(day)
            arrival.day = Int32(day)
            return [departure, arrival]
        }
        #expect(try #require(Self.metres(Self.attack(tracks), .oneDay)) < 5)
    }

    @Test func `tracks without days have no estimate of single days`() {
        let tracks = Self.rays(courses: Self.courses) { _ in 500 }.map { PublishedTrack(segments: $0.segments) }
        #expect(Self.metres(Self.attack(tracks), .oneDay) == nil)
        #expect(Self.metres(Self.attack(tracks), .heatTermini) != nil)
    }

    @Test func `the published length tells how far the place is`() throws {
        let tracks = Self.rays(courses: Self.courses) { 300 + 60 * $0 }.enumerated().map { number, track in
            var track = track
            // Streets of all directions: the hidden way has a detour of a quarter.
            track.metres = VisibleLength.metres(of: track) + 1.25 * (300 + 60 * Self.courses[number])
            return track
        }
        #expect(try #require(Self.metres(Self.attack(tracks), .residualDistance)) < 60)
    }

    // MARK: Places

    @Test func `places with few ends are not attacked`() {
        #expect(Self.attack([]).isEmpty)
        #expect(Self.attack([PublishedTrack(segments: []), PublishedTrack(segments: [[]])]).isEmpty)
        #expect(Self.attack(Self.rays(courses: [1]) { _ in 500 }).isEmpty)
        let single = PublishedTrack(segments: Array(repeating: [Self.origin], count: 9))
        #expect(!Self.attack([single]).isEmpty)
    }

    @Test func `each place has estimates of its own`() throws {
        let other = PublishedPlace(longitude: 134_000_000, latitude: 526_000_000)
        let tracks =
            Self.rays(courses: Self.courses) { _ in 500 } + Self.rays(to: other, courses: Self.courses) { _ in 400 }
        let estimates = ZoneAttacker(tracks, knowing: AttackerKnowledge(offsetShare: 0)).estimates()
        #expect(try #require(Self.metres(estimates, .circleFit)) < 5)
        #expect(try #require(Self.metres(estimates, .circleFit, at: other)) < 5)
    }

    @Test func `the same tracks give the same estimates`() {
        let home = Home(seed: 3)
        let tracks = Publishing.cut(home.trips, zones: [home.zone(radiusMetres: 600)])
        let knowledge = AttackerKnowledge(offsetShare: 0.6)
        let estimates = ZoneAttacker(tracks, knowing: knowledge).estimates()
        #expect(!estimates.isEmpty)
        for _ in 0..<2 { #expect(ZoneAttacker(tracks, knowing: knowledge).estimates() == estimates) }
    }

    @Test func `errors name every attack, and only estimates within the reach count`() {
        let near = Estimate(longitude: 134_000_000, latitude: 525_008_993, attack: .circleFit)
        let far = Estimate(longitude: 134_000_000, latitude: 527_000_000, attack: .oneDay)
        let errors = AttackError.errors(of: [far, near], at: Self.origin)
        #expect(errors.map(\.attack) == ZoneAttack.allCases)
        #expect(errors.filter { $0.metres != nil }.map(\.attack) == [.circleFit])
        #expect(errors.filter(\.isFound).map(\.attack) == [.circleFit])
        #expect(AttackError(attack: .oneDay, metres: 101).isFound == false)
    }

    // MARK: Parts

    @Test func `the plane gives back its places`() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<200 {
            let origin = PublishedPlace(
                longitude: Int32.random(in: -1_800_000_000...1_800_000_000, using: &generator),
                latitude: Int32.random(in: -850_000_000...850_000_000, using: &generator))
            let plane = TangentPlane(at: origin)
            let vector = Vector(
                Double.random(in: -5000...5000, using: &generator), Double.random(in: -5000...5000, using: &generator))
            #expect(plane.vector(to: plane.place(at: vector)).distance(to: vector) < 0.1, "\(origin)")
        }
    }

    @Test func `the axes of a rotated grid are those of its streets`() {
        for degrees in [0.0, 20, 44] {
            let axis = Vector(cos(degrees * .pi / 180), sin(degrees * .pi / 180))
            let across = Vector(-axis.y, axis.x)
            let axes = StreetAxes([[.zero, axis * 100, axis * 100 + across * 70]])
            #expect(axes.strength > 0.99)
            #expect(abs(axes.metres(.zero, axis * 30 - across * 40) - 70) < 0.1, "\(degrees)")
        }
        // Without streets, the way has a detour.
        #expect(StreetAxes().metres(.zero, Vector(0, 100)) == 125)
    }
}
