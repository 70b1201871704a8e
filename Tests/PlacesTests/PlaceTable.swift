import Decompression
import Text
import TileMath

/// Writes tables of places, as `PLACES.md` describes them.
struct PlaceTable {
    struct Row {
        var name: String
        var longitude: Double
        var latitude: Double
        /// Ten times the binary logarithm of the population.
        var population: UInt8 = 0
        /// The index in `regions`.
        var region = 0
        var others: [String] = []
        /// The index in `zones`.
        var zone = 0

        var code: UInt64 {
            let x = UInt32(((longitude + 180) * 10_000).rounded())
            return Morton.code(x: x == 3_600_000 ? 0 : x, y: UInt32(((90 - latitude) * 10_000).rounded()))
        }
    }

    var folding: [(UInt32, String)] = [(0xFC, "u"), (0xDC, "u"), (0xDF, "ss"), (0x308, "")]
    var countries = [("CH", "Switzerland"), ("US", "United States")]
    var regions = [(0, ""), (0, "Z\u{FC}rich"), (1, "Texas")]
    var rows: [Row]
    var zones = ["Europe/Zurich", "America/Chicago", "America/Denver"]
    /// Countries and zones of points that are no places: two letters, and the index in `zones`.
    var points: [(country: String, longitude: Double, latitude: Double, zone: Int)] = []

    /// The table before it is compressed.
    var bytes: [UInt8] {
        var bytes = Array("TSPLACES\u{2}".utf8)
        func number(_ value: Int) { Varint.append(UInt64(value), to: &bytes) }
        func text(_ text: String) {
            number(text.utf8.count)
            bytes += text.utf8
        }
        number(folding.count)
        for (scalar, kept) in folding {
            number(Int(scalar))
            text(kept)
        }
        number(countries.count)
        for (code, name) in countries {
            text(code)
            text(name)
        }
        number(regions.count)
        for (country, name) in regions {
            number(country)
            text(name)
        }
        let sorted = rows.sorted { $0.code < $1.code }
        number(sorted.count)
        var before: UInt64 = 0
        for row in sorted {
            Varint.append(row.code - before, to: &bytes)
            before = row.code
        }
        bytes += sorted.map(\.population)
        for row in sorted { number(row.region + 1) }
        for row in sorted { text(row.name) }
        let loud = sorted.indices.filter { !sorted[$0].others.isEmpty }
        number(loud.count)
        var last = 0
        for index in loud {
            number(index - last)
            last = index
            number(sorted[index].others.count)
            sorted[index].others.forEach(text)
        }
        let part = zonesPart(of: sorted)
        number(part.count)
        return bytes + part
    }

    private func zonesPart(of sorted: [Row]) -> [UInt8] {
        var bytes: [UInt8] = []
        func number(_ value: Int) { Varint.append(UInt64(value), to: &bytes) }
        func texts(_ texts: [String]) {
            number(texts.count)
            for text in texts {
                number(text.utf8.count)
                bytes += text.utf8
            }
        }
        texts(zones)
        number(sorted.count)
        for row in sorted {
            number(row.zone)
            number(1)
        }
        let listed = points.map {
            (Row(name: "", longitude: $0.longitude, latitude: $0.latitude).code, $0.country, $0.zone)
        }.sorted { $0.0 < $1.0 }
        texts(listed.map(\.1))
        number(listed.count)
        var before: UInt64 = 0
        for (index, (code, _, zone)) in listed.enumerated() {
            Varint.append(code - before, to: &bytes)
            before = code
            number(index)
            number(zone)
        }
        return bytes
    }

    var packed: [UInt8] {
        get throws { try Gzip.compress(bytes) }
    }
}
