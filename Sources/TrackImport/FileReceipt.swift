public import Tracks

/// A format that files are read in.
public enum TrackFormat: String, Sendable, CaseIterable {
    /// GPX 1.0 and 1.1.
    case gpx
    /// GeoJSON, whole or one object a line, and OGC's moving features.
    case geojson
    /// Columns with a header.
    case csv
    /// Garmin's Training Center database.
    case tcx
    /// KML, with Google's tracks.
    case kml
    /// Garmin's FIT: activities and courses.
    case fit
    /// What receivers say: NMEA 0183.
    case nmea
    /// Google's location histories, of the web's export and of phones.
    case google
    /// What OwnTracks' recorder keeps.
    case owntracks
    /// GPS Log's database and its exported sessions.
    case gpslog
    /// Flight recorders': IGC.
    case igc
    /// Polarsteps' trips.
    case polarsteps
}

/// Why a point was not stored.
public enum Refusal: Hashable, Sendable {
    /// The longitude is none on Earth, as written.
    case longitude(String)
    /// The latitude is none on Earth, as written.
    case latitude(String)
    /// There is no coordinate.
    case noPlace
    /// The checksum of the sentence is wrong.
    case checksum
    /// The row is longer than this many bytes.
    case longRow(limit: Int)
    /// The row has fewer columns than its coordinates need.
    case shortRow(columns: Int)
    /// The entry has no end, or too few values.
    case brokenEntry
}

/// A place in a file with what was found there.
public struct Finding<What: Sendable & Equatable>: Sendable, Equatable {
    /// Counted from 1.
    public var line: Int
    /// What was found.
    public var what: What

    /// Something found on a line.
    public init(line: Int, what: What) {
        self.line = line
        self.what = what
    }
}

/// How often something was found, and where first.
public struct Findings<What: Sendable & Equatable>: Sendable, Equatable {
    /// As many places are named as help to find the cause.
    public static var firstLimit: Int { 5 }

    /// In all.
    public internal(set) var count = 0
    /// The first few.
    public internal(set) var first: [Finding<What>] = []

    mutating func add(_ what: @autoclosure () -> What, line: @autoclosure () -> Int) {
        count += 1
        if first.count < Self.firstLimit { first.append(Finding(line: line(), what: what())) }
    }
}

/// What is odd about a file that was read all the same.
public enum Remark: String, Hashable, Sendable, CaseIterable {
    /// Bytes were changed, or whoever wrote it did not count them.
    case wrongChecksum = "its checksum is wrong; it was read all the same"
    /// Receivers tell the date in some sentences only, and none of them came.
    case dateless = "nothing in it tells the date; points are kept with their time of day in a field, and without time"
    /// XML whose letters are in another encoding than it says.
    case foreignLetters = "it has letters that are no UTF-8; they were read as Windows-1252 (Latin-1)"
    /// XML with `&` where there should be `&amp;`.
    case bareAmpersands = "it has “&” where XML wants “&amp;”; it was read as it stands"
    /// Arrays of times that are shorter or longer than their lines.
    case unevenTimes =
        "a line has not as many times as positions; they were paired from its beginning, and positions without one have no time"
    /// It is no recording, and names those of others.
    case activityList = "a list of activities: their names and kinds went to the files it names"
    /// A recorder that was switched off in the midst.
    case unfinished = "it was never finished by its recorder; what is there was read"
}

/// What a file has besides tracks, which is not stored.
public enum SkippedItem: String, Hashable, Sendable, CaseIterable {
    /// Places marked on a map.
    case waypoint
    /// Plans of where to go, not records of where somebody was.
    case route
    /// Points of GeoJSON without a time: places, not a recording.
    case place
    /// Polygons.
    case area
    /// Parts of a building among tracks.
    case venuePart = "part of a building"
    /// Features without a geometry.
    case emptyFeature = "feature without geometry"
    /// Lines with a single point or none.
    case emptyTrack = "track without points"
    /// What a device recorded without knowing where it was.
    case placeless = "record without place"
    /// What a receiver said while it knew no place.
    case fixless = "record without fix"
    /// What GPS Log keeps of trying itself out.
    case trial = "trial entry"
    /// Links to files elsewhere, which are not followed.
    case link = "network link"
}

