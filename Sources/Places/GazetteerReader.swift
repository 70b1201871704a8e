import Decompression
import Text

/// A country that has places.
struct GazetteerCountry: Sendable {
    var code: String
    var name: String
}

/// A state, province or canton.
struct GazetteerRegion: Sendable {
    var country: Int
    var name: String
}

/// Other names of a place: texts in the bytes of the table.
struct OtherNames: Sendable {
    var place: Int
    var offsets: [UInt32]
}

/// Reads the parts of `places.bin` in order.
struct GazetteerReader {
    private static let signature = Array("TSPLACES\u{2}".utf8)
    /// More than any table of places takes; bounds what a damaged stream may expand to.
    private static let largestSize = 64 << 20
    private static let chunkSize = 1 << 20

    private var table: TableReader

    init(_ bytes: [UInt8]) { table = TableReader(bytes) }

    var bytes: [UInt8] { table.bytes }

    /// Decompresses the table.
    static func unpacked(_ packed: [UInt8]) throws(TableError) -> [UInt8] {
        guard Gzip.recognises(packed) else { throw .otherFormat }
        do {
            let decoder = try GzipDecoder()
            var bytes: [UInt8] = []
            var offset = 0
            while true {
                let more = try decoder.decode(packed, from: &offset, limit: chunkSize)
                guard !more.isEmpty else { break }
                bytes += more
                guard bytes.count <= largestSize else { throw TableError.damagedStream }
            }
            try decoder.finish()
            return bytes
        } catch {
            throw error as? TableError ?? .damagedStream
        }
    }

    mutating func readSignature() throws(TableError) {
        try table.readSignature(Self.signature)
    }

    mutating func expectEnd() throws(TableError) {
        try table.expectEnd()
    }

    mutating func readFolding() throws(TableError) -> [UInt32: [UInt8]] {
        var folding: [UInt32: [UInt8]] = [:]
        for _ in 0..<(try table.count()) {
            let scalar = try table.number(below: 0x11_0000)
            folding[UInt32(scalar)] = Array(try table.text().utf8)
        }
        return folding
    }

    mutating func readCountries() throws(TableError) -> [GazetteerCountry] {
        var countries: [GazetteerCountry] = []
        for _ in 0..<(try table.count()) {
            countries.append(GazetteerCountry(code: try table.text(), name: try table.text()))
        }
        return countries
    }

    mutating func readRegions(countries: Int) throws(TableError) -> [GazetteerRegion] {
        var regions: [GazetteerRegion] = []
        for _ in 0..<(try table.number(below: Int(UInt16.max) + 1)) {
            regions.append(GazetteerRegion(country: try table.number(below: countries), name: try table.text()))
        }
        return regions
    }

    /// The number of places, of which there has to be one.
    mutating func readCount() throws(TableError) -> Int {
        let count = try table.count()
        guard count > 0 else { throw .damaged(offset: table.position) }
        return count
    }

    mutating func readCodes(_ count: Int) throws(TableError) -> [UInt64] {
        var codes: [UInt64] = []
        codes.reserveCapacity(count)
        var code: UInt64 = 0
        for _ in 0..<count {
            let (sum, isTooLarge) = code.addingReportingOverflow(try table.unsigned())
            guard !isTooLarge, GazetteerUnits.isPosition(sum) else { throw .damaged(offset: table.position) }
            code = sum
            codes.append(code)
        }
        return codes
    }

    mutating func readPopulations(_ count: Int) throws(TableError) -> [UInt8] {
        Array(bytes[try table.skip(count)])
    }

    mutating func readPlaceRegions(_ count: Int, regions: Int) throws(TableError) -> [UInt16] {
        var listed: [UInt16] = []
        listed.reserveCapacity(count)
        for _ in 0..<count {
            let number = try table.number(below: regions + 1)
            // 0 means the region of the place before: in the order of the table, neighbours mostly have the same.
            guard let region = number > 0 ? UInt16(number - 1) : listed.last else {
                throw .damaged(offset: table.position)
            }
            listed.append(region)
        }
        return listed
    }

    mutating func readNames(_ count: Int) throws(TableError) -> [UInt32] {
        var offsets: [UInt32] = []
        offsets.reserveCapacity(count)
        for _ in 0..<count { offsets.append(UInt32(clamping: try table.skipText())) }
        return offsets
    }

    mutating func readOtherNames(places: Int) throws(TableError) -> [OtherNames] {
        var all: [OtherNames] = []
        var place = 0
        for _ in 0..<(try table.count()) {
            place += try table.number(below: places - place)
            all.append(OtherNames(place: place, offsets: try readNames(try table.count())))
        }
        return all
    }

    /// Skips the time zones, and returns where they are.
    mutating func skipZones() throws(TableError) -> Range<Int> {
        try table.skip(try table.count())
    }

    /// Where the text at an offset begins, and its number of bytes.
    static func extent(of bytes: [UInt8], at offset: Int) -> (start: Int, count: Int) {
        var cursor = VarintCursor(offset: offset, end: bytes.count)
        let count = Int(cursor.next(in: bytes.span))
        return (cursor.offset, count)
    }
}
