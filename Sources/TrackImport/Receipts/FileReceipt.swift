public import Digest
public import Tracks

/// Why a point was not stored.
public enum Refusal: Hashable, Sendable {
    /// The longitude is out of range or not a number; the text is as in the file.
    case longitude(String)
    /// The latitude is out of range or not a number; the text is as in the file.
    case latitude(String)
    /// A coordinate is missing.
    case noPlace
    /// The checksum of the sentence is wrong.
    case checksum
    /// The row is longer than this many bytes.
    case longRow(limit: Int)
    /// The row has fewer columns than its coordinates need.
    case shortRow(columns: Int)
    /// The entry is not closed, or has invalid or too few values.
    case brokenEntry
}

/// Something found in a file, with its line.
public struct Finding<What: Sendable & Equatable>: Sendable, Equatable {
    /// Counted from 1.
    public var line: Int
    /// What was found.
    public var what: What

    /// Creates a finding on a line.
    public init(line: Int, what: What) {
        self.line = line
        self.what = what
    }
}

/// Number of findings of a kind, and the first of them.
public struct Findings<What: Sendable & Equatable>: Sendable, Equatable {
    /// Number of findings listed: enough to find the cause.
    public static var firstLimit: Int { 5 }

    /// Total number.
    public internal(set) var count = 0
    /// The first few.
    public internal(set) var first: [Finding<What>] = []

    mutating func add(_ what: @autoclosure () -> What, line: @autoclosure () -> Int) {
        count += 1
        if first.count < Self.firstLimit { first.append(Finding(line: line(), what: what())) }
    }
}

/// A problem of a file that did not prevent reading it.
public enum Remark: String, Hashable, Sendable, CaseIterable {
    /// Bytes were changed, or the writer did not compute the checksum.
    case wrongChecksum = "the checksum is wrong; the file was read nevertheless"
    /// No sentence of the receiver contains a date.
    case dateless = "the file contains no date; points are stored without a time, with the time of day in a field"
    /// XML with bytes that are invalid in its declared encoding.
    case invalidUTF8Bytes = "the file contains bytes that are not valid UTF-8; they were read as Windows-1252 (Latin-1)"
    /// XML with `&` instead of `&amp;`.
    case bareAmpersands = "the file contains '&' instead of '&amp;'; it was read as a literal '&'"
    /// A line's list of times has another length than its positions.
    case timeCountMismatch =
        "a line has different numbers of times and positions: positions and times were paired from the start; the positions after the last time have no time"
    /// The file is an activity list, not a recording; its data go to the recordings of other files.
    case activityList = "an activity list: its names and activities were applied to the listed files"
    /// The same, without the names of files.
    case activityTimes = "an activity list: its names and activities were applied to recordings that start at its times"
    /// KML with the points of a track, and a line through them.
    case lineOfPoints =
        "the file has a track with times through the same points as a line; the line was not stored"
    /// A member of the venue of its folder.
    case venuePart = "a part of the venue in its folder"
    /// The recorder was switched off before it finished the file.
    case unfinished = "the recorder did not finish the file; the existing part was read"
}

/// Content of a file that is not a track and is not stored. The texts are keys in the receipt's JSON, and do not
/// change.
public enum SkippedItem: String, Hashable, Sendable, CaseIterable {
    /// Waypoints of the file, if only recordings are read.
    case waypoint
    /// Planned routes, not recordings.
    case route
    /// GeoJSON points without a time that are objects of a map, or parts of one.
    case place
    /// Polygons.
    case area
    /// Parts of a building in a file of tracks.
    case venuePart = "part of a building"
    /// Features without a geometry.
    case emptyFeature = "feature without geometry"
    /// Tracks without a valid point.
    case emptyTrack = "track without points"
    /// Records of a device without a position.
    case recordWithoutPosition = "record without place"
    /// Records of a receiver without a fix.
    case recordWithoutFix = "record without fix"
    /// Positions of a person that are copies of those of a device in the file.
    case copiedPosition = "position copied from a device"
    /// GPS Log's test entries.
    case testEntry = "trial entry"
    /// Links to other files, which are not followed.
    case link = "network link"
}

