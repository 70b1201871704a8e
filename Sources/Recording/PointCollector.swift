import Text
import Tracks

/// Collects a request's points by device; the cost per point is constant.
struct PointCollector {
    private struct DevicePoints {
        let name: String
        var builder = ChunkBuilder()
        var chunks: [PointColumns] = []
        var headings: [HeadingChange] = []
        /// Whether one of the points has a plausible time.
        var hasTime = false
    }

    private struct CountKey: Hashable {
        var device: String
        var kind: RefusalReason
    }

    private var devices: [DevicePoints] = []
    private var numbers: [String: Int] = [:]
    private var batch = RecordingBatch()
    private var seen = 0
    private var names: Set<String> = []
    private var refusals: [CountKey: Int] = [:]
    private var refusedDevices: Set<String> = []
    private var rawBytes = 0

    /// Adds a point, or refuses it with the reason.
    mutating func add(_ point: DecodedPoint, device: String?) {
        seen += 1
        let device = device ?? ""
        guard device.utf8.count <= RecordingLimits.deviceBytes else {
            let reason = "the device's name has more than \(RecordingLimits.deviceBytes) bytes"
            return refusePoint(.device, reason, point.source, device: "")
        }
        guard let longitude = point.longitude, let latitude = point.latitude else {
            if isHeading(point) { return addHeading(point, device) }
            let reason = "no coordinates; expected lon and lat in degrees"
            return refusePoint(.place, reason, point.source, device: device)
        }
        guard let place = Place(longitude: longitude, latitude: latitude) else {
            let isLongitudeValid = Place.isWithin(longitude, degrees: 180)
            return refusePoint(
                isLongitudeValid ? .latitude : .longitude,
                isLongitudeValid
                    ? "latitude \(latitude) is outside -90 to 90" : "longitude \(longitude) is outside -180 to 180",
                point.source,
                device: device)
        }
        guard let time = point.time else {
            let reason = "no valid time; expected RFC 3339, or seconds or milliseconds since 1970"
            return refusePoint(.time, reason, point.source, device: device)
        }
        guard let number = number(of: device) else {
            let reason = "the request names more than \(RecordingLimits.devices) devices"
            return refusePoint(.deviceCount, reason, point.source, device: "")
        }
        devices[number].builder.addPoint(longitude: place.longitude, latitude: place.latitude, time: time)
        devices[number].hasTime = devices[number].hasTime || time.isPlausible
        addFields(of: point, number)
        if devices[number].builder.isFull, let chunk = devices[number].builder.takeChunk() {
            devices[number].chunks.append(chunk)
        }
        batch.points += 1
    }

    /// Refuses one of the request's points.
    mutating func refuse(_ kind: RefusalReason, _ reason: String, _ source: OriginalPoint, device: String? = nil) {
        seen += 1
        refusePoint(kind, reason, source, device: device ?? "")
    }

    /// Counts a message of another type that has coordinates; its sender does not expect it to become a point.
    mutating func countOtherMessage(_ reason: String, _ source: OriginalPoint, device: String?) {
        seen += 1
        batch.otherMessages += 1
        recordRefusal(.message, reason, source, device: device ?? "")
    }

    /// The collected batch.
    mutating func finish() -> RecordingBatch {
        for index in devices.indices.sorted(by: { devices[$0].name < devices[$1].name }) {
            if let chunk = devices[index].builder.takeChunk() { devices[index].chunks.append(chunk) }
            let devicePoints = devices[index]
            batch.devices.append(
                RecordingBatch.Device(
                    name: devicePoints.name.isEmpty ? nil : devicePoints.name, chunks: devicePoints.chunks,
                    headings: devicePoints.headings))
        }
        batch.refusalCounts = refusals.map { key, count in
            RecordingBatch.Count(device: key.device.isEmpty ? nil : key.device, kind: key.kind, count: count)
        }.sorted { ($0.device ?? "", $0.kind.rawValue) < ($1.device ?? "", $1.kind.rawValue) }
        return batch
    }

    /// The index of a device; nil if there are too many devices.
    private mutating func number(of device: String) -> Int? {
        if let number = numbers[device] { return number }
        guard devices.count < RecordingLimits.devices else { return nil }
        numbers[device] = devices.count
        devices.append(DevicePoints(name: device))
        return devices.count - 1
    }

    // MARK: Refusals

    private mutating func refusePoint(_ kind: RefusalReason, _ reason: String, _ source: OriginalPoint, device: String)
    {
        batch.refusedPoints += 1
        recordRefusal(kind, reason, source, device: device)
    }

