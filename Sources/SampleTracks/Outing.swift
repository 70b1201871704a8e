/// An activity of a resident on a day.
enum Outing {
    case commute
    case loop
    case longRide
    case run
    case walk
    case drive
    case train
    case flight
    case holiday

    /// A random activity with seasonal weights; `weekday` counts from Monday = 0, `month` from January = 0.
    static func likely(weekday: Int, month: Int, random: inout SampleRandom) -> Outing {
        let summer = (3...9).contains(month)
        let weights: [(Outing, Double)] =
            weekday < 5
            ? [(.commute, 40), (.loop, summer ? 30 : 12), (.run, 12), (.walk, 9), (.drive, 2), (.train, 1)]
            : [
                (.longRide, summer ? 34 : 12), (.loop, 14), (.run, 18), (.walk, 18), (.drive, 5), (.train, 3),
                (.flight, 0.5),
            ]
        var draw = random.unit() * weights.reduce(0) { $0 + $1.1 }
        for (outing, weight) in weights {
            draw -= weight
            if draw < 0 { return outing }
        }
        return .commute
    }
}

/// Generates the tracks of a resident's day.
struct OutingPlanner {
    let streets: Streets
    let projection: LocalProjection
    let seed: UInt64
    private var trees: [Int: RouteTree] = [:]

    init(streets: Streets, projection: LocalProjection, seed: UInt64) {
        self.streets = streets
        self.projection = projection
        self.seed = seed
    }

    /// The tracks in time order, not yet numbered; `midnight` is in the city's local time, in seconds since 1970.
    mutating func tracks(
        of outing: Outing, resident: Resident, midnight: Int64, random: inout SampleRandom
    ) -> [SampleTrack] {
        var day = DayPlan(resident: resident, midnight: midnight, random: random)
        switch outing {
        case .commute:
            let car = resident.commutesByCar
            let there = route([resident.home, resident.work])
            let back = route([resident.work, resident.home])
            day.travel(there, car ? .car : .bicycle, name: "Morning commute", hours: 7...8.5, projection: projection)
            day.travel(back, car ? .car : .bicycle, name: "Evening commute", hours: 16.5...18.5, projection: projection)
        case .loop:
            let first = resident.favourite(random: &day.random)
            let second = resident.favourite(random: &day.random)
            let third = resident.favourite(random: &day.random)
            let loop = route([resident.home, first, second, third, resident.home])
            day.travel(loop, .bicycle, name: "After-work ride", hours: 17...19, projection: projection)
        case .longRide:
            let number = day.random.below(streets.villages.count)
            let next = (number + 1) % streets.villages.count
            let round = route([resident.home, streets.villages[number], streets.villages[next], resident.home])
            day.travel(round, .roadBike, name: "Weekend ride", hours: 8...11, projection: projection)
        case .run:
            let laps = 1 + day.random.below(2)
            let turn = resident.favourite(random: &day.random)
            let loop = route([resident.home] + (0..<laps).flatMap { _ in [turn, resident.home] })
            day.travel(loop, .running, name: "Run", hours: 18...20, projection: projection)
        case .walk:
            // About one walk in fifteen continues past midnight.
            let late = day.random.chance(0.07)
            let loop = route([resident.home, resident.favourite(random: &day.random), resident.home])
            day.travel(
                loop, .walking, name: late ? "Night walk" : "Walk", hours: late ? 23.6...23.9 : 10...17,
                projection: projection)
        case .drive:
            let village = streets.villages[day.random.below(streets.villages.count)]
            day.travel(route([resident.home, village]), .car, name: "Drive out", hours: 9...11, projection: projection)
            day.travel(
                route([village, resident.home]), .car, name: "Drive home", hours: 15...18, projection: projection)
        case .train:
            let journey = Journey.train(streets: streets, random: &day.random)
            day.travel(journey.line, .train, name: "Train to town", hours: 8...9, projection: projection)
            day.travel(
                journey.stroll(&day.random), .walking, name: "Around town", hours: 11...13, projection: projection)
            day.travel(journey.lineBack, .train, name: "Train home", hours: 18...20, projection: projection)
        case .flight:
            let journey = Journey.flight(random: &day.random)
            day.travel(journey.line, .plane, name: "Flight", hours: 8...10, projection: projection)
            day.travel(journey.stroll(&day.random), .walking, name: "Seaside", hours: 13...15, projection: projection)
        case .holiday:
            let tour = Journey.tour(from: resident.holidayPlace(year: day.year), random: &day.random)
            day.travel(tour, .roadBike, name: "Holiday tour", hours: 9...11, projection: projection)
        }
        // The recorder is started and stopped at once: a lone point.
        if day.random.chance(0.004) { day.lonePoint(east: streets.easts[resident.home], projection: projection) }
        return day.tracks
    }