/// Why a file, or the rest of it, was not read.
public enum ImportFailure: Error, Sendable, Equatable {
    /// There is no such file.
    case missing
    /// It could not be opened or read, in the system's words.
    case unreadable(String)
    /// It holds no bytes.
    case empty
    /// It is a map of a building (IMDF, indoor GeoJSON), not a recording.
    case venue
    /// It is in no format that is read; what it looks like, where that is known.
    case unrecognised(String?)
    /// It is XML and breaks off or is broken, in the parser's words.
    case xml(String, line: Int, column: Int)
    /// Nested deeper than the limit.
    case tooDeep(limit: Int, line: Int)
    /// More different names than the limit.
    case tooManyNames(limit: Int, line: Int)
    /// XML with declarations of its own: where entity bombs come from.
    case declarations(line: Int)
    /// No memory was left to read it.
    case outOfMemory
    /// A text of one element or one value is longer than this many bytes.
    case longText(limit: Int, line: Int)
    /// It is JSON and breaks off or is broken.
    case json(String, line: Int)
    /// GeoJSON in another reference system than WGS 84.
    case referenceSystem(String)
    /// One object needs more bytes of memory than this, beside its points.
    case longFeature(limit: Int, line: Int)
    /// It breaks off in the midst of something.
    case breaksOff
    /// From this byte on (counted from 0) it is not what it should be, in our words.
    case damaged(String, byte: Int)
    /// It is an SQLite database that is damaged, in SQLite's words.
    case database(String)
    /// It is locked with a password.
    case encrypted
    /// A member of an archive is packed in a way that is not read, by its number in ZIP.
    case packing(Int)
    /// An archive in an archive, more levels deep than this.
    case nested(limit: Int)
    /// The checksum that the archive has of it is another one.
    case wrongSum
    /// The packed stream is damaged.
    case damagedGzip
    /// The packed stream breaks off.
    case truncatedGzip
    /// The packed stream grows more than this many times.
    case gzipBomb(ratio: Int)
    /// Unpacking the stream needs more memory than this.
    case unpackingMemory(bytes: Int)
    /// The library does not keep a recording like this, in its words.
    case refused(String)
    /// The library did not take the points, in its words.
    case store(String)
    /// Other files of the import may tell what it lacks (the zone of its times, its name): it is read again behind them.
    case awaitsOthers
    /// The one who imports stopped it.
    case stopped
}

/// What became of one file.
public struct FileReceipt: Sendable, Equatable {
    /// The path as given or walked to.
    public var file: String
    /// What it was read as; nil where it was not recognised.
    public var format: TrackFormat?
    /// Whether it was not named itself, but found in a folder.
    public var wasWalkedTo = false
    /// Bytes read, packed.
    public var bytes = 0
    /// What became of its recordings.
    public var outcome = RecordingOutcome()
    /// When and where its points are, those that were there already too.
    public internal(set) var coverage = FileCoverage()
    /// The devices whose streams its points belong to.
    public internal(set) var devices: Set<String> = []
    /// Points that were not stored.
    public var refused = Findings<Refusal>()
    /// Times that could not be read, as written; their points are kept without time.
    public var unreadTimes = Findings<String>()
    /// Points whose time cannot be when they were recorded: kept without time, the stamp as a field.
    public internal(set) var implausibleTimes = 0
    /// Which columns were taken for what, where it is a table.
    public internal(set) var columns: ColumnsTaken?
    /// What else is in it and was not stored.
    public var skipped: [SkippedItem: Int] = [:]
    /// What its times without a zone were taken for; empty where all have one.
    public var zones: Set<ZoneTaken> = []
    /// What is odd about it.
    public var remarks: Set<Remark> = []
    /// What became of the files in it, where it is an archive; of those of other kinds the first `listedStrangers`.
    public internal(set) var members: [FileReceipt] = []
    /// Files in it of other kinds that are not among `members`.
    public internal(set) var passedOver = 0
    /// Why it, or its rest, was not read; what was whole before that is kept, and counted in `outcome`.
    public var failure: ImportFailure?

