import FoundationEssentials

/// What libFuzzer calls with each input that it makes up; the program stops where reading does what it never may.
///
/// Unsafe in that C hands over a pointer and a length; they are copied before anything else.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.read(unsafe Array(UnsafeBufferPointer(start: data, count: count)))
    return 0
}

/// What the made-up bytes are read as, named by `TILESERVE_FUZZ`.
enum FuzzTarget: String {
    /// Files to import.
    case files
    /// What apps send to record.
    case recording
    /// Texts that are typed or sent: conditions, styles, cursors, dates, URLs; and what the store decodes.
    case words
    /// Requests to a server of a small library.
    case requests

    static let chosen =
        ProcessInfo.processInfo.environment["TILESERVE_FUZZ"].flatMap { FuzzTarget(rawValue: $0) } ?? .files

    /// Reads the bytes.
    func read(_ bytes: [UInt8]) {
        switch self {
        case .files: FuzzedReading.readFile(bytes)
        case .recording: FuzzedWords.readRecording(bytes)
        case .words: FuzzedWords.readWords(bytes)
        case .requests: FuzzedServer.answer(bytes)
        }
    }
}