    /// The route over several stops. Route trees are built for all stops except homes, so that few are needed.
    private mutating func route(_ stops: [Int]) -> Path {
        var junctions: [Int] = [stops[0]]
        for (from, to) in zip(stops, stops.dropFirst()) where from != to {
            junctions += tree(to).route(from: from).dropFirst()
        }
        return Path(junctions: junctions, streets: streets)
    }

    private mutating func tree(_ root: Int) -> RouteTree {
        if let tree = trees[root] { return tree }
        let tree = RouteTree(root: root, streets: streets, seed: seed)
        trees[root] = tree
        return tree
    }
}

/// The tracks of a resident's day during generation.
private struct DayPlan {
    let resident: Resident
    let midnight: Int64
    /// A number of the year, used to choose the holiday.
    var year: Int { Int(midnight / (365 * 86_400)) }
    var random: SampleRandom
    var tracks: [SampleTrack] = []
    private var busyUntil: Int64 = 0

    init(resident: Resident, midnight: Int64, random: SampleRandom) {
        self.resident = resident
        self.midnight = midnight
        self.random = random
    }

    mutating func travel(
        _ path: Path, _ mode: TravelMode, name: String, hours: ClosedRange<Double>, projection: LocalProjection
    ) {
        guard path.length > 0 else { return }
        // A resident makes only one trip at a time.
        let start = max(midnight + Int64(random.within(hours) * 3_600), busyUntil + 60)
        var track = SampleTrack(number: 0, name: name, person: resident.name, activity: mode.activity)
        let source = SampleRandom(seed: random.next())
        var recorder = TrackRecorder(travel: mode.travel(resident), projection: projection, random: source)
        recorder.record(path, into: &track, start: start)
        guard track.count > 0 else { return }
        busyUntil = (track.times.last ?? 0) / 1_000
        tracks.append(track)
    }

    mutating func lonePoint(east: Double, projection: LocalProjection) {
        var track = SampleTrack(number: 0, name: "Untitled", person: resident.name, activity: "walk")
        let time = max(midnight + 22 * 3_600, busyUntil + 60)
        let source = SampleRandom(seed: random.next())
        var recorder = TrackRecorder(
            travel: TravelMode.walking.travel(resident), projection: projection, random: source)
        recorder.add(east: east, north: random.within(-2_000...2_000), time: time, to: &track)
        tracks.append(track)
    }
}

/// The modes of travel.
private enum TravelMode {
    case bicycle
    case roadBike
    case running
    case walking
    case car
    case train
    case plane

    var activity: String {
        switch self {
        case .bicycle, .roadBike: "ride"
        case .running: "run"
        case .walking: "walk"
        case .car: "drive"
        case .train: "train"
        case .plane: "flight"
        }
    }

    func travel(_ resident: Resident) -> Travel {
        let period = resident.period
        let relativeSpeed = resident.relativeSpeed
        switch self {
        case .bicycle:
            return Travel(
                speed: 5.2 * relativeSpeed, countrySpeedFactor: 1.2, period: period, redLights: 0.35, tunnels: 0.004)
        case .roadBike:
            return Travel(
                speed: 6.5 * relativeSpeed, countrySpeedFactor: 1.2, period: max(2, period), redLights: 0.3,
                pauses: 0.02,
                tunnels: 0.003)
        case .running:
            return Travel(speed: 2.9 * relativeSpeed, period: max(2, period), redLights: 0.3)
        case .walking:
            return Travel(
                speed: 1.4 * relativeSpeed, period: max(3, period), positionError: 3, redLights: 0.5, pauses: 0.12)
        case .car:
            return Travel(speed: 11, countrySpeedFactor: 1.7, period: 1, redLights: 0.5, tunnels: 0.01)
        case .train:
            return Travel(speed: 38, period: 5, positionError: 5, pauses: 0.03, tunnels: 0.06)
        case .plane:
            return Travel(speed: 215, period: 5, positionError: 5, tunnels: 0.01)
        }
    }
}

