/// A cell of a device, with its times and places.
struct StayVisit {
    let cell: StayCell
    /// The first and the last instant, in milliseconds since 1970.
    let arrive: Int64
    let leave: Int64
    /// The mean of the points, in 1e-7°, and within the square.
    let longitude: Int32
    let latitude: Int32
    let x: Int64
    let y: Int64

    init(_ cell: StayCell) {
        self.cell = cell
        (arrive, leave) = (cell.arrive, cell.leave)
        (x, y) = cell.mean
        (longitude, latitude) = cell.position(x, y)
    }

    /// The mean at an instant.
    func mean(at time: Int64) -> StayInstant { StayInstant(longitude: longitude, latitude: latitude, time: time) }

    /// The mean, at the middle of the time.
    var middle: StayInstant { mean(at: arrive + (leave - arrive) / 2) }
}
