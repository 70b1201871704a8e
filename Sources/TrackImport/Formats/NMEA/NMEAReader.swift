import Text
import Tracks

/// Reads NMEA 0183 from receivers and loggers, of any talker, with other text in between.
///
/// Sentences of one instant form a point. RMC and ZDA contain the date, ZDA also at an instant of its own; instants
/// before the first date are dated from it. Midnight is where the time of day falls by more than half a day. Sentences
/// with a wrong checksum are refused, and sentences without a fix are counted.
///
/// file → recording · sentences of one instant → point · GGA, VTG, GSA → fields.
struct NMEAReader: LineHandler {
    /// Maximum number of points that wait for a date: a month at one per second, some 30 bytes each.
    private static let waitingLimit = 3_000_000
    /// 1990-01-01: receivers that do not know the date yet report one of the 1980s, where GPS time begins.
    private static let minDay: Int64 = 7305
    /// The first day until the date is known; any plausible day would do.
    private static let assumedDay: Int64 = 14_610

    let reading: FileReading
    private var builder = ChunkBuilder()
    private var recording: OpenRecording?
    private var epoch = NMEAEpoch()
    /// Encoded chunks whose times count from `assumedDay`.
    private var waiting: [[UInt8]] = []
    private var waitingPoints = 0
    /// Whether a sentence had a checksum.
    private var hasChecksum = false
    /// The newest day with its time of day; counted from `assumedDay` while the date is unknown.
    private var last: (day: Int64, timeOfDay: Int64)?
    private var dateIsKnown = false

    init(_ reading: FileReading) {
        self.reading = reading
    }

    /// Whether a line is a supported sentence.
    static func recognises(_ head: [UInt8]) -> Bool {
        guard head.contains(UInt8(ascii: "$")) else { return false }
        return head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains {
            NMEASentence($0)?.isChecksumValid ?? false
        }
    }

    mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) throws {
        guard let sentence = NMEASentence(line) else { return }
        hasChecksum = hasChecksum || sentence.hasChecksum
        // If other sentences have a checksum, one without is truncated, and its numbers may be too.
        guard sentence.isChecksumValid, sentence.hasChecksum == hasChecksum else {
            return reading.refuse(.checksum, line: number)
        }
        try take(sentence, line: number)
    }

    mutating func end() throws {
        try endEpoch()
        guard let recording else { return }
        try releaseWaiting(shift: nil)
        self.recording = nil
        if let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
        try reading.end(recording, header: RecordingHeader(source: reading.source))
    }

    // MARK: Sentences

    private mutating func take(_ sentence: NMEASentence, line: Int) throws {
        let time = sentence.timeIndex.flatMap { sentence.timeOfDay($0) }
        if sentence.timeIndex != nil, epoch.isOver(with: sentence, time) { try endEpoch() }
        epoch.add(sentence, time)
        if let index = sentence.placeIndex, !epoch.isVoid, !sentence.hasNoCoordinates(index),
            sentence.place(index) == nil
        {
            reading.refuse(.noPlace, line: line)
        }
    }

    private mutating func endEpoch() throws {
        let ended = epoch
        epoch = NMEAEpoch()
        if ended.isVoid { reading.skip(.recordWithoutFix) }
        guard !ended.isVoid else { return }
        if let day = ended.day, let time = ended.timeOfDay, ended.place != nil || day >= Self.minDay {
            try takeDate(day, time)
        } else if let time = ended.timeOfDay {
            let (day, before) = last ?? (Self.assumedDay, time)
            last = (before - time > CivilDay.milliseconds / 2 ? day + 1 : day, time)
        }
        guard let place = ended.place else { return }
        try add(ended, place, day: ended.timeOfDay == nil ? nil : last?.day)
    }

    /// Handles a date; the first one dates the waiting points, also across midnights.
    private mutating func takeDate(_ day: Int64, _ time: Int64) throws {
        if !dateIsKnown {
            let (assumed, before) = last ?? (day, time)
            let today = before - time > CivilDay.milliseconds / 2 ? assumed + 1 : assumed
            try releaseWaiting(shift: (day - today) * CivilDay.milliseconds)
            dateIsKnown = true
        }
        last = (day, time)
    }

    private mutating func add(_ epoch: NMEAEpoch, _ place: Place, day: Int64?) throws {
        let recording = try recording ?? reading.begin()
        self.recording = recording
        let time = day.flatMap { day in
            epoch.timeOfDay.flatMap { Instant(milliseconds: day * CivilDay.milliseconds + $0) }
        }
        builder.addPoint(longitude: place.longitude, latitude: place.latitude, time: time)
        for (name, value) in epoch.numbers { builder.set(name, to: value) }
        if let fix = epoch.fix { builder.set(FieldName.fix, toText: fix) }
        if !dateIsKnown, let text = epoch.timeText { builder.set(Self.timeField, toText: text) }
        guard builder.isFull, let chunk = builder.takeChunk() else { return }
        guard !dateIsKnown else { return try reading.append(chunk, to: recording) }
        waiting.append(chunk.encoded())
        waitingPoints += chunk.count
        if waitingPoints > Self.waitingLimit { try releaseWaiting(shift: nil) }
    }

    private static let timeField = "time"

    /// Passes on the points that wait for a date with their times shifted; without a shift, their time of day is kept
    /// in a field.
    private mutating func releaseWaiting(shift: Int64?) throws {
        guard !dateIsKnown, let recording else { return }
        if let chunk = builder.takeChunk() { waiting.append(chunk.encoded()) }
        let encoded = waiting
        waiting = []
        waitingPoints = 0
        for bytes in encoded {
            var chunk = try PointColumns(decoding: bytes)
            if let shift {
                chunk.times = chunk.times.map { $0 == PointColumns.untimed ? $0 : $0 + shift }
                chunk.fields.removeAll { $0.name == Self.timeField }
                chunk = chunk.withPlausibleTimes()
            } else {
                if chunk.times.contains(where: { $0 != PointColumns.untimed }) {
                    reading.receipt.remarks.insert(.dateless)
                }
                chunk.times = chunk.times.map { _ in PointColumns.untimed }
            }
            try reading.append(chunk, to: recording)
        }
    }
}

