/// The movement and the device's behaviour on one trip.
struct Travel {
    /// Metres a second on a free road in the city.
    var speed: Double
    /// The speed outside the city, relative to `speed`.
    var countrySpeedFactor: Double = 1
    /// Seconds between points, 1–5.
    var period: Int
    /// The standard deviation of the position error in metres.
    var positionError: Double = 2.5
    /// The probability that a traffic light is red.
    var redLights: Double = 0
    /// Long pauses for each kilometre.
    var pauses: Double = 0
    /// Tunnels, and other losses of the satellite signal, for each kilometre.
    var tunnels: Double = 0
}

/// Records a path: with varying speed, red lights, pauses, tunnels and position errors.
struct TrackRecorder {
    private var random: SampleRandom
    private let projection: LocalProjection
    private let travel: Travel
    private var errorEast = 0.0
    private var errorNorth = 0.0

    init(travel: Travel, projection: LocalProjection, random: SampleRandom) {
        self.travel = travel
        self.projection = projection
        self.random = random
    }

    /// Adds the points of the whole path to a track; `start` is in seconds since 1970.
    mutating func record(_ path: Path, into track: inout SampleTrack, start: Int64) {
        var time = start
        var distance = 0.0
        var speed = travel.speed * 0.5
        var vertex = 1
        var light = 0
        var signalLostUntil = -1.0
        errorEast = random.noise() * travel.positionError
        errorNorth = random.noise() * travel.positionError
        let lastVertex = path.distances.count - 1
        while lastVertex > 0, distance < path.length {
            while vertex < lastVertex, path.distances[vertex] < distance { vertex += 1 }
            let before = path.distances[vertex - 1]
            let share = (distance - before) / (path.distances[vertex] - before)
            let east = path.easts[vertex - 1] + (path.easts[vertex] - path.easts[vertex - 1]) * share
            let north = path.norths[vertex - 1] + (path.norths[vertex] - path.norths[vertex - 1]) * share
            if distance >= signalLostUntil { add(east: east, north: north, time: time, to: &track) }

            if light < path.lights.count, path.lights[light] <= distance {
                light += 1
                if random.chance(travel.redLights) {
                    let points = random.below(45 / travel.period) + 1
                    for _ in 0..<points {
                        time += Int64(travel.period)
                        add(east: east, north: north, time: time, to: &track)
                    }
                    speed *= 0.3
                }
            }
            let outside = east * east + north * north > Streets.radius * Streets.radius
            let wanted = travel.speed * (outside ? travel.countrySpeedFactor : 1)
            speed += (wanted - speed) * 0.2 + random.noise() * 0.08 * wanted
            speed = min(max(speed, 0.3 * wanted), 1.4 * wanted)
            let seconds = travel.period + (random.chance(0.06) ? 1 : 0)
            let step = speed * Double(seconds)
            time += Int64(seconds)
            distance += step

            let kilometres = step / 1_000
            if random.chance(travel.tunnels * kilometres) {
                signalLostUntil = distance + random.within(150...700)
            }
            if random.chance(travel.pauses * kilometres) {
                time += Int64(random.within(120...2_400))
                // Half of the devices start a new segment after a pause.
                if track.count > 0, random.chance(0.5), track.segmentStarts.last != track.count {
                    track.segmentStarts.append(track.count)
                }
                speed *= 0.5
            }
        }
        if track.segmentStarts.last == track.count, track.segmentStarts.count > 1 { track.segmentStarts.removeLast() }
    }

    /// Adds one point with the receiver's error.
    mutating func add(east: Double, north: Double, time: Int64, to track: inout SampleTrack) {
        // Errors are autocorrelated: an error of now still exists ten seconds later.
        errorEast = 0.9 * errorEast + 0.436 * travel.positionError * random.noise()
        errorNorth = 0.9 * errorNorth + 0.436 * travel.positionError * random.noise()
        let place = projection.place(east: east + errorEast, north: north + errorNorth)
        track.longitudes.append(place.longitude)
        track.latitudes.append(place.latitude)
        track.elevations.append(projection.elevation(east: east, north: north) + Int64(errorEast))
        track.times.append(time &* 1_000)
    }
}

/// Converts the city's metres to degrees on a flat Earth: accurate to 0.1 % in the city, and good enough for holidays.
struct LocalProjection {
    private let longitude: Double
    private let latitude: Double
    private let eastScale: Double
    private let northScale: Double

    /// Metres in a degree of latitude on a sphere with a radius of 6,371 km.
    private static let metresPerDegree = 111_195.0
    private static let micro = 1_000_000.0
    private static let halfTurn: Int64 = 180_000_000

    init(longitude: Double, latitude: Double) {
        self.longitude = longitude * Self.micro
        self.latitude = latitude * Self.micro
        northScale = Self.micro / Self.metresPerDegree
        eastScale = northScale / approximateSine(latitude / 360 + 0.25)
    }

    /// Degrees × 10^6.
    func place(east: Double, north: Double) -> (longitude: Int64, latitude: Int64) {
        var longitude = Self.rounded(self.longitude + east * eastScale)
        if longitude > Self.halfTurn { longitude -= 2 * Self.halfTurn }
        if longitude < -Self.halfTurn { longitude += 2 * Self.halfTurn }
        let latitude = Self.rounded(self.latitude + north * northScale)
        return (longitude, min(max(latitude, -Self.halfTurn / 2), Self.halfTurn / 2))
    }

    /// Metres × 10, on rolling hills.
    func elevation(east: Double, north: Double) -> Int64 {
        let hills =
            60 * approximateSine(east / 9_000) + 45 * approximateSine(north / 7_000) + 12
            * approximateSine((east + north) / 1_900)
        return Self.rounded((160 + hills) * 10)
    }

    private static func rounded(_ value: Double) -> Int64 {
        // Adding and subtracting 1.5 × 2^52 rounds without a call of the C library.
        Int64((value + 0x1.8p52) - 0x1.8p52)
    }
}