/// Why a file, or the rest of it, was not read.
public enum ImportFailure: Error, Sendable, Equatable {
    /// The file does not exist.
    case missing
    /// The file could not be opened or read; the text is the system's message.
    case unreadable(String)
    /// The file has no bytes.
    case empty
    /// It is a map of a building (IMDF, indoor GeoJSON), not a recording.
    case venue
    /// It is one, and cannot be read, for the reason in the text.
    case brokenVenue(String)
    /// The format is not supported; the text says what the file seems to be, if known.
    case unrecognised(String?)
    /// Malformed or truncated XML, with the parser's message.
    case xml(String, line: Int, column: Int)
    /// Nested more deeply than the limit.
    case tooDeep(limit: Int, line: Int)
    /// More distinct names than the limit.
    case tooManyNames(limit: Int, line: Int)
    case longName(limit: Int, line: Int)
    /// XML with an internal document type definition, as used by entity expansion attacks.
    case declarations(line: Int)
    /// Not enough memory to read the file.
    case outOfMemory
    /// The text of one element or value is longer than this many bytes.
    case longText(limit: Int, line: Int)
    /// Malformed or truncated JSON.
    case json(String, line: Int)
    /// GeoJSON in another reference system than WGS 84.
    case referenceSystem(String)
    /// One object needs more than this many bytes of memory, not counting its points.
    case longFeature(limit: Int, line: Int)
    /// One object has more than this many points with common properties.
    case tooManyPoints(limit: Int, line: Int)
    /// The file is truncated.
    case truncated
    /// The content is invalid at this byte, counted from 0; the text describes the error.
    case damaged(String, byte: Int)
    /// A damaged SQLite database, with SQLite's message.
    case database(String)
    /// The file is encrypted with a password.
    case encrypted
    /// The archive is invalid or exceeds a limit; the text describes the error.
    case archive(String)
    /// An archive or a member with an unsupported compression or property, which the text names.
    case unsupportedCompression(String)
    /// Archives nested more deeply than this.
    case nested(limit: Int)
    /// The checksum in the archive does not match.
    case checksumMismatch
    /// The compressed stream is damaged.
    case damagedCompression
    /// The compressed stream is truncated.
    case truncatedCompression
    /// The compressed stream expands by more than this factor.
    case decompressionBomb(ratio: Int)
    /// Decompression needs more than this many bytes of memory.
    case decompressionMemory(bytes: Int)
    /// The library refused a recording, with its message.
    case refused(String)
    /// The library failed to store the points, with its message.
    case store(String)
    /// Other files of the import may provide the time zone or the name; the file is read again after them.
    case needsOtherFiles
    /// The import was stopped.
    case stopped
}

/// The result of reading one file.
public struct FileReceipt: Sendable, Equatable {
    /// The path, as given or as found in a folder or archive.
    public var file: String
    /// The detected format; nil if none was recognised.
    public var format: TrackFormat?
    /// What reading it anew has changed; nil if it was not read before.
    public var revision: FileRevision?
    /// Its name in the headers of its recordings: without folders, and for a member of an archive, the archive and the
    /// path in it.
    public internal(set) var source = ""
    /// Its number in the import, in the order in which reading began.
    public internal(set) var number = 0
    /// The digest of its bytes, after decompression; nil if it was not read to its end.
    public internal(set) var digest: ContentDigest?
    /// Whether the file was found in a folder or archive instead of being named.
    public var wasFoundInFolder = false
    /// Bytes read, before decompression.
    public var bytes = 0
    /// The result of storing its recordings.
    public var outcome = RecordingOutcome()
    /// What becomes the outcome when the recordings are durable.
    var collector: OutcomeCollector?
    /// Time range and bounding box of its points, including those already stored.
    public internal(set) var coverage = FileCoverage()
    /// Devices whose streams its points belong to: at most `listedDeviceLimit`.
    public private(set) var devices: Set<String> = []
    /// Whether there are more devices than `devices` lists.
    public private(set) var hasMoreDevices = false
    /// Points that were not stored.
    public var refused = Findings<Refusal>()
    /// Unreadable times as written; their points are stored without time.
    public var unreadTimes = Findings<String>()
    /// Number of points with an implausible time, stored without time and with the timestamp as a field.
    public internal(set) var implausibleTimes = 0
    /// Number of pins found: waypoints, and points that are not tracks. `outcome` says how many of them are new.
    public internal(set) var pins = 0
    /// How the columns were used, if the file is a table.
    public internal(set) var columns: ColumnUsage?
    /// Other content that was not stored.
    public var skipped: [SkippedItem: Int] = [:]
    /// Zones assumed for times without one; empty if all have one.
    public var zones: Set<AssumedZone> = []
    /// Problems that did not prevent reading.
    public var remarks: Set<Remark> = []
    /// The planned routes of the file, which are routes of journeys now.
    public internal(set) var routes: [RouteReceipt] = []
    /// Why its planned routes were skipped; nil if they were not, or if nobody tried.
    public internal(set) var routeProblem: String?
    /// The venues of the file.
    public internal(set) var venues: [VenueReceipt] = []
    /// Receipts of the members of an archive; above `listedMemberLimit` receipts, unrecognised members are only counted.
    public internal(set) var members: [FileReceipt] = []
    /// Number of unrecognised members that are not in `members`.
    public internal(set) var passedOver = 0
    /// Why the file, or the rest of it, was not read; points before that are kept and counted in `outcome`.
    public var failure: ImportFailure?

    /// Creates an empty receipt.
    public init(file: String) {
        self.file = file
    }

