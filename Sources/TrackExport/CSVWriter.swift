import Tracks

/// Writes CSV (RFC 4180): one row for each point, one column for each field that occurs in any track.
struct CSVWriter: TrackFormatWriter {
    private var names: [String] = []
    private var columns = FieldStatistics(trackCount: 0)
    private var track: ExportTrack?
    private var segment: Int64 = 0

    var needs: FieldNeeds { .ofAll }

    mutating func open(_ statistics: FieldStatistics, to text: inout ExportText) {
        columns = statistics
        names = statistics.names
        var heads = ["track", "name"]
        if statistics.hasActivities { heads.append("activity") }
        if statistics.hasPersons { heads.append("person") }
        if statistics.hasDevices { heads.append("device") }
        heads += ["segment", "time", "longitude", "latitude"]
        text.put(heads.joined(separator: ","))
        for name in names {
            text.put("," as Unicode.Scalar)
            text.put(csv: FieldNameEncoding.label(name))
        }
        text.put("\r\n")
    }

    mutating func begin(_ track: ExportTrack, _ statistics: FieldStatistics, to text: inout ExportText) {
        self.track = track
        segment = 0
    }

    mutating func add(_ points: PointRange, pass: Int, isFirst: Bool, to text: inout ExportText) {
        guard let track else { return }
        var row = ExportText()
        putHead(of: track, to: &row)
        let head = row.take()
        let chunk = points.chunk
        let fields = names.map { name in chunk.column(name) }
        for index in points.range {
            if points.startsSegment(index) || segment == 0 { segment += 1 }
            text.put(bytes: head)
            text.put(segment)
            text.put("," as Unicode.Scalar)
            if chunk.times[index] != PointColumns.untimed { text.put(time: chunk.times[index]) }
            text.put("," as Unicode.Scalar)
            text.put(degrees: chunk.longitudes[index], chunk.unit)
            text.put("," as Unicode.Scalar)
            text.put(degrees: chunk.latitudes[index], chunk.unit)
            for field in fields {
                text.put("," as Unicode.Scalar)
                switch field?.value(at: index) {
                case .number(let number)?: text.put(number)
                case .text(let value)?: text.put(csv: value)
                case nil: break
                }
            }
            text.put("\r\n")
        }
    }

    private func putHead(of track: ExportTrack, to text: inout ExportText) {
        var cells = [track.id, track.name ?? ""]
        if columns.hasActivities { cells.append(track.activity ?? "") }
        if columns.hasPersons { cells.append(track.person ?? "") }
        if columns.hasDevices { cells.append(track.device ?? "") }
        for cell in cells {
            text.put(csv: cell)
            text.put("," as Unicode.Scalar)
        }
    }

    mutating func end(_ track: ExportTrack, to text: inout ExportText) {}

    mutating func close(to text: inout ExportText) {}
}
