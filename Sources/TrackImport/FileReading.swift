import Archive
import Database
import Decompression
import Expat
import Files
import Locking
import Pins
import Text
import Tracks

/// Stores a recording of a file; the outcome is collected for the file.
typealias RecordingStore = @Sendable (any EndedRecording, OutcomeCollector) throws -> Void

/// The state of reading one file: its receipt and its open recordings.
final class FileReading {
    let options: ImportOptions
    /// The name of the file without its folder; for a member of an archive, followed by its path there.
    let source: String
    var receipt: FileReceipt
    /// The members to read if an archive is read again; nil for all.
    var wanted: WantedFiles?
    /// Whether what looks like a map of a building is known not to be one.
    var excludesVenues = false

    private let sink: any RecordingSink
    private let store: RecordingStore
    private let collector: OutcomeCollector
    private let isStopped: @Sendable () -> Bool
    private let sharedData: SharedImportData
    private var localTimes: LocalTimes?
    private var open: Set<OpenRecording> = []
    /// What recordings cover that may yet be abandoned alone.
    private var coverage: [OpenRecording: FileCoverage] = [:]
    /// What all others cover.
    private var mixedCoverage = FileCoverage()
    /// Pins that are not passed to the sink yet.
    private var pins: [PinContent] = []
    /// Number of pins that are passed to the sink at once.
    private static let pinBatch = 1000

    init(
        _ receipt: FileReceipt, source: String, into sink: any RecordingSink,
        store: @escaping RecordingStore = { try $0.store($1) }, options: ImportOptions,
        sharedData: SharedImportData = SharedImportData(), isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        collector = OutcomeCollector(file: sharedData.fileNumbers.next())
        self.receipt = receipt
        self.receipt.collector = collector
        self.receipt.number = collector.file
        self.receipt.source = source
        self.source = source
        self.sink = sink
        self.store = store
        self.options = options
        self.sharedData = sharedData
        self.isStopped = isStopped
    }

    /// Creates the reading of a member of this archive.
    func member(_ path: String) -> FileReading {
        var receipt = FileReceipt(file: self.receipt.file + "/" + path)
        receipt.wasFoundInFolder = true
        let reading = FileReading(
            receipt, source: source + "/" + path, into: sink, store: store, options: options, sharedData: sharedData,
            isStopped: isStopped)
        reading.wanted = wanted
        return reading
    }

    /// Whether a member has to be read: all have, unless the archive is read again for some of them.
    func wants(_ member: String) -> Bool {
        wanted?.contains(member) ?? true
    }

    /// Adds an activity list to the import, and records in the receipt that the file is one.
    func add(_ list: ActivityList) {
        sharedData.activities.add(list, in: ActivityList.folder(of: receipt.file))
        receipt.remarks.insert(.activityList)
    }

    /// Reads a list of activities that names no files, and adds it to the import.
    func addGarminActivities(_ source: any ByteSource) throws {
        receipt.remarks.insert(.activityTimes)
        var source = source
        var list = GarminActivities()
        defer { sharedData.activities.add(list, in: GarminActivities.folder(of: receipt.file)) }
        try list.read { try self.next(from: &source) }
    }

    /// Whether a part of the work is done earlier on another thread.
    var hasFreeWorker: Bool { sharedData.readers.leavesFree(of: options.workers) }

    /// Whether planned routes are stored.
    var mayHaveRoutes: Bool { sharedData.readRoutes != nil }

    /// Stores the planned routes of a file that was read.
    func storeRoutes(of bytes: KeptSource.Bytes) throws {
        guard receipt.skipped[.route] != nil, let readRoutes = sharedData.readRoutes else { return }
        guard let all = bytes.all else {
            receipt.routeProblem = "a file with planned routes has at most \(KeptSource.limit >> 20) MiB"
            return
        }
        let name = receipt.file.split(separator: "/").last.map(String.init) ?? receipt.file
        do {
            switch try readRoutes(name, all) {
            case .stored(let routes):
                receipt.routes = routes
                receipt.skipped[.route] = nil
            case .refused(let reason): receipt.routeProblem = reason
            }
        } catch {
            throw ImportFailure.store("\(error)")
        }
    }

    /// Whether the file is a planned route of a service's export.
    var isPlan: Bool { ActivityList.isPlan(receipt.file, sharedData.activities) }

    /// Postpones a member whose activity list may follow later in the archive.
    func deferUntilListed() throws {
        guard sharedData.mayDefer, let folder = ActivityList.place(for: receipt.file) else { return }
        guard !sharedData.activities.hasList(folder) else { return }
        throw ImportFailure.needsOtherFiles
    }

