import Expat
import Tracks
import Zlib

/// The reading of one file: where its recordings go, and its receipt on the way.
final class FileReading {
    let options: ImportOptions
    /// The file's name, without its folder.
    let source: String
    var receipt: FileReceipt

    private let sink: any RecordingSink
    private let isStopped: @Sendable () -> Bool
    private var open: Set<OpenRecording> = []

    init(
        _ receipt: FileReceipt, source: String, into sink: any RecordingSink, options: ImportOptions,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.receipt = receipt
        self.source = source
        self.sink = sink
        self.options = options
        self.isStopped = isStopped
    }

    /// The reading of a member of this archive.
    func member(_ path: String) -> FileReading {
        var receipt = FileReceipt(file: self.receipt.file + "/" + path)
        receipt.wasWalkedTo = true
        return FileReading(receipt, source: source + "/" + path, into: sink, options: options, isStopped: isStopped)
    }

    func begin() throws -> OpenRecording {
        let recording = try storing { try sink.open() }
        open.insert(recording)
        return recording
    }

    func append(_ chunk: PointChunk, to recording: OpenRecording) throws {
        try storing { try sink.append(chunk, to: recording) }
    }

    /// Ends a recording; the options fill in what the file left out of `header`.
    func end(_ recording: OpenRecording, header: RecordingHeader) throws {
        var header = header
        header.person = header.person ?? options.person
        header.device = header.device ?? options.device
        header.activity = header.activity ?? options.activity
        header.gap = options.gap
        let filled = header
        let outcome = try storing { try sink.close(recording, header: filled) }
        open.remove(recording)
        receipt.outcome.add(outcome)
    }

    func abandon(_ recording: OpenRecording) {
        guard open.remove(recording) != nil else { return }
        sink.abandon(recording)
    }

    func abandonAll() {
        for recording in open.sorted(by: { $0.number < $1.number }) { sink.abandon(recording) }
        open = []
    }

    func refuse(_ reason: @autoclosure () -> Refusal, line: @autoclosure () -> Int) {
        receipt.refused.add(reason(), line: line())
    }

    func skip(_ thing: SkippedThing, count: Int = 1) {
        receipt.skipped[thing, default: 0] += count
    }

    /// Reads the next block, unless the whole import has been stopped.
    func next(from source: inout any ByteSource) throws -> [UInt8] {
        if isStopped() { throw ImportFailure.stopped }
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
        case let error as ZlibError: self = error == .truncated ? .truncatedGzip : .damagedGzip
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
        case .store, .refused, .stopped: false
        default: true
        }
    }
}

extension ImportFailure {
    /// Whether other files need not be tried.
    var endsImport: Bool {
        switch self {
        case .store, .stopped: true
        default: false
        }
    }
}

/// Coordinates checked to be a place.
struct Place {
    let longitude: FixedDecimal
    let latitude: FixedDecimal

    /// nil for what is no place on Earth.
    @inline(__always)
    init?(longitude: FixedDecimal, latitude: FixedDecimal) {
        guard Self.isWithin(longitude, degrees: 180), Self.isWithin(latitude, degrees: 90) else { return nil }
        self.longitude = longitude
        self.latitude = latitude
    }

    @inline(__always)
    static func isWithin(_ value: FixedDecimal, degrees: Int64) -> Bool {
        // 180 × 10^16 fits 64 bits; with more places a mantissa of at most 18 digits is below 10.
        value.places > 16
            || value.mantissa.magnitude <= (degrees &* FixedDecimal.integerPower(value.places)).magnitude
    }
}
