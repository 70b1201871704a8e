import Database
import Files
import SQLite

/// Reads the database of GPS Log: each session is a recording.
///
/// The bytes are copied to a temporary file, because SQLite only reads files; their content is not trusted. If the
/// database is damaged, the entries before that are kept.
///
/// Sessions → recordings · Entries → points, heading changes · TestEntries → counted.
struct GPSLogDatabase {
    private let reading: FileReading

    init(_ reading: FileReading) {
        self.reading = reading
    }

    /// Whether the bytes begin with SQLite's header.
    static func isDatabase(_ head: [UInt8]) -> Bool {
        head.starts(with: Array("SQLite format 3\0".utf8))
    }

    /// Whether the first pages contain the names of GPS Log's tables and columns.
    static func recognises(_ head: [UInt8]) -> Bool {
        let text = String(decoding: head, as: UTF8.self)
        return text.contains("\"Entries\"") && text.contains("HeadingTimeStamp") && text.contains("InstanceCount")
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/gpslog.db"
        let failure = try writePages(source, at: path)
        try withExtendedLifetime(folder) { try readDatabase(at: path) }
        if let failure { throw failure }
    }

    /// Writes the pages to a file; returns the error that ended the source, because the pages before it can be read.
    ///
    /// An incomplete page is dropped: SQLite would pad it with zeros and read those as entries.
    private func writePages(_ source: any ByteSource, at path: String) throws -> (any Error)? {
        var source = source
        let file = try FileSink(appendingTo: path)
        var buffer: [UInt8] = []
        var written = 0
        var size = PageSize()
        while true {
            let block: [UInt8]
            do { block = try reading.next(from: &source) } catch {
                guard ImportFailure(error).keepsEarlierPoints else { throw error }
                return error
            }
            guard !block.isEmpty else { break }
            buffer += block
            if written == 0 { size = PageSize(header: buffer) }
            let whole = buffer.count / size.bytes * size.bytes
            try file.write(Array(buffer[..<whole]))
            buffer.removeFirst(whole)
            written += whole
        }
        return buffer.isEmpty && written >= size.bytes * size.pages ? nil : ImportFailure.truncated
    }

    /// Page size and page count from a database header (SQLite's "Database File Format", 1.3).
    private struct PageSize {
        var bytes = 4096
        var pages = 1

        init() {}

        init(header: [UInt8]) {
            guard header.count >= 32 else { return }
            let stated = Int(header[16]) << 8 | Int(header[17])
            // 1 means 65,536.
            if stated == 1 { bytes = 65_536 } else if stated >= 512 { bytes = stated }
            pages = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    private func readDatabase(at path: String) throws {
        let database = try UntrustedDatabase(path: path)
        guard try database.hasTable("Entries") else {
            reading.receipt.format = nil
            throw ImportFailure.unrecognised("an unknown SQLite database")
        }
        var sessions = GPSLogSessions(reading, described: try described(database))
        try ImportFailure.keepingEarlierPoints {
            try entries(database, &sessions)
        } end: {
            try sessions.end()
        }
    }

    private func described(_ database: UntrustedDatabase) throws -> [String: GPSLogSessions.Session] {
        guard try database.hasTable("Sessions") else { return [:] }
        var described: [String: GPSLogSessions.Session] = [:]
        try database.forEach("SELECT ID, Name, StartTime, EndTime FROM Sessions") { row in
            let (start, end) = (row.text(2), row.text(3))
            var session = GPSLogSessions.Session()
            session.attributes = ["start": start, "end": end].filter { !$0.value.isEmpty }
            // GPS Log itself shows the start time as the name of a session without one.
            let name = row.text(1).isEmpty ? start : row.text(1)
            session.name = name.isEmpty ? nil : name
            described[row.text(0)] = session
        }
        return described
    }

    private func entries(_ database: UntrustedDatabase, _ sessions: inout GPSLogSessions) throws {
        var columns: [(name: String, value: GPSLogValue?)] = []
        var number = 0
        try database.forEach("SELECT * FROM Entries") { row in
            number += 1
            if columns.isEmpty { columns = row.columnNames.map { ($0, GPSLogValue(named: $0)) } }
            if number % 1024 == 0 { try reading.checkStopped() }
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
                if row.integer(0) > 0 { reading.skip(.testEntry, count: Int(row.integer(0))) }
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
