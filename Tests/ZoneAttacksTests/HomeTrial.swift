import Digest
import Editions
import ZoneAttacks

/// A home in a town, and a year of trips from it.
struct Home: Sendable {
    var town: Town
    var trips: [Trip]
    /// For what is drawn when the trips are published.
    var seed: UInt64

    var place: PublishedPlace { Town.place(at: town.home) }

    init(seed: Int, side: Double = 4400, distances: ClosedRange<Double> = 1000...2200) {
        var generator = SplitMix64(seed: UInt64(seed) &* 7919)
        town = Town(side: side, distances: distances, using: &generator)
        trips = Trip.year(in: town, using: &generator)
        self.seed = generator.next()
    }

    /// A zone whose centre is drawn; with a share of the offset that is not the usual one, nearer or farther away.
    func zone(radiusMetres: Int, share: Double = PrivacyZone.offsetShare, draw: UInt64 = 0) -> PrivacyZone {
        var generator = SplitMix64(seed: seed &+ draw)
        var zone = PrivacyZone(
            around: place.longitude, place.latitude, radiusMetres: radiusMetres,
            area: .random(in: 0...1, using: &generator), course: .random(in: 0..<2 * .pi, using: &generator))
        let scale = share / PrivacyZone.offsetShare
        zone.centreLongitude = place.longitude + Int32(Double(zone.centreLongitude - place.longitude) * scale)
        zone.centreLatitude = place.latitude + Int32(Double(zone.centreLatitude - place.latitude) * scale)
        return zone
    }
}

/// How often attacks find homes.
struct HomeTrial: Sendable, CustomStringConvertible {
    let name: String
    let towns: Int
    /// The errors of each attack, in ascending order; without those of towns where it found nothing.
    private(set) var errors: [ZoneAttack: [Double]] = [:]

    /// Attacks what `estimates` makes of the homes of some towns.
    static func run(
        _ name: String, towns: Int, side: Double = 4400, distances: ClosedRange<Double> = 1000...2200,
        estimates: @escaping @Sendable (Home) -> [Estimate]
    ) async -> HomeTrial {
        var trial = HomeTrial(name: name, towns: towns)
        await withTaskGroup(of: [AttackError].self) { group in
            for seed in 1...towns {
                group.addTask {
                    let home = Home(seed: seed, side: side, distances: distances)
                    return AttackError.errors(of: estimates(home), at: home.place)
                }
            }
            for await errors in group {
                for error in errors { trial.errors[error.attack, default: []] += error.metres.map { [$0] } ?? [] }
            }
        }
        for attack in ZoneAttack.allCases { trial.errors[attack]?.sort() }
        return trial
    }

    private init(name: String, towns: Int) {
        self.name = name
        self.towns = towns
    }

    /// In how many towns of a hundred an attack finds the home.
    func percent(_ attack: ZoneAttack) -> Double {
        let found = errors[attack, default: []].count { $0 <= AttackError.foundMetres }
        return 100 * Double(found) / Double(towns)
    }

    var description: String {
        let lines = ZoneAttack.allCases.compactMap { attack -> String? in
            guard let errors = errors[attack], !errors.isEmpty else { return nil }
            let tenths = (percent(attack) * 10).rounded() / 10
            return "  \(attack.rawValue): \(tenths) % within 100 m, median \(Int(errors[errors.count / 2])) m"
        }
        return (["\(name), \(towns) towns:"] + lines).joined(separator: "\n")
    }
}