    /// The receipts to report: its own, or those of an archive's members.
    ///
    /// The archive's own receipt follows if it failed or counts unlisted members.
    public var reported: [FileReceipt] {
        var reported: [FileReceipt] = []
        forEachReported { reported.append($0) }
        return reported
    }

    /// Calls `body` with each receipt to report.
    func forEachReported(_ body: (FileReceipt) -> Void) {
        guard !members.isEmpty else { return body(self) }
        for member in members { member.forEachReported(body) }
        guard !isWhole || passedOver > 0 || !venues.isEmpty else { return }
        var own = self
        own.members = []
        body(own)
    }

    /// Number of receipts above which unrecognised members are only counted, to bound memory.
    private static let listedMemberLimit = 1000
    /// Number of devices that are listed, to bound memory: a table may name one per row.
    static let listedDeviceLimit = 1000

    /// Adds a device whose stream gets points.
    mutating func add(device: String) {
        guard !devices.contains(device) else { return }
        if devices.count < Self.listedDeviceLimit { devices.insert(device) } else { hasMoreDevices = true }
    }

    /// Adds the receipt of a member.
    mutating func add(member: FileReceipt) {
        if member.isUnrecognisedFile, member.members.isEmpty, members.count >= Self.listedMemberLimit {
            passedOver += 1
        } else {
            members.append(member)
        }
    }

    /// Number of new points, including those of members.
    var points: Int { members.reduce(outcome.points) { $0 + $1.points } }

    /// Whether it, or one of its members, has to be read again after all other files.
    var needsOtherFiles: Bool { failure == .needsOtherFiles || members.contains { $0.needsOtherFiles } }

    /// The files that have to be read again.
    var deferredFiles: Set<String> {
        members.isEmpty
            ? (failure == .needsOtherFiles ? [file] : []) : members.reduce(into: []) { $0.formUnion($1.deferredFiles) }
    }

    /// Takes over the results of recordings, which are durable now.
    mutating func takeOutcome() {
        if let collector { outcome = collector.outcome }
        collector = nil
        for index in members.indices { members[index].takeOutcome() }
    }

    /// Resets the results of recordings if the library failed, because it is unknown which of them are stored.
    mutating func resetUnstored() {
        for index in members.indices {
            if hasStoreFailed { members[index].failure = members[index].failure ?? failure }
            members[index].resetUnstored()
        }
        if hasStoreFailed { outcome = RecordingOutcome() }
    }

    /// Copies receipts from a second reading for the members that the first reading postponed.
    mutating func fill(from later: FileReceipt) {
        let found = Dictionary(
            later.members.enumerated().map { ($1.file, $0) }, uniquingKeysWith: { first, _ in first })
        for index in members.indices where members[index].needsOtherFiles {
            guard let found = found[members[index].file].map({ later.members[$0] }) else { continue }
            if members[index].members.isEmpty { members[index] = found } else { members[index].fill(from: found) }
        }
    }

    /// Whether it was read to the end without finding a point.
    var hasNoPoints: Bool { isWhole && members.isEmpty && coverage.isEmpty && pins == 0 && refused.count == 0 }

    /// Whether the library failed to store what was read.
    package var hasStoreFailed: Bool {
        if case .store? = failure { true } else { false }
    }

    /// Whether the file was read to its end.
    public var isWhole: Bool { failure == nil }

    /// Whether it is an unrecognised file in a folder or archive, which is not a failure.
    public var isUnrecognisedFile: Bool {
        guard wasFoundInFolder, case .unrecognised? = failure else { return false }
        return true
    }
}

/// The result of a whole import.
public struct ImportReceipt: Sendable, Equatable {
    /// Number of files examined.
    public var files = 0
    /// Number of files that failed, or were read only in part.
    public var failed = 0
    /// Number of unrecognised files in folders and archives.
    public var unrecognised = 0
    /// Number of points that were not stored.
    public var refused = 0
    /// Number of routes of journeys, also of those that the library has already.
    public var routes = 0
    /// Number of venues, also of those that the library has already.
    public var venues = 0
    /// The sum of the results of all recordings.
    public var outcome = RecordingOutcome()
    /// Whether the import was stopped.
    public var stopped = false

    /// Creates an empty receipt.
    public init() {}

    /// Adds the receipt of a file.
    public mutating func add(_ receipt: FileReceipt) {
        // The receipt of an archive that was read whole only reports its unlisted members.
        files += receipt.passedOver + (receipt.isWhole && receipt.passedOver > 0 && receipt.venues.isEmpty ? 0 : 1)
        unrecognised += receipt.passedOver
        if receipt.isUnrecognisedFile {
            unrecognised += 1
        } else if !receipt.isWhole {
            failed += 1
        }
        if receipt.failure == .stopped { stopped = true }
        refused += receipt.refused.count
        venues += receipt.venues.count
        routes += receipt.routes.count
        outcome.add(receipt.outcome)
    }
}