    /// A receipt of nothing yet.
    public init(file: String) {
        self.file = file
    }

    /// The receipts to be told: its own, or those of an archive's members and then its own where it failed or counts more.
    public var told: [FileReceipt] {
        var told: [FileReceipt] = []
        eachTold { told.append($0) }
        return told
    }

    /// Calls `body` with each of the receipts to be told.
    func eachTold(_ body: (FileReceipt) -> Void) {
        guard !members.isEmpty else { return body(self) }
        for member in members { member.eachTold(body) }
        guard !isWhole || passedOver > 0 else { return }
        var own = self
        own.members = []
        body(own)
    }

    /// As many files of other kinds are listed of an archive, so that memory does not grow with their number.
    private static let listedStrangers = 1000

    /// Takes the receipt of a file in it.
    mutating func add(member: FileReceipt) {
        if member.isPassedOver, member.members.isEmpty, members.count >= Self.listedStrangers {
            passedOver += 1
        } else {
            members.append(member)
        }
    }

    /// Points newly stored, those of members too.
    var points: Int { members.reduce(outcome.points) { $0 + $1.points } }

    /// Whether it, or something in it, is to be read again when all other files are.
    var awaitsOthers: Bool { failure == .awaitsOthers || members.contains { $0.awaitsOthers } }

    /// The files in it that are to be read again.
    var awaiting: Set<String> {
        members.isEmpty
            ? (failure == .awaitsOthers ? [file] : []) : members.reduce(into: []) { $0.formUnion($1.awaiting) }
    }

    /// Takes back what is said of recordings where the library failed: which of them it has is not known here.
    mutating func forgetUnstored() {
        for index in members.indices {
            if case .store? = failure { members[index].failure = members[index].failure ?? failure }
            members[index].forgetUnstored()
        }
        if case .store? = failure { outcome = RecordingOutcome() }
    }

    /// Takes from a later reading what became of the files that this one left.
    mutating func fill(from later: FileReceipt) {
        let found = Dictionary(
            later.members.enumerated().map { ($1.file, $0) }, uniquingKeysWith: { first, _ in first })
        for index in members.indices where members[index].awaitsOthers {
            guard let found = found[members[index].file].map({ later.members[$0] }) else { continue }
            if members[index].members.isEmpty { members[index] = found } else { members[index].fill(from: found) }
        }
    }

    /// Whether it was read to its end and no point was found in it.
    var holdsNothing: Bool { isWhole && members.isEmpty && outcome == RecordingOutcome() && refused.count == 0 }

    /// Whether the file was read to its end.
    public var isWhole: Bool { failure == nil }

    /// Whether it lies in a folder among tracks and is something else: no failure.
    public var isPassedOver: Bool {
        guard wasWalkedTo, case .unrecognised? = failure else { return false }
        return true
    }
}

/// What became of all files.
public struct ImportReceipt: Sendable, Equatable {
    /// Files looked at.
    public var files = 0
    /// Files that failed, or of which only a part was read.
    public var failed = 0
    /// Files found in folders that hold something else than tracks.
    public var unrecognised = 0
    /// Points that were not stored.
    public var refused = 0
    /// What became of the recordings.
    public var outcome = RecordingOutcome()
    /// Whether the one who imports stopped it.
    public var stopped = false

    /// Nothing yet.
    public init() {}

    /// Adds a file's.
    public mutating func add(_ receipt: FileReceipt) {
        // An archive that was read whole speaks only for those of its files that are not listed.
        files += receipt.passedOver + (receipt.isWhole && receipt.passedOver > 0 ? 0 : 1)
        unrecognised += receipt.passedOver
        if receipt.isPassedOver {
            unrecognised += 1
        } else if !receipt.isWhole {
            failed += 1
        }
        if receipt.failure == .stopped { stopped = true }
        refused += receipt.refused.count
        outcome.add(receipt.outcome)
    }
}
