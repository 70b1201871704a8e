import Exif
import Foundation
import PhotoLocating
import Places
import TileMath

/// Reads the metadata of MP4 and MOV videos and of CR3 photos: boxes within boxes (ISO 14496-12).
///
/// Only the heads of boxes and a few small boxes are read, never the film. Their number is bounded, and only boxes that
/// can contain metadata are entered.
struct MovieBoxes {
    /// More boxes are not read.
    private static let boxLimit = 20_000
    /// Larger boxes of metadata are not read.
    private static let contentLimit = 1 << 20
    /// Seconds from 1904, when the time of MP4 begins, to 1970.
    private static let secondsTo1970: Int64 = 2_082_844_800

    private static let canonBox = Array<UInt8>(hexadecimal: "85C0B687820F11E08111F4CE462B6A48")
    private static let previewBox = Array<UInt8>(hexadecimal: "EAF42B5E1C984B88B9FBB7DC406E4D16")
    private static let xmpBox = Array<UInt8>(hexadecimal: "BE7ACFCB97A942E89C71999491E3AFAC")

    private let source: any ByteSource
    private var boxes = 0
    private var brand = ""
    private var movieSeconds: UInt64 = 0
    /// The names of the values of `ilst`, counted from 1.
    private var keys: [String] = []
    private var values: [String: String] = [:]
    private(set) var blocks = MetadataBlocks()
    private var threeGPPPlace: GeoPoint?
    /// Width and height of the first track that has any, and how it is turned.
    private var track: (size: PixelSize, orientation: Int)?
    /// JPEG and PNG pictures: covers, previews of raw photos, and tracks whose first sample is one.
    private(set) var pictures: [EmbeddedPicture] = []
    /// The duration; nil if the head of the movie does not name it.
    private(set) var seconds: Double?
    /// Whether there is the head of a movie.
    private(set) var hasHead = false

    init(_ source: any ByteSource) {
        self.source = source
    }

    private struct Box {
        var type: String
        var typeBytes: [UInt8]
        /// The content, without the head.
        var range: Range<Int64>
    }

    /// Reads the boxes of the whole file.
    mutating func read() throws {
        try forEachBox(in: 0..<source.count, isTop: true) { reader, box in try reader.top(box) }
    }

    // MARK: Walking

    private mutating func forEachBox(
        in range: Range<Int64>, isTop: Bool = false, _ body: (inout MovieBoxes, Box) throws -> Void
    ) throws {
        var offset = range.lowerBound
        while range.upperBound - offset >= 8 {
            boxes += 1
            guard boxes <= Self.boxLimit else {
                throw PhotoError.damaged("there are more than \(Self.boxLimit) boxes")
            }
            guard let head = try source.exactly(8, at: offset) else { throw PhotoError.truncated }
            var size = Int64(WholeNumber.big(head[..<4]))
            var headBytes: Int64 = 8
            if size == 1 {
                guard let large = try source.exactly(8, at: offset + 8) else { throw PhotoError.truncated }
                guard let exact = Int64(exactly: WholeNumber.big(large)) else { throw PhotoError.truncated }
                size = exact
                headBytes = 16
            } else if size == 0 {
                // To the end.
                size = range.upperBound - offset
            }
            guard size >= headBytes else {
                // Old QuickTime files end lists with a zero.
                if !isTop { return }
                throw PhotoError.damaged("a box at byte \(offset) has the size \(size)")
            }
            guard size <= range.upperBound - offset else {
                // What is before a film that was cut off is worth reading.
                if isTop, movieSeconds > 0 || !values.isEmpty { return }
                throw PhotoError.truncated
            }
            let type = Array(head[4...])
            try body(
                &self,
                Box(
                    // QuickTime's own fields begin with © of Mac Roman, which is not UTF-8.
                    type: String(decoding: type.map { $0 == 0xA9 ? UInt8(ascii: "@") : $0 }, as: UTF8.self),
                    typeBytes: type, range: (offset + headBytes)..<(offset + size)))
            offset += size
        }
    }

