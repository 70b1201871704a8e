import FoundationEssentials
import TrackImport

/// What libFuzzer calls with each input that it makes up; the program stops where reading does what it never may.
///
/// Unsafe in that C hands over a pointer and a length; they are copied before anything else.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzedThing.chosen.read(unsafe Array(UnsafeBufferPointer(start: data, count: count)))
    return 0
}

/// What the made-up bytes are read as, named by `TILESERVE_FUZZ`.
enum FuzzedThing: String {
    /// Files to import.
    case files
    /// What apps send to record.
    case recording
    /// Texts that are typed or sent: conditions, styles, cursors, URLs.
    case words

    static let chosen =
        ProcessInfo.processInfo.environment["TILESERVE_FUZZ"].flatMap { FuzzedThing(rawValue: $0) } ?? .files

    /// Reads the bytes.
    func read(_ bytes: [UInt8]) {
        switch self {
        case .files: readFile(bytes)
        case .recording: FuzzedWords.readRecording(bytes)
        case .words: FuzzedWords.readWords(bytes)
        }
    }

    /// Small files are also read in small pieces: where a file is cut is nobody's business.
    private func readFile(_ bytes: [UInt8]) {
        let whole = FuzzedReading(bytes, block: blockSize)
        guard bytes.count <= FuzzedReading.greatestCutFile else { return }
        let block = 1 + bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 61
        let cut = FuzzedReading(bytes, block: block)
        guard cut == whole else {
            preconditionFailure("blocks of \(block) bytes give something else than the whole file: \(cut) / \(whole)")
        }
    }
}
