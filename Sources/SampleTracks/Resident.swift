/// Somebody with a home, a work place and habits.
struct Resident {
    var name: String
    var home: Int
    var work: Int
    /// Seconds between points of their device.
    var period: Int
    /// How fast they are, as a multiple of everybody's.
    var vigour: Double
    /// Hubs that they like to go to, the dearest first.
    var favourites: [Int]
    /// Whether they go to work by car, or by bicycle.
    var commutesByCar: Bool
    private let holidayStart: Int
    private let holidaySeed: UInt64

    private static let names = [
        "ada", "bo", "chen", "dara", "emil", "fatma", "goran", "hana", "ines", "jomo", "kira", "liv", "mato", "nia",
        "oskar", "pia",
    ]

    init(number: Int, streets: Streets, random: inout SampleRandom) {
        let round = number / Self.names.count
        name = Self.names[number % Self.names.count] + (round == 0 ? "" : "\(round + 1)")
        // From a hub one reaches the avenues, and home is some turns away from it.
        home = streets.hubs[random.below(streets.hubs.count)]
        for _ in 0..<(10 + random.below(40)) {
            home = Self.neighbour(of: home, streets: streets, random: &random)
        }
        work = Self.farthest(from: home, streets: streets, random: &random)
        period = [1, 1, 1, 2, 2, 3][random.below(6)]
        vigour = random.within(0.85...1.15)
        favourites = (0..<6).map { _ in streets.hubs[random.below(streets.hubs.count)] }
        commutesByCar = random.chance(0.2)
        holidayStart = 155 + random.below(90)
        holidaySeed = random.next()
    }

    /// The farthest of a few hubs: people live where rents are low.
    private static func farthest(from home: Int, streets: Streets, random: inout SampleRandom) -> Int {
        let choices = (0..<6).map { _ in streets.hubs[random.below(streets.hubs.count)] }
        return choices.max { streets.square(home, $0) < streets.square(home, $1) } ?? home
    }

    private static func neighbour(of junction: Int, streets: Streets, random: inout SampleRandom) -> Int {
        let range = streets.firstEdge[junction]..<streets.firstEdge[junction + 1]
        guard !range.isEmpty else { return junction }
        return streets.edges[range.lowerBound + random.below(range.count)].end
    }

    /// Whether they are away on the day of the year, counted from 0: two weeks between June and September.
    func isOnHoliday(dayOfYear: Int) -> Bool {
        (holidayStart..<holidayStart + 14).contains(dayOfYear)
    }

    /// Where they spend the holidays of a year: metres from the centre, 60–700 km away.
    func holidayPlace(year: Int) -> (east: Double, north: Double) {
        var random = SampleRandom(seed: holidaySeed, stream: UInt64(year))
        let metres = random.within(60_000...700_000)
        let turn = random.unit()
        return (metres * wave(turn + 0.25), metres * wave(turn))
    }

    /// One of the favourites; the first come up far more often than the last.
    func favourite(random: inout SampleRandom) -> Int {
        let draw = random.unit()
        return favourites[min(favourites.count - 1, Int(draw * draw * Double(favourites.count)))]
    }
}
