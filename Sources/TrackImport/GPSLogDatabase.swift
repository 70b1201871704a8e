import Files
import SQLite
import Tracks

/// Reads the database of GPS Log: each session is a recording.
///
/// The bytes are laid down in a file of their own, since SQLite reads files only, and nothing is trusted of what they hold.
/// Where the database is damaged, the entries before that are kept.
///
/// Sessions → recordings · Entries → points, and turns of the device · TestEntries → counted.
struct GPSLogDatabase {
    private let reading: FileReading

    init(_ reading: FileReading) {
        self.reading = reading
    }

    /// Whether the bytes begin as an SQLite database does.
    static func isDatabase(_ head: [UInt8]) -> Bool {
        head.starts(with: Array("SQLite format 3\0".utf8))
    }

    /// Whether the tables named in the first pages are GPS Log's.
    static func recognises(_ head: [UInt8]) -> Bool {
        let text = String(decoding: head, as: UTF8.self)
        return text.contains("\"Entries\"") && text.contains("HeadingTimeStamp") && text.contains("InstanceCount")
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/gpslog.db"
        let failure = try layDown(source, at: path)
        try withExtendedLifetime(folder) { try readDatabase(at: path) }
        if let failure { throw failure }
    }

    /// Writes the pages to a file; gives back what they break off with, since what is there can be read all the same.
    ///
    /// A page that is not whole is left out: SQLite would fill it up with zeros and take them for entries.
    private func layDown(_ source: any ByteSource, at path: String) throws -> (any Error)? {
        var source = source
        let file = try FileSink(appendingTo: path)
        var held: [UInt8] = []
        var written = 0
        var size = PageSize()
        while true {
            let block: [UInt8]
            do { block = try reading.next(from: &source) } catch {
                guard ImportFailure(error).keepsWholePoints else { throw error }
                return error
            }
            guard !block.isEmpty else { break }
            held += block
            if written == 0 { size = PageSize(header: held) }
            let whole = held.count / size.bytes * size.bytes
            try file.write(Array(held[..<whole]))
            held.removeFirst(whole)
            written += whole
        }
        return held.isEmpty && written >= size.bytes * size.pages ? nil : ImportFailure.breaksOff
    }

    /// What a database's header says of its size (SQLite's "Database File Format", 1.3).
    private struct PageSize {
        var bytes = 4096
        var pages = 1

        init() {}

        init(header: [UInt8]) {
            guard header.count >= 32 else { return }
            let said = Int(header[16]) << 8 | Int(header[17])
            // 1 stands for the largest.
            if said == 1 { bytes = 65_536 } else if said >= 512 { bytes = said }
            pages = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    private func readDatabase(at path: String) throws {
        let database = try ForeignDatabase(path: path)
        guard try database.hasTable("Entries") else {
            reading.receipt.format = nil
            throw ImportFailure.unrecognised("an SQLite database of another kind")
        }
        var sessions = GPSLogSessions(reading, described: try described(database))
        do {
            try entries(database, &sessions)
        } catch {
            if ImportFailure(error).keepsWholePoints { try sessions.end() }
            throw error
        }
        try sessions.end()
    }

    private func described(_ database: ForeignDatabase) throws -> [String: GPSLogSessions.Session] {
        guard try database.hasTable("Sessions") else { return [:] }
        var described: [String: GPSLogSessions.Session] = [:]
        try database.forEach("SELECT ID, Name, StartTime, EndTime FROM Sessions") { row in
            let (start, end) = (row.text(2), row.text(3))
            var session = GPSLogSessions.Session()
            session.notes = ["start": start, "end": end].filter { !$0.value.isEmpty }
            // As GPS Log itself shows a session without a name.
            let name = row.text(1).isEmpty ? start : row.text(1)
            session.name = name.isEmpty ? nil : name
            described[row.text(0)] = session
        }
        return described
    }

    private func entries(_ database: ForeignDatabase, _ sessions: inout GPSLogSessions) throws {
        var columns: [(name: String, value: GPSLogValue?)] = []
        var number = 0
        try database.forEach("SELECT * FROM Entries") { row in
            number += 1
            if columns.isEmpty { columns = row.columnNames.map { ($0, GPSLogValue(named: $0)) } }
            if number % 1024 == 0 { try reading.goOn() }
            var entry = GPSLogEntry()
            for (index, column) in columns.enumerated() {
                guard let text = Self.text(row.value(index)) else { continue }
                if let value = column.value {
                    entry[value] = text
                } else if column.name != "Key" {
                    entry.others.append((column.name, text))
                }
            }
            try sessions.take(entry, line: number)
        }
        if try database.hasTable("TestEntries") {
            try database.forEach("SELECT count(*) FROM TestEntries") { row in
                if row.integer(0) > 0 { reading.skip(.trial, count: Int(row.integer(0))) }
            }
        }
    }

    private static func text(_ value: Value) -> String? {
        switch value {
        case .null, .blob: nil
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        }
    }
}