    /// The bytes of a box; nil if there are more than the limit.
    private func content(_ range: Range<Int64>) throws -> [UInt8]? {
        guard range.count <= Self.contentLimit else { return nil }
        return try source.exactly(range.count, at: range.lowerBound)
    }

    private mutating func top(_ box: Box) throws {
        switch box.type {
        case "ftyp":
            brand = try source.exactly(4, at: box.range.lowerBound).map { String(decoding: $0, as: UTF8.self) } ?? ""
        case "moov": try forEachBox(in: box.range) { reader, box in try reader.inMovie(box) }
        case "uuid": try unique(box)
        default: break
        }
    }

    private mutating func inMovie(_ box: Box) throws {
        switch box.type {
        case "mvhd":
            movieSeconds = try creation(box.range) ?? 0
            hasHead = true
            seconds = try duration(box.range)
        case "trak":
            try forEachBox(in: box.range) { reader, box in
                switch box.type {
                case "tkhd": try reader.trackHead(box.range)
                case "mdia": try reader.readSamples(box.range)
                default: break
                }
            }
        case "udta": try forEachBox(in: box.range) { reader, box in try reader.inUserData(box) }
        case "meta": try metadata(box.range)
        case "uuid": try unique(box)
        default: break
        }
    }

    private mutating func inUserData(_ box: Box) throws {
        switch box.type {
        case "@xyz", "@mak", "@mod", "@day":
            // A length, a language, and the text.
            guard let bytes = try content(box.range), bytes.count > 4 else { return }
            let count = min(Int(WholeNumber.big(bytes[..<2])), bytes.count - 4)
            values[box.type] = String(decoding: bytes[4..<(4 + count)], as: UTF8.self)
        case "loci": threeGPPPlace = try content(box.range).flatMap { Self.threeGPPPlace($0) }
        case "meta": try metadata(box.range)
        default: break
        }
    }

    // MARK: Boxes

    /// The creation time of a movie's head, in seconds since 1904.
    private func creation(_ range: Range<Int64>) throws -> UInt64? {
        guard let head = try source.exactly(12, at: range.lowerBound) else { throw PhotoError.truncated }
        return head[0] == 1 ? WholeNumber.big(head[4..<12]) : WholeNumber.big(head[4..<8])
    }

    /// The duration in a movie's head, in seconds; nil if it is unknown, which is 0 or all bits.
    private func duration(_ range: Range<Int64>) throws -> Double? {
        let bytes = try source.exactly(32, at: range.lowerBound) ?? []
        guard Int64(bytes.count) <= Int64(range.count), let version = bytes.first else { return nil }
        let scale = WholeNumber.big(version == 1 ? bytes[20..<24] : bytes[12..<16])
        let units = WholeNumber.big(version == 1 ? bytes[24..<32] : bytes[16..<20])
        guard scale > 0, units > 0, units != (version == 1 ? UInt64.max : UInt64(UInt32.max)) else { return nil }
        return Double(units) / Double(scale)
    }

    private mutating func trackHead(_ range: Range<Int64>) throws {
        guard track == nil, let bytes = try content(range), let version = bytes.first else { return }
        // Times, number and duration are before the matrix.
        let matrix = version == 1 ? 52 : 40
        guard bytes.count >= matrix + 44 else { return }
        let numbers = (0..<11).map { index in
            Int32(truncatingIfNeeded: WholeNumber.big(bytes[(matrix + 4 * index)..<(matrix + 4 * index + 4)]))
        }
        let size = PixelSize(width: Int(numbers[9]) >> 16, height: Int(numbers[10]) >> 16)
        guard size.width > 0, size.height > 0 else { return }
        // The signs of a, b, c and d of the matrix: turned clockwise by 90° (6 of EXIF), 180° (3) or 270° (8).
        let orientation =
            switch (numbers[0].signum(), numbers[1].signum(), numbers[3].signum(), numbers[4].signum()) {
            case (0, 1, -1, 0): 6
            case (-1, 0, 0, -1): 3
            case (0, -1, 1, 0): 8
            default: 1
            }
        track = (size, orientation)
    }

