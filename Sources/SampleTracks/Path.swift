/// A line that a resident follows, in metres east and north of the city's centre.
struct Path {
    private(set) var easts: [Double] = []
    private(set) var norths: [Double] = []
    /// Metres from the start to each vertex.
    private(set) var distances: [Double] = []
    /// Metres from the start to each traffic light, ascending.
    private(set) var lights: [Double] = []

    var length: Double { distances.last ?? 0 }

    init() {}

    /// The route over these junctions, along curved streets.
    init(junctions: [Int], streets: Streets) {
        guard let first = junctions.first else { return }
        append(east: streets.easts[first], north: streets.norths[first])
        for (start, end) in zip(junctions, junctions.dropFirst()) {
            guard let edge = streets.edge(from: start, to: end) else { continue }
            append(edge, from: start, streets: streets)
            if streets.lights[end] { lights.append(length) }
        }
    }

    mutating func append(east: Double, north: Double) {
        if let lastEast = easts.last, let lastNorth = norths.last {
            let across = east - lastEast
            let along = north - lastNorth
            let step = (across * across + along * along).squareRoot()
            guard step > 0 else { return }
            distances.append(length + step)
        } else {
            distances.append(0)
        }
        easts.append(east)
        norths.append(north)
    }

    private mutating func append(_ edge: Streets.Edge, from start: Int, streets: Streets) {
        let east = streets.easts[start]
        let north = streets.norths[start]
        let across = streets.easts[edge.end] - east
        let along = streets.norths[edge.end] - north
        if edge.curvature != 0 {
            for share in [0.25, 0.5, 0.75] {
                let aside = 4 * edge.curvature * share * (1 - share)
                append(
                    east: east + across * share - along * aside,
                    north: north + along * share + across * aside)
            }
        }
        append(east: east + across, north: north + along)
    }
}