    /// Creates the reader of the file's times; `fallback` is the zone of times without one if the options give none.
    func times(_ fallback: LocalTimes.Default) -> InstantReader {
        let times = LocalTimes(options, fallback, sharedData.offsets)
        localTimes = times
        return InstantReader(times)
    }

    /// Sets the digest of a file of tracks, reading the rest of it.
    func setDigest(of bytes: DigestedSource) {
        if receipt.format != nil { receipt.digest = bytes.digest() }
    }

    /// Copies the zones assumed for times into the receipt.
    func recordZones() {
        receipt.zones = localTimes?.taken ?? []
    }

    /// Postpones a file with times without a zone, if other files may state the offset and nothing of it is stored yet.
    private func deferUntilOffsetKnown() throws {
        guard sharedData.mayDefer, let localTimes, localTimes.needsOtherOffsets, receipt.coverage.isEmpty
        else {
            return
        }
        throw ImportFailure.needsOtherFiles
    }

    func begin() throws -> OpenRecording {
        let recording = try beginMixed()
        coverage[recording] = FileCoverage()
        return recording
    }

    /// Begins one of many recordings that are open at once; they end or are abandoned together.
    func beginMixed() throws -> OpenRecording {
        let recording = try storing { try sink.open() }
        open.insert(recording)
        return recording
    }

    func append(_ chunk: PointColumns, to recording: OpenRecording) throws {
        try deferUntilOffsetKnown()
        // `add` gives nil only for a recording without an entry. A file whose recordings are all mixed needs no
        // look-up.
        if coverage.isEmpty || coverage[recording]?.add(chunk) == nil { mixedCoverage.add(chunk) }
        receipt.implausibleTimes += chunk.implausibleTimes
        try storing { try sink.append(chunk, to: recording) }
    }

    /// Ends a recording; the options fill in what is missing in `header`.
    func end(_ recording: OpenRecording, header: RecordingHeader) throws {
        try deferUntilOffsetKnown()
        var header = header
        header.person = header.person ?? options.person
        header.device = header.device ?? options.device
        header.activity = header.activity ?? options.activity
        header.gap = options.gap
        // After the options: what an activity list says of this file is more specific than an option for all files.
        sharedData.activities.entry(of: receipt.file, start: coverage[recording]?.start)?.describe(&header)
        let filled = header
        let ended = try storing { try sink.end(recording, header: filled) }
        open.remove(recording)
        if let ended { try storing { try store(ended, collector) } }
        receipt.coverage.add(coverage.removeValue(forKey: recording) ?? mixedCoverage)
        if let device = filled.device { receipt.add(device: device) }
    }

    /// Adds a pin; one without a valid place must have been refused before. A sink that stores none skips it.
    func add(_ waypoint: WaypointBuilder, otherwise skipped: SkippedItem = .waypoint) throws {
        guard let pin = waypoint.pin(person: options.person) else { return }
        guard sink is any PinSink else { return skip(skipped) }
        try deferUntilOffsetKnown()
        receipt.pins += 1
        pins.append(pin)
        if pins.count >= Self.pinBatch { try storePins() }
    }

    /// Discards the pins that were not passed to the sink yet.
    func discardPins() {
        pins = []
        receipt.pins = 0
    }

    /// Passes the remaining pins to the sink.
    func storePins() throws {
        guard !pins.isEmpty, let sink = sink as? any PinSink else { return }
        let batch = pins
        pins = []
        try storing { try store(sink.end(batch), collector) }
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
        pins = []
    }

    /// Throws if the import was stopped.
    func checkStopped() throws {
        if isStopped() { throw ImportFailure.stopped }
    }

    func refuse(_ reason: @autoclosure () -> Refusal, line: @autoclosure () -> Int) {
        receipt.refused.add(reason(), line: line())
    }

    /// Checks coordinates; if they are invalid, refuses the point and returns nil.
    func place(_ longitude: FixedDecimal, _ latitude: FixedDecimal, line: Int) -> Place? {
        if let place = Place(longitude: longitude, latitude: latitude) { return place }
        let isLongitudeValid = Place.isWithin(longitude, degrees: 180)
        refuse(isLongitudeValid ? .latitude(latitude.description) : .longitude(longitude.description), line: line)
        return nil
    }

    func skip(_ thing: SkippedItem, count: Int = 1) {
        receipt.skipped[thing, default: 0] += count
    }

