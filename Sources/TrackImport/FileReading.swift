import Decompression
import Expat
import Files
import SQLite
package import Tracks
import Zlib

/// The reading of one file: where its recordings go, and its receipt on the way.
final class FileReading {
    let options: ImportOptions
    /// The file's name, without its folder.
    let source: String
    var receipt: FileReceipt
    /// The files in it that are wanted, where it is an archive that is read again; nil for all.
    var wanted: WantedFiles?

    private let sink: any RecordingSink
    private let isStopped: @Sendable () -> Bool
    private let news: ImportNews
    private var localTimes: LocalTimes?
    private var open: Set<OpenRecording> = []
    private var coverage: [OpenRecording: FileCoverage] = [:]

    init(
        _ receipt: FileReceipt, source: String, into sink: any RecordingSink, options: ImportOptions,
        news: ImportNews = ImportNews(), isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.receipt = receipt
        self.source = source
        self.sink = sink
        self.options = options
        self.news = news
        self.isStopped = isStopped
    }

    /// The reading of a member of this archive.
    func member(_ path: String) -> FileReading {
        var receipt = FileReceipt(file: self.receipt.file + "/" + path)
        receipt.wasWalkedTo = true
        let reading = FileReading(
            receipt, source: source + "/" + path, into: sink, options: options, news: news, isStopped: isStopped)
        reading.wanted = wanted
        return reading
    }

    /// Whether a file in this archive is to be read: all are, unless it is read again for some of them.
    func wants(_ member: String) -> Bool {
        wanted?.contains(member) ?? true
    }

    /// Tells the import of a list of activities; the receipt says that this is one.
    func tell(_ list: ActivityList) {
        news.activities.tell(list, in: ActivityList.folder(of: receipt.file))
        receipt.remarks.insert(.activityList)
    }

    /// Ends the reading of a file of an archive that a list of activities may tell of which comes behind it.
    func awaitList() throws {
        guard news.mayWait, let folder = ActivityList.place(for: receipt.file) else { return }
        guard !news.activities.know(folder) else { return }
        throw ImportFailure.awaitsOthers
    }

    /// What reads the file's times; `unsaid` says how those without a zone are taken where nobody has said.
    func times(_ unsaid: LocalTimes.Default) -> InstantReader {
        let times = LocalTimes(options, unsaid, news.offsets)
        localTimes = times
        return InstantReader(times)
    }

    /// Notes in the receipt what times without a zone were taken for.
    func tellZones() {
        receipt.zones = localTimes?.taken ?? []
    }

    /// Ends the reading of a file whose times have no zone, as long as other files may yet tell the offset, and nothing of
    /// it is stored.
    private func awaitZone() throws {
        guard news.mayWait, let localTimes, localTimes.isAwaiting, receipt.outcome == RecordingOutcome() else {
            return
        }
        throw ImportFailure.awaitsOthers
    }

    func begin() throws -> OpenRecording {
        let recording = try storing { try sink.open() }
        open.insert(recording)
        return recording
    }

    func append(_ chunk: PointChunk, to recording: OpenRecording) throws {
        try awaitZone()
        coverage[recording, default: FileCoverage()].add(chunk)
        receipt.implausibleTimes += chunk.implausibleTimes
        try storing { try sink.append(chunk, to: recording) }
    }

    /// Ends a recording; the options fill in what the file left out of `header`.
    func end(_ recording: OpenRecording, header: RecordingHeader) throws {
        try awaitZone()
        var header = header
        header.person = header.person ?? options.person
        header.device = header.device ?? options.device
        header.activity = header.activity ?? options.activity
        header.gap = options.gap
        news.activities[receipt.file]?.describe(&header)
        let filled = header
        let outcome = try storing { try sink.close(recording, header: filled) }
        open.remove(recording)
        receipt.outcome.add(outcome)
        if let covered = coverage.removeValue(forKey: recording) { receipt.coverage.add(covered) }
        if let device = filled.device { receipt.devices.insert(device) }
    }

    func abandon(_ recording: OpenRecording) {
        guard open.remove(recording) != nil else { return }
        coverage[recording] = nil
        sink.abandon(recording)
    }

    func abandonAll() {
        for recording in open.sorted(by: { $0.number < $1.number }) { sink.abandon(recording) }
        open = []
        coverage = [:]
    }

    /// Throws where the whole import has been stopped.
    func goOn() throws {
        if isStopped() { throw ImportFailure.stopped }
    }