/// A trip outside the city: by train to another town, or by plane to the sea.
private struct Journey {
    var line: Path
    var lineBack: Path
    private var easts: [Double]
    private var norths: [Double]

    /// From the station to one of ten towns, 40–150 km away.
    static func train(streets: Streets, random: inout SampleRandom) -> Journey {
        let station = streets.hubs[0]
        let town = Double(random.below(10))
        let metres = 40_000 + 110_000 * (town * 0.618).truncatingRemainder(dividingBy: 1)
        return Journey(
            from: (streets.easts[station], streets.norths[station]),
            to: (metres * approximateSine(town / 10 + 0.25), metres * approximateSine(town / 10)), vertices: 300,
            bend: 0.04)
    }

    /// From an airfield outside the city to one of eight coasts in the south, 300–700 km away.
    static func flight(random: inout SampleRandom) -> Journey {
        let coast = Double(random.below(8))
        let metres = 300_000 + 50_000 * coast
        let turn = 0.55 + 0.4 * (coast * 0.382).truncatingRemainder(dividingBy: 1)
        return Journey(
            from: (9_000, -6_000), to: (metres * approximateSine(turn + 0.25), metres * approximateSine(turn)),
            vertices: 100, bend: 0.03)
    }

    private init(from: (Double, Double), to: (Double, Double), vertices: Int, bend: Double) {
        let across = to.0 - from.0
        let along = to.1 - from.1
        easts = []
        norths = []
        for vertex in 0...vertices {
            let share = Double(vertex) / Double(vertices)
            let aside = bend * approximateSine(share / 2) * approximateSine(share * 2.3)
            easts.append(from.0 + across * share - along * aside)
            norths.append(from.1 + along * share + across * aside)
        }
        line = Path()
        lineBack = Path()
        for (east, north) in zip(easts, norths) { line.append(east: east, north: north) }
        for (east, north) in zip(easts.reversed(), norths.reversed()) { lineBack.append(east: east, north: north) }
    }

    /// A round trip of a day on winding roads far from the city, 40–80 km.
    static func tour(from base: (east: Double, north: Double), random: inout SampleRandom) -> Path {
        let radius = random.within(6_000...12_000)
        let turn = random.unit()
        let lobes = (Double(2 + random.below(3)), Double(5 + random.below(9)))
        let phase = random.unit()
        let vertices = 400
        // The round trip starts at the base: its centre is a radius away.
        func corner(_ share: Double) -> (Double, Double) {
            let wobble = 0.25 * approximateSine(share * lobes.0 + phase) + 0.05 * approximateSine(share * lobes.1)
            let distance = radius * (1 + wobble)
            return (distance * approximateSine(turn + share + 0.25), distance * approximateSine(turn + share))
        }
        let start = corner(0)
        var path = Path()
        for vertex in 0...vertices {
            let place = corner(Double(vertex) / Double(vertices))
            path.append(east: base.east + place.0 - start.0, north: base.north + place.1 - start.1)
        }
        return path
    }

    /// A walk through the streets at the destination, with corners 100 m apart.
    func stroll(_ random: inout SampleRandom) -> Path {
        var path = Path()
        var east = easts[easts.count - 1]
        var north = norths[norths.count - 1]
        path.append(east: east, north: north)
        for _ in 0..<40 {
            let side = [-100.0, 100][random.below(2)]
            if random.chance(0.5) { east += side } else { north += side }
            path.append(east: east, north: north)
        }
        return path
    }
}
