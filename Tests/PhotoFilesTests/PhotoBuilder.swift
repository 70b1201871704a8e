import Foundation

/// Writes small photo and video files with metadata, byte by byte.
enum PhotoBuilder {
    /// A field of a TIFF directory.
    enum Field {
        case text(UInt16, String)
        case short(UInt16, UInt16)
        case fractions(UInt16, [(UInt32, UInt32)])
        /// Any type, with the bytes as they are.
        case raw(UInt16, type: UInt16, count: UInt32, [UInt8])

        fileprivate var tag: UInt16 {
            switch self {
            case .text(let tag, _), .short(let tag, _), .fractions(let tag, _), .raw(let tag, _, _, _): tag
            }
        }
    }

    static func number(_ value: Int, _ bytes: Int, big: Bool) -> [UInt8] {
        let little = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return big ? little.reversed() : little
    }

    static func big(_ value: Int, _ bytes: Int = 4) -> [UInt8] { number(value, bytes, big: true) }

    /// A TIFF file with the image directory, and those for the photo and the position if they have fields.
    static func tiff(_ image: [Field], photo: [Field] = [], position: [Field] = [], big: Bool = false) -> [UInt8] {
        var image = image
        let pointers = (photo.isEmpty ? 0 : 1) + (position.isEmpty ? 0 : 1)
        // All values are behind all directories.
        let photoStart = 8 + 6 + 12 * (image.count + pointers)
        let positionStart = photoStart + (photo.isEmpty ? 0 : 6 + 12 * photo.count)
        let dataStart = positionStart + (position.isEmpty ? 0 : 6 + 12 * position.count)
        if !photo.isEmpty { image.append(.raw(0x8769, type: 4, count: 1, number(photoStart, 4, big: big))) }
        if !position.isEmpty { image.append(.raw(0x8825, type: 4, count: 1, number(positionStart, 4, big: big))) }
        var file = Array((big ? "MM" : "II").utf8) + number(42, 2, big: big) + number(8, 4, big: big)
        var data: [UInt8] = []
        for directory in [image, photo, position] where !directory.isEmpty {
            file += number(directory.count, 2, big: big)
            for field in directory {
                let (type, count, bytes) = value(field, big)
                file += number(Int(field.tag), 2, big: big) + number(type, 2, big: big) + number(count, 4, big: big)
                if bytes.count <= 4 {
                    file += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
                } else {
                    file += number(dataStart + data.count, 4, big: big)
                    data += bytes
                }
            }
            file += number(0, 4, big: big)
        }
        return file + data
    }

    private static func value(_ field: Field, _ big: Bool) -> (type: Int, count: Int, bytes: [UInt8]) {
        switch field {
        case .text(_, let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
        case .short(_, let short): (3, 1, number(Int(short), 2, big: big))
        case .fractions(_, let parts):
            (5, parts.count, parts.flatMap { number(Int($0.0), 4, big: big) + number(Int($0.1), 4, big: big) })
        case .raw(_, let type, let count, let bytes): (Int(type), Int(count), bytes)
        }
    }

    /// A JPEG file with segments before its frame; it has no scan.
    static func jpeg(exif: [UInt8]? = nil, xmp: String? = nil, width: Int = 640, height: Int = 480) -> [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        func segment(_ marker: UInt8, _ content: [UInt8]) {
            file += [0xFF, marker] + big(content.count + 2, 2) + content
        }
        if let exif { segment(0xE1, Array("Exif\0\0".utf8) + exif) }
        if let xmp { segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8)) }
        segment(0xC0, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
        return file + [0xFF, 0xDA, 0, 2, 0xFF, 0xD9]
    }

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        // `©` is one byte, 0xA9.
        big(content.count + 8) + type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + content
    }

    static func movieHead(_ seconds: Int) -> [UInt8] {
        box("mvhd", [0, 0, 0, 0] + big(seconds) + big(seconds) + [UInt8](repeating: 0, count: 88))
    }

    static func movie(brand: String, _ content: [UInt8]) -> [UInt8] {
        box("ftyp", Array(brand.utf8) + big(0)) + box("mdat", [UInt8](repeating: 7, count: 100)) + box("moov", content)
    }

    /// Apple's list of names and values; without a version, as in MOV files.
    static func appleMetadata(_ values: [(String, String)]) -> [UInt8] {
        let keys = values.flatMap { box("mdta", Array($0.0.utf8)) }
        let items = values.enumerated().flatMap { index, value in
            let data = box("data", big(1) + big(0) + Array(value.1.utf8))
            return big(data.count + 8) + big(index + 1) + data
        }
        return box(
            "meta",
            box("hdlr", [UInt8](repeating: 0, count: 24)) + box("keys", big(0) + big(values.count) + keys)
                + box("ilst", items))
    }
}