    func refuse(_ reason: @autoclosure () -> Refusal, line: @autoclosure () -> Int) {
        receipt.refused.add(reason(), line: line())
    }

    /// Coordinates as a place; the point is refused where they are none.
    func place(_ longitude: FixedDecimal, _ latitude: FixedDecimal, line: Int) -> Place? {
        if let place = Place(longitude: longitude, latitude: latitude) { return place }
        let isEast = Place.isWithin(longitude, degrees: 180)
        refuse(isEast ? .latitude(latitude.description) : .longitude(longitude.description), line: line)
        return nil
    }

    func skip(_ thing: SkippedItem, count: Int = 1) {
        receipt.skipped[thing, default: 0] += count
    }

    /// Reads the next block, unless the whole import has been stopped.
    func next(from source: inout any ByteSource) throws -> [UInt8] {
        if isStopped() { throw ImportFailure.stopped }
        try awaitZone()
        return try source.read()
    }

    private func storing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let refusal as RecordingRefusal {
            throw ImportFailure.refused(refusal.description)
        } catch {
            throw ImportFailure.store("\(error)")
        }
    }
}

extension ImportFailure {
    /// What was thrown while a file was read, as a failure of the file.
    init(_ error: any Error) {
        switch error {
        case let failure as ImportFailure: self = failure
        case let error as XMLError: self.init(xml: error)
        case let error as SQLiteError: self = .database(error.message)
        case let error as FileError: self = .unreadable(error.reason)
        case let error as ZlibError: self = error == .truncated ? .truncatedGzip : .damagedGzip
        case .damaged as DecompressionError: self = .damagedGzip
        case .truncated as DecompressionError: self = .truncatedGzip
        case .memoryLimit(let bytes) as DecompressionError: self = .unpackingMemory(bytes: Int(clamping: bytes))
        case .outOfMemory as DecompressionError: self = .outOfMemory
        default: self = .unreadable("\(error)")
        }
    }

    private init(xml error: XMLError) {
        switch error {
        case .malformed(let reason, let line, let column): self = .xml(reason, line: line, column: column)
        case .tooDeep(let limit, let line): self = .tooDeep(limit: limit, line: line)
        case .tooManyNames(let limit, let line): self = .tooManyNames(limit: limit, line: line)
        case .declarations(let line): self = .declarations(line: line)
        case .outOfMemory: self = .outOfMemory
        }
    }

    /// Whether what came before it may be kept: not where the library failed or the import was stopped.
    var keepsWholePoints: Bool {
        switch self {
        case .store, .refused, .stopped, .awaitsOthers: false
        default: true
        }
    }
}

/// What the files of an import tell each other.
struct ImportNews {
    var offsets = ReportedOffsets()
    var activities = ReportedActivities()
    /// Whether a file that awaits what others tell will be read again.
    var mayWait = false
}

extension ImportFailure {
    /// Whether other files need not be tried.
    package var endsImport: Bool {
        switch self {
        case .store, .stopped: true
        default: false
        }
    }
}

/// Coordinates checked to be a place.
package struct Place {
    package let longitude: FixedDecimal
    package let latitude: FixedDecimal

    /// nil for what is no place on Earth.
    @inline(__always)
    package init?(longitude: FixedDecimal, latitude: FixedDecimal) {
        guard Self.isWithin(longitude, degrees: 180), Self.isWithin(latitude, degrees: 90) else { return nil }
        self.longitude = longitude
        self.latitude = latitude
    }

    @inline(__always)
    package static func isWithin(_ value: FixedDecimal, degrees: Int64) -> Bool {
        // 180 × 10^16 fits 64 bits; with more places a mantissa of at most 18 digits is below 10.
        value.places > 16
            || value.mantissa.magnitude <= (degrees &* FixedDecimal.integerPower(value.places)).magnitude
    }
}

/// Files of archives that are to be read again.
struct WantedFiles {
    private let files: Set<String>
    /// What leads to them: their paths without their last parts.
    private let archives: Set<String>

    init(_ files: Set<String>) {
        var archives: Set<String> = []
        for file in files {
            var path = file[...]
            // Where one is known, so are those that it lies in.
            while let slash = path.lastIndex(of: "/"), archives.insert(String(path[..<slash])).inserted {
                path = path[..<slash]
            }
        }
        self.files = files
        self.archives = archives
    }

    /// Whether a file is one of them, or an archive that holds one.
    func contains(_ path: String) -> Bool { files.contains(path) || archives.contains(path) }
}
