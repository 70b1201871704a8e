import CExpat

/// Describes Windows-1252, which Expat does not know but much software writes.
func describeEncoding(_ name: UnsafePointer<XML_Char>?, _ encoding: UnsafeMutablePointer<XML_Encoding>?)
    -> Int32
{
    guard let name = unsafe name, let encoding = unsafe encoding else { return encodingUnknown }
    let word = unsafe String(cString: name).lowercased()
    guard word == "windows-1252" || word == "cp1252" else { return encodingUnknown }
    unsafe withUnsafeMutableBytes(of: &encoding.pointee.map) { raw in
        let map = unsafe raw.bindMemory(to: Int32.self)
        for byte in 0..<256 { unsafe map[byte] = Int32(byte) }
        for (index, code) in windows1252.enumerated() { unsafe map[0x80 + index] = code }
    }
    unsafe encoding.pointee.data = nil
    unsafe encoding.pointee.convert = nil
    unsafe encoding.pointee.release = nil
    return encodingKnown
}

private let encodingUnknown: Int32 = 0
private let encodingKnown: Int32 = 1

/// The code points of the bytes 0x80–0x9F (Unicode's table CP1252.TXT); −1 for undefined bytes.
let windows1252: [Int32] = [
    0x20AC, -1, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, -1, 0x017D, -1,
    -1, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, -1, 0x017E,
    0x0178,
]
