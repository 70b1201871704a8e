import Tracks

/// What a column of a CSV file holds.
enum CSVRole: Hashable, Sendable {
    case longitude, latitude
    /// A time by itself; the unit of bare numbers where the name tells it.
    case instant(EpochUnit?)
    case date, timeOfDay
    case person, device, track, activity, segment, trackName
    /// A field of the points; texts are never taken for numbers.
    case field(String, isText: Bool)
}

/// The first row of a CSV file, and what it says of the others.
struct CSVHeader: Sendable {
    /// Between the cells.
    let separator: UInt8
    /// What each column holds.
    let roles: [CSVRole]
    /// How many bytes of the file the header takes, with what stands before it.
    let length: Int
    /// How many lines.
    let lines: Int

    /// Where decimals may have a comma.
    var comma: Bool { separator == UInt8(ascii: ";") || separator == UInt8(ascii: "\t") }

    /// Where the role's column is.
    func column(_ role: CSVRole) -> Int? { roles.firstIndex(of: role) }

    /// Lines before the header (comments, blanks, Excel's `sep=;`) that are passed over.
    private static let prefaceLimit = 32

    /// Finds the header in a file's first bytes; nil where no row names both a longitude and a latitude.
    init?(head: [UInt8]) {
        var at = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        for line in 1...Self.prefaceLimit {
            guard at < head.count else { return nil }
            let end = head[at...].firstIndex(of: UInt8(ascii: "\n")) ?? head.count
            let row = Self.row(head[at..<end])
            if let (separator, names) = Self.names(in: row) {
                self.separator = separator
                roles = CSVColumns.roles(of: names)
                length = min(end + 1, head.count)
                lines = line
                return
            }
            guard Self.isPreface(row) else { return nil }
            at = end + 1
        }
        return nil
    }

    /// A hint for texts that have columns and no header that names places.
    static func looksLikeColumns(_ head: [UInt8]) -> String? {
        let row = head.prefix { $0 != UInt8(ascii: "\n") }
        let most = separators.map { separator in row.count { $0 == separator } }.max() ?? 0
        guard most >= 1, row.count < 4096 else { return nil }
        return "columns without a header that names longitude and latitude"
    }

    private static let separators = Array(",;\t|".utf8)

    private static func row(_ line: ArraySlice<UInt8>) -> [UInt8] {
        line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : Array(line)
    }

    private static func isPreface(_ row: [UInt8]) -> Bool {
        row.allSatisfy { $0 <= 0x20 } || row.first == UInt8(ascii: "#") || row.starts(with: "sep=".utf8)
    }

    /// The names in a row that names a longitude and a latitude, with the separator that makes it so.
    private static func names(in row: [UInt8]) -> (UInt8, [String])? {
        guard row.count <= 16_384 else { return nil }
        let bare = row.first == UInt8(ascii: "#") ? Array(row.dropFirst()) : row
        for separator in separators {
            let names = cells(bare, separator)
            let roles = Set(CSVColumns.roles(of: names))
            if roles.contains(.longitude), roles.contains(.latitude) { return (separator, names) }
        }
        return nil
    }

    private static func cells(_ row: [UInt8], _ separator: UInt8) -> [String] {
        var cells: [[UInt8]] = [[]]
        var quoted = false
        for byte in row {
            if byte == UInt8(ascii: "\"") {
                quoted.toggle()
            } else if byte == separator, !quoted {
                cells.append([])
            } else {
                cells[cells.count - 1].append(byte)
            }
        }
        return cells.map { Text.string($0.span, Text.trimmed($0.span, $0.indices)) }
    }
}

