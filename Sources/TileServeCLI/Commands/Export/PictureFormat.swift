/// The format of a stored picture, by its first bytes.
enum PictureFormat {
    /// The ending of a file name, without the dot; `bin` for other formats.
    static func ending(of bytes: [UInt8]) -> String {
        let signatures: [(offset: Int, bytes: [UInt8], ending: String)] = [
            (0, [0xFF, 0xD8], "jpg"), (0, [0x89, 0x50, 0x4E, 0x47], "png"), (8, Array("WEBP".utf8), "webp"),
            (4, Array("ftypheic".utf8), "heic"), (4, Array("ftypmif1".utf8), "heic"),
            (4, Array("ftypavif".utf8), "avif"),
            (4, Array("ftypqt".utf8), "mov"), (4, Array("ftyp".utf8), "mp4"), (0, Array("GIF8".utf8), "gif"),
            (0, [0x49, 0x49, 0x2A, 0x00], "tif"), (0, [0x4D, 0x4D, 0x00, 0x2A], "tif"),
        ]
        return signatures.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.ending ?? "bin"
    }
}
