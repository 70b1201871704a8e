/// A person with a home, a workplace and habits.
struct Resident {
    var name: String
    var home: Int
    var work: Int
    /// Seconds between the points of the person's device.
    var period: Int
    /// The person's speed relative to the average.
    var relativeSpeed: Double
    /// Hubs that the person visits, the most frequent first.
    var favourites: [Int]
    /// Whether the person commutes by car instead of by bicycle.
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
        // Starting at a hub ensures that the home is connected to the avenues.
        home = streets.hubs[random.below(streets.hubs.count)]
        for _ in 0..<(10 + random.below(40)) {
            home = Self.neighbour(of: home, streets: streets, random: &random)
        }
        work = Self.farthest(from: home, streets: streets, random: &random)
        period = [1, 1, 1, 2, 2, 3][random.below(6)]
        relativeSpeed = random.within(0.85...1.15)
        favourites = (0..<6).map { _ in streets.hubs[random.below(streets.hubs.count)] }
        commutesByCar = random.chance(0.2)
        holidayStart = 155 + random.below(90)
        holidaySeed = random.next()
    }

    /// The farthest of a few hubs, so that commutes are long.
    private static func farthest(from home: Int, streets: Streets, random: inout SampleRandom) -> Int {
        let choices = (0..<6).map { _ in streets.hubs[random.below(streets.hubs.count)] }
        return choices.max { streets.square(home, $0) < streets.square(home, $1) } ?? home
    }

    private static func neighbour(of junction: Int, streets: Streets, random: inout SampleRandom) -> Int {
        let range = streets.firstEdge[junction]..<streets.firstEdge[junction + 1]
        guard !range.isEmpty else { return junction }
        return streets.edges[range.lowerBound + random.below(range.count)].end
    }

    /// Whether the person is on holiday on a day of the year, counted from 0: two weeks between June and September.
    func isOnHoliday(dayOfYear: Int) -> Bool {
        (holidayStart..<holidayStart + 14).contains(dayOfYear)
    }

    /// The place of the holiday in a year: metres from the centre, 60–700 km away.
    func holidayPlace(year: Int) -> (east: Double, north: Double) {
        var random = SampleRandom(seed: holidaySeed, stream: UInt64(year))
        let metres = random.within(60_000...700_000)
        let turn = random.unit()
        return (metres * approximateSine(turn + 0.25), metres * approximateSine(turn))
    }

    /// A random favourite; the first are far more likely than the last.
    func favourite(random: inout SampleRandom) -> Int {
        let draw = random.unit()
        return favourites[min(favourites.count - 1, Int(draw * draw * Double(favourites.count)))]
    }
}