/// What the columns of CSV files are called.
enum CSVColumns {
    /// The role of each column; of several columns for one role the first has it, the others are fields.
    static func roles(of names: [String]) -> [CSVRole] {
        let words = names.map(FieldVocabulary.normalised)
        let hasDate = words.contains { dates.contains($0) }
        let hasTimeOfDay = words.contains { timesOfDay.contains($0) }
        let hasTrack = words.contains { aliases[$0] == .track }
        // Beside a latitude by name, x and y are places in some other system.
        let hasLatitude = words.contains { aliases[$0] == .latitude && !planar.contains($0) }
        var taken: Set<CSVRole> = []
        return zip(names, words).map { name, word in
            var role = hasLatitude && planar.contains(word) ? nil : aliases[word]
            if hasDate, hasTimeOfDay {
                if dates.contains(word) { role = .date }
                if timesOfDay.contains(word) { role = .timeOfDay }
            } else if role == nil, dates.contains(word) || word == "time" || word == "zeit" {
                role = .instant(nil)
            }
            // A name belongs to the track where rows tell of tracks, else to the point.
            if role == .trackName, !hasTrack { role = .field(FieldName.pointName, isText: true) }
            guard let role else {
                return .field(name.isEmpty ? "column" : ElementName.decoded(name), isText: false)
            }
            guard taken.insert(kind(role)).inserted else { return .field(name, isText: false) }
            return role
        }
    }

    /// The role of a single name, as properties of GeoJSON have it.
    static func role(of name: String) -> CSVRole? {
        let word = FieldVocabulary.normalised(name)
        if dates.contains(word) || word == "time" || word == "zeit" { return .instant(nil) }
        return aliases[word]
    }

    /// Times count as one role, however they are written.
    private static func kind(_ role: CSVRole) -> CSVRole {
        if case .instant = role { return .instant(nil) }
        return role
    }

    private static let planar: Set<String> = ["x", "y", "xcoord", "ycoord"]
    private static let dates: Set<String> = ["date", "datum", "gpsdate", "utcdate", "dateutc", "localdate"]
    private static let timesOfDay: Set<String> = [
        "time", "zeit", "uhrzeit", "timeofday", "utctime", "timeutc", "localtime", "gpstime",
    ]

    private static let aliases: [String: CSVRole] = {
        var table: [String: CSVRole] = [:]
        func name(_ role: CSVRole, _ words: String) {
            for word in words.split(separator: " ") { table[String(word)] = role }
        }
        name(
            .latitude,
            "lat latitude latdeg latitudedeg latitud breite breitengrad geobreite y gpslat gpslatitude locationlat ycoord"
        )
        name(
            .longitude,
            "lon lng long longitude londeg longitudedeg longitud länge laenge längengrad laengengrad x gpslon")
        name(.longitude, "gpslng gpslong gpslongitude locationlon locationlong locationlng geolänge geolaenge xcoord")
        name(
            .instant(nil), "timestamp datetime trackedat utc utctime timeutc utcdatetime datetimeutc timestamputc t ts")
        name(
            .instant(nil),
            "recordedat createdat gpstime isotime eventtime when zeitstempel zeitpunkt fixtime devicetime")
        name(
            .instant(.seconds),
            "epoch epochs epochseconds unixtime unix unixtimestamp timestamps timestampsec timestampseconds")
        name(
            .instant(.milliseconds),
            "timestampms timems epochms unixms timestampmillis epochmillis timemillis millis datetimems")
        name(.instant(.microseconds), "timestampus timeus epochus timestampmicros")
        name(.instant(.nanoseconds), "timestampns timens epochns timestampnanos")
        name(
            .person, "person user userid username benutzer benutzerid athlete athleteid rider riderid owner individual")
        name(.person, "individualid individuallocalidentifier vehicle vehicleid personid personname")
        name(.device, "device deviceid devicename gerät geraet tracker trackerid imei")
        name(.track, "track trackid trip tripid session sessionid trajectory trajectoryid trajid recording recordingid")
        name(.track, "tour tourid fahrt fahrtid ride rideid activityid trackno tracknumber")
        name(
            .activity, "activity activitytype sport mode transportmode transportationmode type aktivität verkehrsmittel"
        )
        name(.segment, "segment segmentid seg trkseg segmentno")
        name(.trackName, "name trackname title bezeichnung")
        for (word, field) in FieldVocabulary.names { table[word] = .field(field, isText: field == FieldName.address) }
        return table
    }()
}
