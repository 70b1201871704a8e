/// Distributes the cells of a person to devices, and finds the runs of each one.
///
/// Cells do not say which track they are from, so that stays do not depend on tracks. Almost always they are those of one
/// device. There is a second one if points far from each other are at the same time, or alternate between two places.
/// A cell belongs to the nearest device.
struct StayDevices {
    /// A device that records, or did a short time ago.
    private struct Device {
        var runs = StayRunsBuilder()
        var cells = 0
        /// Whether there were others when it began.
        let isFurther: Bool
        /// The mean of its last cell, and the time of its last point.
        var place: StayInstant
        /// Where it was before its last jump, and after it.
        private var jump: (from: StayInstant, to: StayInstant)?
        /// The number of jumps in succession that went back to where the jump before came from.
        private var returns = 0

        init(at place: StayInstant, isFurther: Bool) {
            self.place = place
            self.isFurther = isFurther
        }

        /// A few cells may be errors of the receiver.
        var isCertain: Bool { !isFurther || cells >= StayRule.fewestCells }

        /// Jumps to a place; false if it has been jumping between two places, so that there are two devices.
        mutating func jump(to other: StayInstant) -> Bool {
            let isReturn = jump.map { jump in
                other.time - jump.to.time <= StayRule.breakMilliseconds && jump.from.isNear(other)
                    && jump.to.isNear(place)
            }
            guard isReturn == true else {
                (jump, returns) = ((place, other), 0)
                return true
            }
            guard returns == 0 else {
                (jump, returns) = (nil, 0)
                return false
            }
            (jump, returns) = ((place, other), 1)
            return true
        }
    }

    private var devices: [Device] = []
    private(set) var runs: [StayRun] = []
    /// The cells of the last minute; they wait for the pause after them.
    private var minute: [StayCell] = []
    private var isAfterPause = true

    /// Adds the cells of a minute after the others. Afterwards, `cells` has no meaning: its memory is used again.
    mutating func add(_ cells: inout [StayCell]) {
        guard let next = cells.first?.minute else { return }
        let pause = minute.first.map { next - $0.minute >= StayCells.pauseMinutes } ?? true
        endMinute(isBeforePause: pause)
        isAfterPause = pause
        swap(&minute, &cells)
        guard minute.count > 1 else { return }
        minute.sort { ($0.first, $0.last, $0.row, $0.column) < ($1.first, $1.last, $1.row, $1.column) }
    }

    /// Ends the runs of all devices.
    mutating func finish() {
        endMinute(isBeforePause: true)
        for index in devices.indices { end(index) }
        devices = []
    }

    private mutating func endMinute(isBeforePause: Bool) {
        // At other times, what is known of single points depends on the tracks.
        if isAfterPause, let first = minute.first?.withoutFirst {
            add(StayVisit(first.point), isBeforePause: false)
            minute[0] = first.rest
        }
        var last: StayCell?
        if isBeforePause {
            let latest = minute.indices.max { (minute[$0].last, $0) < (minute[$1].last, $1) }
            if let latest, let end = minute[latest].withoutLast {
                last = end.point
                minute[latest] = end.rest
            }
        }
        let count = minute.count
        for index in 0..<count {
            add(StayVisit(minute[index]), isBeforePause: isBeforePause && last == nil && index == count - 1)
        }
        if let last { add(StayVisit(last), isBeforePause: true) }
        minute.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ visit: StayVisit, isBeforePause: Bool) {
        for index in devices.indices.reversed()
        where visit.arrive - devices[index].place.time > StayRule.pauseMilliseconds {
            end(index)
            devices.remove(at: index)
        }
        let place = StayInstant(longitude: visit.longitude, latitude: visit.latitude, time: visit.arrive)
        let index = device(at: place)
        devices[index].cells += 1
        devices[index].runs.add(visit, isBeforePause: isBeforePause)
        devices[index].place = place.at(max(devices[index].place.time, visit.leave))
    }

    /// The index of the device that is at a place.
    private mutating func device(at place: StayInstant) -> Int {
        // Almost always.
        if devices.count == 1, !devices[0].place.isFar(from: place) { return 0 }
        if let near = nearest(to: place, { !$0.place.isFar(from: place) }) { return near }
        let jumping = nearest(to: place) { $0.isCertain && $0.place.time <= place.time }
        if let jumping, devices[jumping].jump(to: place) { return jumping }
        if devices.count >= StayRule.mostDevices, let any = nearest(to: place, { _ in true }) { return any }
        devices.append(Device(at: place, isFurther: !devices.isEmpty))
        return devices.count - 1
    }

    private func nearest(to place: StayInstant, _ isPossible: (Device) -> Bool) -> Int? {
        guard devices.count > 1 else { return !devices.isEmpty && isPossible(devices[0]) ? 0 : nil }
        var best: (metres: Double, index: Int)?
        for index in devices.indices where isPossible(devices[index]) {
            let metres = devices[index].place.metres(to: place)
            if metres < best?.metres ?? .infinity { best = (metres, index) }
        }
        return best?.index
    }

    private mutating func end(_ index: Int) {
        let found = devices[index].runs.finish()
        if devices[index].isCertain { runs += found }
    }
}