    /// Reads the next block; throws if the import was stopped.
    func next(from source: inout any ByteSource) throws -> [UInt8] {
        if isStopped() { throw ImportFailure.stopped }
        try deferUntilOffsetKnown()
        return try source.read()
    }

    private func storing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let refusal as RecordingRejected {
            throw ImportFailure.refused(refusal.description)
        } catch {
            throw ImportFailure.store("\(error)")
        }
    }
}

extension ImportFailure {
    /// Converts an error thrown while a file was read to a failure of the file.
    init(_ error: any Error) {
        switch error {
        case let failure as ImportFailure: self = failure
        case let error as XMLError: self.init(xml: error)
        case let error as JSONError: self.init(json: error)
        case let error as StoreError: self = .database(error.message)
        case let error as FileError: self = .unreadable(error.reason)
        case .damaged as DecompressionError: self = .damagedCompression
        case .truncated as DecompressionError: self = .truncatedCompression
        case .outOfMemory as DecompressionError: self = .outOfMemory
        case let error as ArchiveError: self.init(archive: error)
        default: self = .unreadable("\(error)")
        }
    }

    private init(archive error: ArchiveError) {
        switch error {
        case .invalid(let reason), .limit(let reason): self = .archive(reason)
        case .damagedData: self = .damagedCompression
        case .truncated: self = .truncated
        case .encrypted: self = .encrypted
        case .unsupported(let what): self = .unsupportedCompression(what)
        case .checksum: self = .checksumMismatch
        case .bomb(let ratio): self = .decompressionBomb(ratio: ratio)
        case .memory(let bytes): self = .decompressionMemory(bytes: bytes)
        case .outOfMemory: self = .outOfMemory
        }
    }

    private init(json error: JSONError) {
        switch error {
        case .syntax(let reason, let line): self = .json(reason, line: line)
        case .tooDeep(let limit, let line): self = .tooDeep(limit: limit, line: line)
        case .longText(let limit, let line): self = .longText(limit: limit, line: line)
        case .longValue(let limit, let line): self = .longFeature(limit: limit, line: line)
        }
    }

    private init(xml error: XMLError) {
        switch error {
        case .malformed(let reason, let line, let column): self = .xml(reason, line: line, column: column)
        case .tooDeep(let limit, let line): self = .tooDeep(limit: limit, line: line)
        case .tooManyNames(let limit, let line): self = .tooManyNames(limit: limit, line: line)
        case .longName(let limit, let line): self = .longName(limit: limit, line: line)
        case .declarations(let line): self = .declarations(line: line)
        case .outOfMemory: self = .outOfMemory
        }
    }

    /// Whether points before it may be kept: not if the library failed or refused, or if reading stopped or was
    /// postponed.
    var keepsEarlierPoints: Bool {
        switch self {
        case .store, .refused, .stopped, .needsOtherFiles: false
        default: true
        }
    }
}

/// Data shared by the files of an import.
struct SharedImportData {
    var offsets = ReportedOffsets()
    var activities = ReportedActivities()
    let fileNumbers = FileNumbers()
    let readers = ReaderCount()
    /// Whether a postponed file will be read again.
    var mayDefer = false
    /// Stores the planned routes of a file; nil skips them.
    var readRoutes: (@Sendable (_ name: String, _ bytes: [UInt8]) throws -> RouteResult)?
}

extension ImportFailure {
    /// Calls `read` and then `end`, which ends what is open: also after an error before which points are kept.
    static func keepingEarlierPoints(_ read: () throws -> Void, end: () throws -> Void) throws {
        do {
            try read()
        } catch {
            if ImportFailure(error).keepsEarlierPoints { try end() }
            throw error
        }
        try end()
    }

    /// Whether no other files are to be read.
    package var endsImport: Bool {
        switch self {
        case .store, .stopped: true
        default: false
        }
    }
}

/// Numbers the files of an import, and the members of archives.
final class FileNumbers: Sendable {
    private let last = Locked(0)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

/// The members that are to be read again, and the archives that contain them.
struct WantedFiles {
    private let files: Set<String>
    /// The paths of the archives that contain them.
    private let archives: Set<String>

    init(_ files: Set<String>) {
        var archives: Set<String> = []
        for file in files {
            var path = file[...]
            // If a path is known, its parents are known, too.
            while let slash = path.lastIndex(of: "/"), archives.insert(String(path[..<slash])).inserted {
                path = path[..<slash]
            }
        }
        self.files = files
        self.archives = archives
    }

    /// Whether a file is one of them or contains one.
    func contains(_ path: String) -> Bool { files.contains(path) || archives.contains(path) }
}
