import Exif

/// Collects the wanted fields of TIFF directories, and writes them as a small EXIF block for libexif.
///
/// Directories and values may be anywhere in a file of any size; the block contains only what is needed. The notes of
/// the camera's maker (0x927C), which have made libraries crash, are never copied; `AppleNotes` reads a field of them.
struct TIFFDirectories {
    /// A directory and its place in the block.
    private struct Entry {
        var tag: UInt16
        var type: UInt16
        var count: UInt32
        var bytes: [UInt8]
    }

    /// More entries of a directory are not read.
    private static let entryLimit = 1000
    /// Longer values are not copied: no wanted field has one.
    private static let valueLimit = 512
    private static let exifPointer: UInt16 = 0x8769
    private static let gpsPointer: UInt16 = 0x8825
    private static let xmpTag: UInt16 = 0x02BC
    static let xmpLimit = 1 << 20
    private static let makerNotes: UInt16 = 0x927C

    private static let wanted: [ExifField.Directory: Set<UInt16>] = [
        // NewSubfileType, ImageWidth, ImageLength, Make, Model, Orientation, DateTime, DateTimeOriginal (TIFF/EP has it
        // here), CameraSerialNumber (DNG).
        .image: [0x00FE, 0x0100, 0x0101, 0x010F, 0x0110, 0x0112, 0x0132, 0x9003, 0xC62F],
        // Times of recording and digitizing, their offsets from UTC (0x901…) and fractions (0x929…), the size in
        // pixels, BodySerialNumber.
        .photo: [
            0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292, 0xA002, 0xA003, 0xA431,
        ],
        // Latitude, longitude, altitude, time (UTC), status, mode, date, and the error in metres.
        .position: [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x09, 0x0A, 0x1D, 0x1F],
    ]

    private var entries: [ExifField.Directory: [Entry]] = [:]
    private var isBigEndian: Bool?
    /// The XMP packet of the first directory.
    private(set) var xmp: [UInt8]?
    /// See `AppleNotes`.
    private(set) var contentIdentifier: String?

    init() {}

    /// Reads the directories of a TIFF file or block: the first one as `directory`, and those that it points to. False
    /// if it does not begin as TIFF.
    mutating func read(_ source: any ByteSource, as directory: ExifField.Directory = .image) throws -> Bool {
        guard let head = try source.exactly(8, at: 0), let isBigEndian = Self.byteOrder(head) else { return false }
        // All parts of a block have one byte order.
        guard self.isBigEndian ?? isBigEndian == isBigEndian else { return true }
        self.isBigEndian = isBigEndian
        let offset = number(head[4..<8])
        try readDirectory(directory, at: Int64(offset), source)
        return true
    }

    /// Whether the bytes are the head of TIFF, and the byte order. Some cameras write other numbers than 42.
    static func byteOrder(_ head: [UInt8]) -> Bool? {
        guard head.count >= 4 else { return nil }
        switch (head[0], head[1], head[2], head[3]) {
        // 0x55 is Panasonic's RW2; "RO", "RS" and "OR" are Olympus' ORF.
        case (0x49, 0x49, 0x2A, 0), (0x49, 0x49, 0x55, 0), (0x49, 0x49, 0x52, 0x4F), (0x49, 0x49, 0x52, 0x53):
            return false
        case (0x4D, 0x4D, 0, 0x2A), (0x4D, 0x4D, 0x4F, 0x52): return true
        default: return nil
        }
    }

