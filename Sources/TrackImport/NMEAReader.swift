import Tracks

/// Reads NMEA 0183 as receivers say it and loggers keep it, of any talker, with whatever stands between.
///
/// Sentences of one instant make a point together. RMC and ZDA tell the date; instants before the first of them get theirs
/// from it, and midnight is where the time of day falls by half a day. Sentences whose checksum is wrong are refused, and
/// what a receiver says without a fix is counted.
///
/// file → recording · sentences of one instant → point · GGA, VTG, GSA → fields.
struct NMEAReader {
    /// As many instants wait for a date.
    private static let waitingLimit = 100_000
    private static let dayMs: Int64 = 86_400_000

    private let reading: FileReading
    private var builder = ChunkBuilder()
    private var recording: OpenRecording?
    private var epoch = NMEAEpoch()
    private var waiting: [NMEAEpoch] = []
    /// Whether a sentence had a checksum.
    private var isSummed = false
    /// The newest date with the time of day that it was told for.
    private var dated: (day: Int64, timeOfDay: Int64)?

    init(_ reading: FileReading) {
        self.reading = reading
    }

    /// Whether one of the lines is a sentence that is looked at.
    static func recognises(_ head: [UInt8]) -> Bool {
        guard head.contains(UInt8(ascii: "$")) else { return false }
        return head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains {
            NMEASentence($0)?.isSummedRight ?? false
        }
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var lines = LineSource(source, reading)
        do {
            while let bytes = try lines.next() {
                guard let sentence = NMEASentence(bytes) else { continue }
                isSummed = isSummed || sentence.isSummed
                // Among sentences with a checksum, one without is cut short, and so may its numbers be.
                guard sentence.isSummedRight, sentence.isSummed == isSummed else {
                    reading.refuse(.checksum, line: lines.line)
                    continue
                }
                try take(sentence, line: lines.line)
            }
        } catch {
            if ImportFailure(error).keepsWholePoints { try end() }
            throw error
        }
        try end()
    }

    private mutating func end() throws {
        try endEpoch()
        if !waiting.isEmpty { reading.receipt.remarks.insert(.dateless) }
        try addWaiting()
        guard let recording else { return }
        self.recording = nil
        if let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
        try reading.end(recording, header: RecordingHeader(source: reading.source))
    }

    // MARK: Sentences

    private mutating func take(_ sentence: NMEASentence, line: Int) throws {
        let time = sentence.timeIndex.flatMap { sentence.timeOfDay($0) }
        if sentence.timeIndex != nil, epoch.isOver(with: sentence, time) { try endEpoch() }
        epoch.add(sentence, time)
        if let index = sentence.placeIndex, !epoch.isVoid, !sentence.hasNoPlace(index), sentence.place(index) == nil {
            reading.refuse(.noPlace, line: line)
        }
    }

    private mutating func endEpoch() throws {
        let ended = epoch
        epoch = NMEAEpoch()
        if ended.isVoid { reading.skip(.fixless) }
        guard ended.place != nil, !ended.isVoid else { return }
        if let day = ended.day, let time = ended.timeOfDay {
            if dated == nil { backfill(day: day, before: time) }
            dated = (day, time)
            try addWaiting()
            return try add(ended, day: day)
        }
        guard let time = ended.timeOfDay else { return try add(ended, day: nil) }
        if let last = dated {
            let day = last.timeOfDay - time > Self.dayMs / 2 ? last.day + 1 : last.day
            dated = (day, time)
            return try add(ended, day: day)
        }
        waiting.append(ended)
        if waiting.count > Self.waitingLimit {
            reading.receipt.remarks.insert(.dateless)
            try addWaiting()
        }
    }

    /// Gives the instants before the first date theirs, going back over midnights.
    private mutating func backfill(day: Int64, before time: Int64) {
        var (day, later) = (day, time)
        for index in waiting.indices.reversed() {
            let time = waiting[index].timeOfDay ?? later
            if time - later > Self.dayMs / 2 { day -= 1 }
            waiting[index].day = day
            later = time
        }
    }

    private mutating func addWaiting() throws {
        let ready = waiting
        waiting = []
        for epoch in ready { try add(epoch, day: epoch.day) }
    }

    private mutating func add(_ epoch: NMEAEpoch, day: Int64?) throws {
        guard let place = epoch.place else { return }
        let recording = try recording ?? reading.begin()
        self.recording = recording
        let time = day.flatMap { day in epoch.timeOfDay.map { day * Self.dayMs + $0 } }
        builder.addPoint(longitude: place.longitude, latitude: place.latitude, time: time)
        for (name, value) in epoch.numbers { builder.set(name, to: value) }
        if let fix = epoch.fix { builder.set(FieldName.fix, toText: fix) }
        if time == nil, let text = epoch.timeText { builder.set("time", toText: text) }
        if builder.isFull, let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
    }
}

/// What sentences say of one instant.
private struct NMEAEpoch {
    private(set) var timeOfDay: Int64?
    private(set) var timeText: String?
    var day: Int64?
    private(set) var place: Place?
    private var hasFix = false
    private var hasVoid = false
    private var isWarned = false
    private(set) var fix: String?
    private(set) var numbers: [(name: String, value: FixedDecimal)] = []
    private var heard: Set<String> = []

    /// Whether the receiver had no fix: RMC warned of it, or nobody knew a place.
    var isVoid: Bool { isWarned || (hasVoid && !hasFix) }

    /// Whether a sentence that tells a time belongs to the next instant: it tells another, or comes again.
    func isOver(with sentence: NMEASentence, _ time: Int64?) -> Bool {
        guard !heard.isEmpty else { return false }
        return time != timeOfDay || heard.contains(sentence.name)
    }

    mutating func add(_ sentence: NMEASentence, _ time: Int64?) {
        if let index = sentence.timeIndex {
            heard.insert(sentence.name)
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
            setSpeed(knots: sentence.number(6))
            set(FieldName.course, sentence.number(7))
        case .vtg:
            set(FieldName.course, sentence.number(0))
            setSpeed(knots: sentence.number(4))
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
            // Receivers of several systems say it once for each; the first stands.
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

    /// A knot is 1852 m an hour: three more places than the knots have tell all of them apart.
    private mutating func setSpeed(knots: FixedDecimal?) {
        guard let knots, knots.places <= 9, knots.mantissa.magnitude < 1_000_000_000_000 else { return }
        let metresAnHour = knots.mantissa * 1_852_000
        set(
            FieldName.speed,
            FixedDecimal(mantissa: FixedDecimal.divided(metresAnHour, by: 3600), places: knots.places + 3))
    }
}

extension NMEASentence {
    /// Talker and kind.
    fileprivate var name: String { text(in: 0..<5) }

    /// Which value is the time of day.
    fileprivate var timeIndex: Int? {
        switch kind {
        case .rmc, .gga, .gns, .zda: 0
        case .gll: 4
        case .vtg, .gsa: nil
        }
    }

    /// With which value the place begins.
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
        case .rmc: letter(1) == UInt8(ascii: "V")
        case .gga: letter(5) == nil || letter(5) == UInt8(ascii: "0")
        case .gns: !text(5).contains { $0 != "N" }
        case .gll: letter(5) == UInt8(ascii: "V")
        case .vtg, .gsa, .zda: false
        }
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
