internal import Database
import Text

/// What is needed of a receipt that was stored before files had origins of their own.
struct EarlierReceipt: Decodable {
    var file: String
    var format: String?
    var bytes: Int?
    var points: Int?
    var duplicates: Int?
    var pins: Int?
    var number: Int64 = 0
    var ordinal: Int64 = 0

    private enum CodingKeys: String, CodingKey {
        case file, format, bytes, points, duplicates, pins
    }

    /// Whether it may have contributed something.
    var hasPoints: Bool { (points ?? 0) + (duplicates ?? 0) + (pins ?? 0) > 0 }

    /// The names that its tracks may have: the ends of its path.
    var names: [String] {
        var names = [file]
        var rest = file[...]
        while let slash = rest.firstIndex(of: "/") {
            rest = rest[rest.index(after: slash)...]
            names.append(String(rest))
        }
        return names
    }
}

extension TrackSnapshot {
    /// The receipts of those of some imports that contributed something as a whole.
    func receiptsWithoutOrigins(ofImports numbers: ClosedRange<Int64>) throws -> [[EarlierReceipt]] {
        let imports = try session.rows(
            """
            SELECT number FROM import i WHERE number BETWEEN $1 AND $2
            AND (EXISTS (SELECT 1 FROM source WHERE import = i.number << \(LibraryTables.originFileBits))
            OR EXISTS (SELECT 1 FROM stream_source WHERE import = i.number << \(LibraryTables.originFileBits))
            OR EXISTS (SELECT 1 FROM pin_origin WHERE origin = i.number << \(LibraryTables.originFileBits)))
            ORDER BY number
            """, [.integer(numbers.lowerBound), .integer(numbers.upperBound)]
        ) { $0.integer(0) }
        return try imports.map { number in
            let rows = try session.rows(
                "SELECT ordinal, receipt FROM import_file WHERE import = $1 ORDER BY ordinal", [.integer(number)]
            ) { (ordinal: $0.integer(0), text: $0.text(1)) }
            return rows.compactMap { row in
                guard var receipt = JSONCoding.value(EarlierReceipt.self, from: row.text.utf8) else { return nil }
                (receipt.number, receipt.ordinal) = (number, row.ordinal)
                return receipt
            }
        }
    }
}