    /// Apple's list of keys and values. In MOV files the box has no version, which MP4 files have.
    private mutating func metadata(_ range: Range<Int64>) throws {
        let start = try source.exactly(4, at: range.lowerBound + 4)
        let isPlain = start == Array("hdlr".utf8)
        guard range.count >= 4 else { return }
        let inner = (range.lowerBound + (isPlain ? 0 : 4))..<range.upperBound
        keys = []
        try forEachBox(in: inner) { reader, box in
            switch box.type {
            case "keys": try reader.readKeys(box.range)
            case "ilst":
                try reader.forEachBox(in: box.range) { reader, item in try reader.readItem(item) }
            default: break
            }
        }
    }

    private mutating func readKeys(_ range: Range<Int64>) throws {
        guard let bytes = try content(range), bytes.count >= 8 else { return }
        var offset = 8
        while bytes.count - offset >= 8 {
            let size = Int(WholeNumber.big(bytes[offset..<(offset + 4)]))
            guard size >= 8, size <= bytes.count - offset else { return }
            keys.append(String(decoding: bytes[(offset + 8)..<(offset + size)], as: UTF8.self))
            offset += size
        }
    }

    private mutating func readItem(_ item: Box) throws {
        let index = Int(WholeNumber.big(item.typeBytes))
        let name = (1...max(1, keys.count)).contains(index) && !keys.isEmpty ? keys[index - 1] : item.type
        let isCover = name == "covr" || name == "com.apple.quicktime.artwork"
        try forEachBox(in: item.range) { reader, box in
            if isCover {
                if box.type == "data" { try reader.addPicture(box.range, isUpright: true) }
                return
            }
            // A kind and a language are before the text.
            guard box.type == "data", let bytes = try reader.content(box.range), bytes.count > 8, bytes.count < 4096
            else { return }
            reader.values[name] = String(decoding: bytes[8...], as: UTF8.self)
        }
    }

    /// The place of 3GPP TS 26.244: the longitude first.
    private static func threeGPPPlace(_ bytes: [UInt8]) -> GeoPoint? {
        guard bytes.count > 6 else { return nil }
        // Version, language, a name that ends with a zero byte, and the role of the place.
        guard let end = bytes[6...].firstIndex(of: 0), bytes.count >= end + 2 + 8 else { return nil }
        let degrees = { (start: Int) in
            Double(Int32(truncatingIfNeeded: WholeNumber.big(bytes[start..<(start + 4)]))) / 65_536
        }
        return GeoPoint(longitude: degrees(end + 2), latitude: degrees(end + 6))
    }

    /// The metadata of Canon's raw photos, and XMP.
    private mutating func unique(_ box: Box) throws {
        // A box that is too short for its name would be read beyond its end.
        guard box.range.count >= 16, let name = try source.exactly(16, at: box.range.lowerBound) else { return }
        let inner = (box.range.lowerBound + 16)..<box.range.upperBound
        if name == Self.xmpBox {
            blocks.xmp = try content(inner)
        } else if name == Self.previewBox {
            // Eight bytes are before the box.
            guard inner.count > 8 else { return }
            try forEachBox(in: (inner.lowerBound + 8)..<inner.upperBound) { reader, box in
                if box.type == "PRVW" { try reader.addPicture(box.range) }
            }
        } else if name == Self.canonBox {
            try forEachBox(in: inner) { reader, box in
                let part = PartialBytes(reader.source, box.range)
                switch box.type {
                case "THMB": try reader.addPicture(box.range)
                case "CMT1": _ = try reader.blocks.directories.read(part, as: .image)
                case "CMT2": _ = try reader.blocks.directories.read(part, as: .photo)
                // CMT3 has the notes of the maker.
                case "CMT4": _ = try reader.blocks.directories.read(part, as: .position)
                default: break
                }
            }
        }
    }

    // MARK: Pictures

    /// Adds a picture that begins in the first bytes of a range.
    private mutating func addPicture(_ range: Range<Int64>, isUpright: Bool = false) throws {
        guard pictures.count < EmbeddedPictures.candidateLimit,
            let range = try EmbeddedPictures.picture(in: range, of: source)
        else { return }
        pictures.append(EmbeddedPicture(range: range, isUpright: isUpright))
    }