/// The data of the sentences of one instant.
private struct NMEAEpoch {
    private(set) var timeOfDay: Int64?
    private(set) var timeText: String?
    private(set) var day: Int64?
    private(set) var place: Place?
    private var hasFix = false
    private var hasVoid = false
    private var isWarned = false
    private(set) var fix: String?
    private(set) var numbers: [(name: String, value: FixedDecimal)] = []
    private var receivedNames: Set<String> = []

    /// Whether the receiver had no fix: RMC reported a warning, or no sentence had a valid position.
    var isVoid: Bool { isWarned || (hasVoid && !hasFix) }

    /// Whether a sentence with a time begins the next instant: its time differs, or its name repeats.
    func isOver(with sentence: NMEASentence, _ time: Int64?) -> Bool {
        guard !receivedNames.isEmpty else { return false }
        return time != timeOfDay || receivedNames.contains(sentence.name)
    }

    mutating func add(_ sentence: NMEASentence, _ time: Int64?) {
        if let index = sentence.timeIndex {
            receivedNames.insert(sentence.name)
            timeOfDay = timeOfDay ?? time
            if timeText == nil, time != nil { timeText = sentence.text(index) }
            day = sentence.day ?? day
        }
        if let index = sentence.placeIndex {
            if sentence.isVoid {
                hasVoid = true
                isWarned = isWarned || sentence.kind == .rmc
            } else {
                hasFix = true
                place = place ?? sentence.place(index)
            }
        }
        switch sentence.kind {
        case .rmc:
            set(FieldName.speed, sentence.number(6).flatMap(SpeedUnit.knot.metresPerSecond))
            set(FieldName.course, sentence.number(7))
        case .vtg:
            set(FieldName.course, sentence.number(0))
            set(FieldName.speed, sentence.number(4).flatMap(SpeedUnit.knot.metresPerSecond))
        case .gga:
            set("quality", sentence.number(5))
            set(FieldName.satellites, sentence.number(6))
            set(FieldName.hdop, sentence.number(7))
            set(FieldName.elevation, sentence.number(8))
            set("geoidheight", sentence.number(10))
            set("ageofdgpsdata", sentence.number(12))
            switch sentence.letter(5) {
            case UInt8(ascii: "2")?: fix = "dgps"
            case UInt8(ascii: "3")?: fix = "pps"
            default: break
            }
        case .gns:
            set(FieldName.satellites, sentence.number(6))
            set(FieldName.hdop, sentence.number(7))
            set(FieldName.elevation, sentence.number(8))
            set("geoidheight", sentence.number(9))
        case .gsa:
            // Receivers of several systems send one for each; the first counts.
            switch sentence.letter(1) {
            case UInt8(ascii: "2")?: fix = fix ?? "2d"
            case UInt8(ascii: "3")?: fix = fix ?? "3d"
            default: break
            }
            set(FieldName.pdop, sentence.number(14))
            set(FieldName.hdop, sentence.number(15))
            set(FieldName.vdop, sentence.number(16))
        case .gll, .zda: break
        }
    }

    private mutating func set(_ name: String, _ value: FixedDecimal?) {
        guard let value, !numbers.contains(where: { $0.name == name }) else { return }
        numbers.append((name, value))
    }
}

extension NMEASentence {
    /// Talker and kind.
    fileprivate var name: String { text(in: 0..<5) }

    /// The index of the time of day.
    fileprivate var timeIndex: Int? {
        switch kind {
        case .rmc, .gga, .gns, .zda: 0
        case .gll: 4
        case .vtg, .gsa: nil
        }
    }

    /// The index of the first value of the position.
    fileprivate var placeIndex: Int? {
        switch kind {
        case .rmc: 2
        case .gga, .gns: 1
        case .gll: 0
        case .vtg, .gsa, .zda: nil
        }
    }

    fileprivate var isVoid: Bool {
        switch kind {
        // Status and, since NMEA 2.3, mode. Some receivers write the mode N as the status.
        case .rmc: hasNoFix(status: 1, mode: 11)
        case .gga: letter(5) == nil || letter(5) == UInt8(ascii: "0")
        case .gns: !text(5).contains { $0 != "N" }
        case .gll: hasNoFix(status: 5, mode: 6)
        case .vtg, .gsa, .zda: false
        }
    }

    /// Whether status or mode say that there is no fix; NMEA 1.5 has neither in GLL.
    private func hasNoFix(status: Int, mode: Int) -> Bool {
        let none = [UInt8(ascii: "V"), UInt8(ascii: "N")]
        return letter(status).map(none.contains) ?? false || letter(mode) == UInt8(ascii: "N")
    }

    /// The date in days since 1970.
    fileprivate var day: Int64? {
        switch kind {
        case .rmc: date(8)
        case .zda: date(day: 1, month: 2, year: 3)
        default: nil
        }
    }
}
