import Decompression
import Text

/// Reads the parts of `places.bin` in order.
struct GazetteerReader {
    private static let signature = Array("TSPLACES\u{1}".utf8)
    /// More than any table of places takes.
    private static let largestSize = 64 << 20
    private static let chunkSize = 1 << 20

    let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Decompresses the table.
    static func unpacked(_ packed: [UInt8]) throws(GazetteerError) -> [UInt8] {
        guard Gzip.recognises(packed) else { throw .otherFormat }
        do {
            guard let decoder = try StreamDecoder(recognising: packed) else { throw GazetteerError.otherFormat }
            var bytes: [UInt8] = []
            var offset = 0
            while true {
                let more = try decoder.decode(packed, from: &offset, limit: chunkSize)
                guard !more.isEmpty else { break }
                bytes += more
                guard bytes.count <= largestSize else { throw GazetteerError.damagedStream }
            }
            try decoder.finish()
            return bytes
        } catch {
            throw error as? GazetteerError ?? .damagedStream
        }
    }

    mutating func readSignature() throws(GazetteerError) {
        guard bytes.starts(with: Self.signature) else { throw .otherFormat }
        position = Self.signature.count
    }

    mutating func expectEnd() throws(GazetteerError) {
        guard position == bytes.count else { throw .damaged(offset: position) }
    }

    mutating func readFolding() throws(GazetteerError) -> [UInt32: [UInt8]] {
        var table: [UInt32: [UInt8]] = [:]
        for _ in 0..<(try number(below: bytes.count)) {
            let scalar = try number(below: 0x11_0000)
            table[UInt32(scalar)] = Array(try text().utf8)
        }
        return table
    }

    mutating func readCountries() throws(GazetteerError) -> [Gazetteer.Country] {
        var countries: [Gazetteer.Country] = []
        for _ in 0..<(try number(below: bytes.count)) {
            countries.append(Gazetteer.Country(code: try text(), name: try text()))
        }
        return countries
    }

    mutating func readRegions(countries: Int) throws(GazetteerError) -> [Gazetteer.Region] {
        var regions: [Gazetteer.Region] = []
        for _ in 0..<(try number(below: Int(UInt16.max) + 1)) {
            regions.append(Gazetteer.Region(country: try number(below: countries), name: try text()))
        }
        return regions
    }

    /// The number of places, of which there has to be one.
    mutating func readCount() throws(GazetteerError) -> Int {
        let count = try number(below: bytes.count)
        guard count > 0 else { throw .damaged(offset: position) }
        return count
    }

    mutating func readCodes(_ count: Int) throws(GazetteerError) -> [UInt64] {
        var codes: [UInt64] = []
        codes.reserveCapacity(count)
        var code: UInt64 = 0
        for _ in 0..<count {
            let (sum, isTooLarge) = code.addingReportingOverflow(try unsigned())
            guard !isTooLarge, GazetteerUnits.isPosition(sum) else { throw .damaged(offset: position) }
            code = sum
            codes.append(code)
        }
        return codes
    }

    mutating func readPopulations(_ count: Int) throws(GazetteerError) -> [UInt8] {
        guard count <= bytes.count - position else { throw .damaged(offset: position) }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func readPlaceRegions(_ count: Int, regions: Int) throws(GazetteerError) -> [UInt16] {
        var listed: [UInt16] = []
        listed.reserveCapacity(count)
        for _ in 0..<count {
            let number = try number(below: regions + 1)
            guard let region = number > 0 ? UInt16(number - 1) : listed.last else {
                throw .damaged(offset: position)
            }
            listed.append(region)
        }
        return listed
    }

    mutating func readNames(_ count: Int) throws(GazetteerError) -> [UInt32] {
        var offsets: [UInt32] = []
        offsets.reserveCapacity(count)
        for _ in 0..<count { offsets.append(try skipText()) }
        return offsets
    }

    mutating func readOtherNames(places: Int) throws(GazetteerError) -> [Gazetteer.OtherNames] {
        var all: [Gazetteer.OtherNames] = []
        var place = 0
        for _ in 0..<(try number(below: bytes.count)) {
            place += try number(below: places - place)
            all.append(Gazetteer.OtherNames(place: place, offsets: try readNames(try number(below: bytes.count))))
        }
        return all
    }

    /// Where the text at an offset begins, and its number of bytes.
    static func extent(of bytes: [UInt8], at offset: Int) -> (start: Int, count: Int) {
        var cursor = VarintCursor(offset: offset, end: bytes.count)
        let count = Int(cursor.next(in: bytes.span))
        return (cursor.offset, count)
    }

    /// Skips a text, and returns where it is.
    private mutating func skipText() throws(GazetteerError) -> UInt32 {
        let start = position
        let count = try number(below: Int(UInt32.max))
        guard count <= bytes.count - position else { throw .damaged(offset: position) }
        position += count
        return UInt32(start)
    }

    private mutating func text() throws(GazetteerError) -> String {
        let count = try number(below: Int(UInt32.max))
        guard count <= bytes.count - position,
            let text = String(validating: bytes[position..<position + count], as: UTF8.self)
        else { throw .damaged(offset: position) }
        position += count
        return text
    }

    private mutating func number(below limit: Int) throws(GazetteerError) -> Int {
        let start = position
        let value = try unsigned()
        guard value < UInt64(clamping: limit) else { throw .damaged(offset: start) }
        return Int(value)
    }

    private mutating func unsigned() throws(GazetteerError) -> UInt64 {
        var next = position
        do {
            let value = try Varint.read(bytes.span, &next, end: bytes.count)
            position = next
            return value
        } catch {
            throw .damaged(offset: position)
        }
    }
}