    private mutating func refuseField(_ kind: RefusalReason, _ reason: String, _ source: OriginalPoint, device: String)
    {
        batch.refusedFields += 1
        recordRefusal(kind, reason, source, device: device)
    }

    private mutating func recordRefusal(
        _ kind: RefusalReason, _ reason: String, _ source: OriginalPoint, device given: String
    ) {
        // Above the limit of names, refusals are counted without a device: what is kept of refusals is bounded per
        // device.
        let isKnown = refusedDevices.contains(given) || refusedDevices.count < RecordingLimits.devices
        let device = isKnown ? given : ""
        refusedDevices.insert(device)
        refusals[CountKey(device: device, kind: kind), default: 0] += 1
        guard batch.refused.count < RecordingBatch.refusalDetailLimit else { return }
        let room = min(RecordingBatch.rawBytes, RecordingBatch.totalRawByteLimit - rawBytes)
        let raw = source.bytes(limit: max(0, room))
        rawBytes += raw.count
        batch.refused.append(
            RecordingBatch.Refusal(
                point: seen, device: device.isEmpty ? nil : device, kind: kind, reason: reason, raw: raw))
    }

    // MARK: Fields

    private mutating func addFields(of point: DecodedPoint, _ number: Int) {
        let lacksElevation = FieldRange.isElevationUnknown(point.fields)
        for (name, value) in point.fields where !(lacksElevation && name == FieldName.elevation) {
            addField(name, value, point.source, number)
        }
    }

    private mutating func addField(
        _ name: String, _ given: DecodedPoint.Value, _ source: OriginalPoint, _ number: Int
    ) {
        let device = devices[number].name
        let value: DecodedPoint.Value
        switch FieldRange.checked(name, given) {
        case .stored(let checked): value = checked
        case .unknown: return
        case .refused(let reason): return refuseField(.value, reason, source, device: device)
        }
        if !names.contains(name) {
            guard name.utf8.count <= RecordingLimits.nameBytes else {
                let reason = "a field's name has more than \(RecordingLimits.nameBytes) bytes"
                return refuseField(.text, reason, source, device: device)
            }
            guard names.count < RecordingLimits.fields else {
                let reason =
                    "the request has more than \(RecordingLimits.fields) different fields; the field \(name) was not stored"
                return refuseField(.fieldCount, reason, source, device: device)
            }
            names.insert(name)
        }
        switch value {
        case .number(let decimal): devices[number].builder.set(name, to: decimal)
        case .text(let text):
            guard text.utf8.count <= RecordingLimits.textBytes else {
                let reason = "the text of \(name) has more than \(RecordingLimits.textBytes) bytes and was not stored"
                return refuseField(.text, reason, source, device: device)
            }
            devices[number].builder.set(name, toText: text)
        }
    }

    // MARK: Changes of heading

    /// Whether it is a heading with a time and without a place, as GPS Log sends it.
    private func isHeading(_ point: DecodedPoint) -> Bool {
        point.longitude == nil && point.latitude == nil && point.time != nil
            && point.fields.contains { $0.name == FieldName.heading }
    }

    private mutating func addHeading(_ point: DecodedPoint, _ device: String) {
        guard let number = numbers[device], devices[number].hasTime else {
            let reason = "a heading without coordinates must follow a point in the same request"
            return refusePoint(.heading, reason, point.source, device: device)
        }
        var degrees: FixedDecimal?
        var id = ""
        for (name, value) in point.fields {
            switch (name, FieldRange.checked(name, value)) {
            case (FieldName.heading, .stored(.number(let decimal))): degrees = decimal
            case (FieldName.pointID, .stored(.text(let text))): id = text
            case (FieldName.pointID, .stored(.number(let decimal))): id = decimal.description
            default: continue
            }
        }
        guard let time = point.time, let degrees,
            let change = HeadingChange(time: time.milliseconds, degrees: degrees, id: id)
        else {
            let reason =
                "a heading without coordinates needs a time from 1980 to 2099, 0 to 360 degrees and an id of at most "
                + "\(HeadingChange.idLimit) bytes without ;"
            return refusePoint(.heading, reason, point.source, device: device)
        }
        devices[number].headings.append(change)
        batch.headings += 1
        for (name, _) in point.fields where name != FieldName.heading && name != FieldName.pointID {
            let reason =
                "a heading without coordinates cannot have the field \(name.prefix(RecordingLimits.nameBytes)); it was not stored"
            refuseField(.headingField, reason, point.source, device: device)
        }
    }
}