    /// Adds the first sample of a track if it is a picture: the full preview of CR3, covers, Motion JPEG.
    private mutating func readSamples(_ range: Range<Int64>) throws {
        var (offset, count): (UInt64?, UInt64?)
        try forEachBox(in: range) { reader, box in
            guard box.type == "minf" else { return }
            try reader.forEachBox(in: box.range) { reader, box in
                guard box.type == "stbl" else { return }
                try reader.forEachBox(in: box.range) { reader, box in
                    let table = PartialBytes(reader.source, box.range)
                    switch box.type {
                    case "stsz":
                        // The size of all samples, their number, and the size of the first one if they differ.
                        guard let head = try table.exactly(8, at: 0) else { return }
                        let common = WholeNumber.big(head[4...])
                        count = try common > 0 ? common : table.exactly(4, at: 12).map { WholeNumber.big($0) }
                    case "stco", "co64":
                        offset = try table.exactly(box.type == "stco" ? 4 : 8, at: 8).map { WholeNumber.big($0) }
                    default: break
                    }
                }
            }
        }
        guard let offset, let count, count > 0, let start = Int64(exactly: offset), start < source.count,
            Int64(count) <= source.count - start,
            let found = try EmbeddedPictures.picture(in: start..<(start + Int64(count)), of: source),
            found.lowerBound == start
        else { return }
        try addPicture(found)
    }

    // MARK: Result

    /// What the boxes of a video say.
    var metadata: PhotoMetadata {
        var metadata = PhotoMetadata()
        let apple = "com.apple.quicktime."
        metadata.make = values[apple + "make"] ?? values["@mak"] ?? values["com.android.manufacturer"]
        metadata.model = values[apple + "model"] ?? values["@mod"] ?? values["com.android.model"]
        if let text = values[apple + "creationdate"], let time = ClockText.parse(text) {
            let meaning = time.offsetSeconds.map { ClockReading.Meaning.offset(seconds: $0) } ?? .local
            metadata.readings.append(ClockReading(shown: time.shown, meaning: meaning, field: "creationdate"))
        }
        if let shown = movieTime {
            // MP4 demands UTC, which phones obey. Cameras write local time into MOV files.
            let isCamera = brand == "qt  " && values[apple + "creationdate"] == nil
            metadata.readings.append(
                ClockReading(shown: shown, meaning: isCamera ? .utcOrLocal : .utc, field: "mvhd"))
        }
        let place = (values[apple + "location.ISO6709"] ?? values["@xyz"]).flatMap { ISO6709.place($0) }
        if let place = place ?? threeGPPPlace {
            metadata.stamp.place = PositionStamp.place(longitude: place.longitude, latitude: place.latitude)
        }
        if let text = values[apple + "location.accuracy.horizontal"], let accuracy = Double(text), accuracy > 0,
            accuracy < 1e7
        {
            metadata.stamp.accuracyMetres = accuracy
        }
        metadata.contentIdentifier = values[apple + "content.identifier"].flatMap { AppleNotes.normalized($0.utf8) }
        metadata.durationSeconds = seconds
        if let track {
            metadata.size = track.size
            metadata.orientation = track.orientation
        }
        return metadata
    }

    /// Milliseconds since 1970; nil if the time is missing. Some cameras count from 1970 instead of 1904; they are
    /// recognised because no camera wrote MP4 files before 1970.
    private var movieTime: Int64? {
        // The bound keeps the milliseconds within 64 bits.
        guard movieSeconds > 0, let seconds = Int64(exactly: movieSeconds), seconds < 1 << 40 else { return nil }
        return (seconds < Self.secondsTo1970 ? seconds : seconds - Self.secondsTo1970) * 1000
    }
}

extension [UInt8] {
    /// The bytes of hexadecimal digits.
    fileprivate init(hexadecimal text: String) {
        let digits = text.compactMap { $0.hexDigitValue }
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