    private func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        isBigEndian == true ? WholeNumber.big(bytes) : WholeNumber.little(bytes)
    }

    private mutating func readDirectory(
        _ directory: ExifField.Directory, at offset: Int64, _ source: any ByteSource
    ) throws {
        // Each directory is read once: pointers cannot lead in circles.
        guard entries[directory] == nil, let head = try source.exactly(2, at: offset) else { return }
        let count = min(Int(number(head)), Self.entryLimit)
        let rows = try source.bytes(at: offset + 2, count: 12 * count)
        var found: [Entry] = []
        var pointers: [(ExifField.Directory, Int64)] = []
        for start in stride(from: 0, to: rows.count - 11, by: 12) {
            let row = rows[start..<(start + 12)]
            let tag = UInt16(number(row.prefix(2)))
            let type = UInt16(number(row.dropFirst(2).prefix(2)))
            let values = number(row.dropFirst(4).prefix(4))
            let value = row.suffix(4)
            switch (directory, tag) {
            case (.image, Self.exifPointer): pointers.append((.photo, Int64(number(value))))
            case (.image, Self.gpsPointer), (.photo, Self.gpsPointer):
                pointers.append((.position, Int64(number(value))))
            case (.image, Self.xmpTag) where xmp == nil && values > 4 && values <= Self.xmpLimit:
                xmp = try source.exactly(Int(values), at: Int64(number(value)))
            case (.photo, Self.makerNotes) where contentIdentifier == nil && values > 4:
                let start = Int64(number(value))
                contentIdentifier = try AppleNotes.contentIdentifier(
                    PartialBytes(source, start..<(start + Int64(values))))
            default:
                guard Self.wanted[directory]?.contains(tag) == true, !found.contains(where: { $0.tag == tag }),
                    let bytes = try bytes(type, values, value, source)
                else { continue }
                found.append(Entry(tag: tag, type: type, count: UInt32(values), bytes: bytes))
            }
        }
        entries[directory] = found
        for (directory, offset) in pointers { try readDirectory(directory, at: offset, source) }
    }

    /// The bytes of a value; nil if it has an unknown type, is too long, or is beyond the end.
    private func bytes(
        _ type: UInt16, _ count: UInt64, _ value: ArraySlice<UInt8>, _ source: any ByteSource
    ) throws -> [UInt8]? {
        let sizes: [UInt16: Int] = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8]
        guard let size = sizes[type], count > 0, count <= UInt64(Self.valueLimit / size) else { return nil }
        let total = Int(count) * size
        return total <= 4 ? Array(value.prefix(total)) : try source.exactly(total, at: Int64(number(value)))
    }

    // MARK: The block

    /// The fields as an EXIF block; nil if there are none.
    var block: [UInt8]? {
        guard entries.values.contains(where: { !$0.isEmpty }) else { return nil }
        var image = entries[.image] ?? []
        let photo = entries[.photo] ?? []
        let position = entries[.position] ?? []
        // Offsets count from the TIFF header.
        let imageStart = 8
        let pointers = (photo.isEmpty ? 0 : 1) + (position.isEmpty ? 0 : 1)
        let photoStart = imageStart + Self.length(image.count + pointers)
        let positionStart = photoStart + (photo.isEmpty ? 0 : Self.length(photo.count))
        var dataStart = positionStart + (position.isEmpty ? 0 : Self.length(position.count))
        if !photo.isEmpty { image.append(pointer(Self.exifPointer, photoStart)) }
        if !position.isEmpty { image.append(pointer(Self.gpsPointer, positionStart)) }
        var block = ExifFields.signature + (isBigEndian == true ? [0x4D, 0x4D] : [0x49, 0x49])
        block += encoded(42, bytes: 2) + encoded(imageStart, bytes: 4)
        var data: [UInt8] = []
        for directory in [image, photo, position] where !directory.isEmpty {
            block += encoded(directory.count, bytes: 2)
            for entry in directory.sorted(by: { $0.tag < $1.tag }) {
                block += encoded(Int(entry.tag), bytes: 2) + encoded(Int(entry.type), bytes: 2)
                block += encoded(Int(entry.count), bytes: 4)
                guard entry.bytes.count > 4 else {
                    block += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
                    continue
                }
                block += encoded(dataStart, bytes: 4)
                let padded = entry.bytes + (entry.bytes.count % 2 == 1 ? [0] : [])
                data += padded
                dataStart += padded.count
            }
            block += encoded(0, bytes: 4)
        }
        block += data
        return block.count <= ExifFields.byteLimit ? block : nil
    }

    private static func length(_ entries: Int) -> Int { 2 + 12 * entries + 4 }

    private func pointer(_ tag: UInt16, _ offset: Int) -> Entry {
        Entry(tag: tag, type: 4, count: 1, bytes: encoded(offset, bytes: 4))
    }

    private func encoded(_ number: Int, bytes: Int) -> [UInt8] {
        let little = (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return isBigEndian == true ? little.reversed() : little
    }
}
