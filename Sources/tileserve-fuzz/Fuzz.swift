import TrackImport
import Tracks

/// What libFuzzer calls with each input that it makes up: reads it as a file, twice, and stops the program where reading
/// does what it never may.
///
/// Unsafe in that C hands over a pointer and a length; they are copied before anything else.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    let whole = FuzzedReading(bytes, block: blockSize)
    // Small files are also read in small pieces: where a file is cut is nobody's business.
    let block = 1 + bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 61
    if count <= FuzzedReading.greatestCutFile {
        let cut = FuzzedReading(bytes, block: block)
        guard cut == whole else {
            preconditionFailure("blocks of \(block) bytes give something else than the whole file: \(cut) / \(whole)")
        }
    }
    return 0
}
