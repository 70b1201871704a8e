import Files
import Text
import Tracks

// The texts of receipts; the data is in FileReceipt.swift.

extension FileReceipt {
    /// The result as lines of text, each of which begins with the path of the file.
    public var lines: [String] {
        var lines: [String] = []
        let file = oneLine(file)
        if let revision {
            lines.append("\(file): \(format.map { "\($0.title), " } ?? "")\(revision.sentence)")
        } else if format != nil, !hasStoreFailed {
            lines.append("\(file): \(summary)")
        }
        lines += planLines
        for sentence in columns?.sentences ?? [] { lines.append("\(file): \(sentence)") }
        for refusal in refused.first {
            lines.append("\(file):\(refusal.line): \(refusal.what.sentence); the point was not stored")
        }
        let more = refused.count - refused.first.count
        if more > 0 { lines.append("\(file): \(DisplayText.count(more, "more point")) refused") }
        for time in unreadTimes.first {
            lines.append(
                "\(file):\(time.line): '\(clipped(time.what))' is not a valid time; the point is stored without a time")
        }
        if implausibleTimes > 0 {
            lines.append(
                "\(file): \(DisplayText.count(implausibleTimes, "point")) with a time before 1980-01-06 or after 2100-01-01; stored without a time, the timestamp is in the field \(FieldName.implausibleTime)"
            )
        }
        for (outlierReason, count) in outcome.outliers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            lines.append(
                "\(file): \(DisplayText.count(count, "point")) classified as outliers (\(outlierReason.rawValue)): stored, but not used for heat, lines and replay"
            )
        }
        if outcome.untimed > 0 {
            lines.append(
                "\(file): \(DisplayText.count(outcome.untimed, "point")) without a time: used for lines and all-time heat, but not for time windows and replay"
            )
        }
        if !skipped.isEmpty { lines.append("\(file): \(skippedSentence)") }
        for zone in zones.map(\.sentence).sorted() {
            lines.append("\(file): times without a time zone were read \(zone)")
        }
        for remark in remarks.sorted(by: { $0.rawValue < $1.rawValue }) { lines.append("\(file): \(remark.rawValue)") }
        if outcome.continuedTracks > 0 {
            lines.append(
                "\(file): continued \(DisplayText.count(outcome.continuedTracks, "track")) of the library: the file begins with all of their points"
            )
        }
        if !outcome.similarTracks.isEmpty { lines.append("\(file): \(similarSentence); stored nevertheless") }
        if hasNothing { lines.append("\(file): nothing to store: the file contains no points") }
        if passedOver > 0 {
            lines.append("\(file): \(DisplayText.count(passedOver, "more file")) skipped: unsupported format")
        }
        if let failure { lines.append("\(file): \(failure.sentence)\(keptSentence)") }
        return lines
    }

    /// The receipt as one line of JSON.
    public var json: String {
        var object = JSONObject()
        object.add("file", file)
        object.add("format", format?.rawValue)
        object.add("tracks", outcome.newTracks)
        object.add("points", outcome.points)
        object.add("duplicates", outcome.duplicatePoints)
        if outcome.pins > 0 || outcome.duplicatePins > 0 {
            object.add("pins", outcome.pins)
            object.add("duplicatePins", outcome.duplicatePins)
        }
        object.add("refused", refused.count)
        object.add("marked", outcome.outlierCount)
        object.add("untimed", outcome.untimed)
        object.add("bytes", bytes)
        if let start = coverage.start { object.add("start", InstantFormatter.utc(start)) }
        if let end = coverage.end { object.add("end", InstantFormatter.utc(end)) }
        if let box = coverage.box { object.add("bbox", numbers: box) }
        if !devices.isEmpty { object.add("devices", devices.sorted()) }
        if hasMoreDevices { object.add("moreDevices", true) }
        if refused.count > 0 {
            object.add(
                "refusals",
                objects: refused.first.map { refusal in
                    var object = JSONObject()
                    object.add("line", refusal.line)
                    object.add("reason", refusal.what.sentence)
                    return object
                })
        }
        if unreadTimes.count > 0 { object.add("unreadTimes", unreadTimes.count) }
        if implausibleTimes > 0 { object.add("implausibleTimes", implausibleTimes) }
        if !outcome.outliers.isEmpty {
            object.add("marks", counts: outcome.outliers.map { ($0.key.rawValue, $0.value) })
        }
        if passedOver > 0 { object.add("passedOver", passedOver) }
        if let columns { object.add("columns", columns.sentences) }
        if !skipped.isEmpty { object.add("skipped", counts: skipped.map { ($0.key.rawValue, $0.value) }) }
        if !zones.isEmpty { object.add("zones", zones.map(\.name).sorted()) }
        if !remarks.isEmpty { object.add("remarks", remarks.map(\.rawValue).sorted()) }
        if outcome.continuedTracks > 0 { object.add("continued", outcome.continuedTracks) }
        if !outcome.similarTracks.isEmpty {
            let ids = outcome.similarTracks.sorted().prefix(Self.listedSimilarTracks)
            if !outcome.hasProvisionalIDs { object.add("lookalikes", Array(ids)) }
            object.add("lookalikeCount", outcome.similarTracks.count)
        }
        addPlans(to: &object)
        if let revision { object.add("again", object: revision.json) }
        if let failure { object.add("error", failure.sentence + keptSentence) }
        return object.text
    }

    private var summary: String {
        var parts = format.map { [$0.title] } ?? []
        let tracks = outcome.newTracks
        parts.append("\(DisplayText.count(tracks, "track")), \(DisplayText.count(outcome.points, "point"))")
        if outcome.duplicatePoints > 0 {
            parts.append("\(DisplayText.count(outcome.duplicatePoints, "point")) already stored")
        }
        parts += outcome.pinParts
        return parts.joined(separator: ", ")
    }

    /// The number of similar tracks that are named.
    private static let listedSimilarTracks = 3

    private var similarSentence: String {
        let ids = outcome.similarTracks.sorted()
        guard !outcome.hasProvisionalIDs else {
            return "may be the same activity as \(DisplayText.count(ids.count, "track")) of other files"
        }
        guard ids.count > Self.listedSimilarTracks else {
            return "may be the same activity as \(ids.joined(separator: ", "))"
        }
        let some = ids.prefix(Self.listedSimilarTracks).joined(separator: ", ")
        return "may be the same activity as \(ids.count) other tracks, such as \(some)"
    }

    private var skippedSentence: String {
        let things = skipped.sorted { $0.key.rawValue < $1.key.rawValue }.map { thing, count in
            DisplayText.count(count, thing.nouns.singular, thing.nouns.plural)
        }
        return things.joined(separator: ", ") + " skipped: not a recorded track"
    }

    /// Whether the file was read, but had nothing to report.
    private var hasNothing: Bool {
        hasNoPoints && format != nil && skipped.isEmpty && remarks.isEmpty && passedOver == 0
    }

    /// Says how many points of a failed file were kept.
    private var keptSentence: String {
        guard format != nil, failure?.keepsEarlierPoints ?? false else { return "" }
        let kept = outcome.points + outcome.duplicatePoints
        switch kept {
        case 0: return "; nothing was stored"
        case 1: return "; the point before the error was stored"
        default: return "; the \(DisplayText.count(kept, "point")) before the error were stored"
        }
    }
}

extension ColumnUsage {
    /// How the columns were used, and what was assumed.
    fileprivate var sentences: [String] {
        func list(_ names: [String]) -> String {
            let some = names.prefix(8).map { "'\(clipped($0))'" }.joined(separator: ", ")
            return names.count > 8 ? some + " and \(names.count - 8) more" : some
        }
        var sentences = [
            "coordinates from columns \(list(places)), "
                + (times.isEmpty ? "no time column" : "times from \(list(times))")
        ]
        if scale != .degrees { sentences.append("coordinates read as \(scale.rawValue)") }
        if let dateOrder, !times.isEmpty {
            sentences.append(
                isOrderAssumed
                    ? "dates assumed to be \(dateOrder.rawValue), because the file does not show the order; use 2025-08-31 if that is wrong"
                    : "dates read as \(dateOrder.rawValue)")
        }
        if usesSerialDays { sentences.append("times read as spreadsheet days") }
        if !converted.isEmpty { sentences.append("converted from the units in the header: \(list(converted))") }
        if times.isEmpty, !relativeTimes.isEmpty {
            sentences.append(
                "\(list(relativeTimes)) counts from an unknown start; kept as a field, points have no time"
            )
        }
        let left = times.isEmpty ? others.filter { !relativeTimes.contains($0) } : others
        if !left.isEmpty { sentences.append("not used as times, kept as fields: \(list(left))") }
        return sentences
    }
}

extension SkippedItem {
    fileprivate var nouns: (singular: String, plural: String) {
        switch self {
        case .waypoint: ("waypoint", "waypoints")
        case .route: ("route", "routes")
        case .place: ("place", "places")
        case .area: ("area", "areas")
        case .venuePart: ("building part", "building parts")
        case .emptyFeature: ("feature without geometry", "features without geometry")
        case .emptyTrack: ("track without points", "tracks without points")
        case .recordWithoutPosition: ("record without position", "records without position")
        case .recordWithoutFix: ("record without fix", "records without fix")
        case .copiedPosition: ("position copied from a device", "positions copied from a device")
        case .testEntry: ("test entry", "test entries")
        case .link: ("network link", "network links")
        }
    }
}

extension ImportReceipt {
    /// The result of the import as one line of text.
    public var line: String {
        var parts = [
            DisplayText.count(files, "file"), DisplayText.count(outcome.newTracks, "track"),
            DisplayText.count(outcome.points, "point"),
        ]
        if outcome.duplicatePoints > 0 {
            parts.append("\(DisplayText.count(outcome.duplicatePoints, "point")) already stored")
        }
        parts += outcome.pinParts
        if venues > 0 { parts.append(DisplayText.count(venues, "venue")) }
        if routes > 0 { parts.append(DisplayText.count(routes, "route")) }
        if refused > 0 { parts.append("\(DisplayText.count(refused, "point")) refused") }
        if failed > 0 { parts.append("\(DisplayText.count(failed, "file")) failed") }
        if unrecognised > 0 { parts.append("\(DisplayText.count(unrecognised, "file")) skipped: unsupported format") }
        if stopped { parts.append("stopped before the end") }
        return parts.joined(separator: ", ")
    }

    /// The receipt as one line of JSON, with the number of the import in the library.
    public func json(import number: Int64? = nil) -> String {
        var object = JSONObject()
        if let number { object.add("import", Int(number)) }
        object.add("files", files)
        object.add("tracks", outcome.newTracks)
        object.add("points", outcome.points)
        object.add("duplicates", outcome.duplicatePoints)
        object.add("pins", outcome.pins)
        if venues > 0 { object.add("venues", venues) }
        if routes > 0 { object.add("routes", routes) }
        object.add("refused", refused)
        object.add("marked", outcome.outlierCount)
        object.add("untimed", outcome.untimed)
        object.add("unrecognised", unrecognised)
        object.add("failed", failed)
        if stopped { object.add("stopped", true) }
        return object.text
    }
}

extension Refusal {
    /// The reason in words.
    public var sentence: String {
        switch self {
        case .longitude(let value): Self.sentence("longitude", value, degrees: 180)
        case .latitude(let value): Self.sentence("latitude", value, degrees: 90)
        case .noPlace: "the coordinates are missing"
        case .checksum: "the checksum is wrong"
        case .longRow(let limit): "the row is longer than \(limit) bytes, or its quotes are not closed"
        case .brokenEntry: "the entry is malformed"
        case .shortRow(let columns): "the row has only \(DisplayText.count(columns, "column"))"
        }
    }

    /// A text that is not a number is quoted, so that it is not taken for a part of the sentence.
    private static func sentence(_ coordinate: String, _ value: String, degrees: Int) -> String {
        let bytes = Array(value.utf8)
        guard FixedDecimal(bytes.span, bytes.indices) != nil else {
            return "the \(coordinate) '\(clipped(value))' is not a coordinate"
        }
        return "\(coordinate) \(clipped(value)) is outside -\(degrees) to \(degrees)"
    }
}

extension ImportFailure {
    /// The reason in words, and what to do if that is known.
    public var sentence: String {
        switch self {
        case .missing: "the file does not exist"
        case .unreadable(let reason): "cannot be read: \(clipped(reason))"
        case .empty: "the file is empty"
        case .venue:
            "a map of a building (a venue), not a recorded track; give it as a file to 'tileserve venues import'"
        case .brokenVenue(let reason): "the map of a building cannot be read: \(clipped(reason))"
        case .unrecognised(let description?):
            "unsupported format (\(clipped(description))); supported formats are \(TrackFormat.list)"
        case .unrecognised(nil): "unsupported format; supported formats are \(TrackFormat.list)"
        case .xml(let reason, let line, let column): "line \(line), column \(column): \(clipped(reason))"
        case .tooDeep(let limit, let line): "line \(line): nested deeper than \(limit) levels"
        case .tooManyNames(let limit, let line): "line \(line): more than \(limit) different names"
        case .longName(let limit, let line): "line \(line): a name is longer than \(limit) bytes"
        case .declarations(let line): "line \(line): document type definitions are not supported"
        case .outOfMemory: "not enough memory to read the file"
        case .longText(let limit, let line): "line \(line): a text is longer than \(limit) bytes"
        case .json(let reason, let line): "line \(line): \(clipped(reason))"
        case .referenceSystem(let name):
            "its reference system is \(clipped(name)); convert it to WGS 84 (EPSG:4326) first"
        case .longFeature(let limit, let line):
            "line \(line): an object needs more than \(limit / 1_048_576) MiB of memory, not counting its points; split it"
        case .tooManyPoints(let limit, let line):
            "line \(line): an object has more than \(DisplayText.count(limit)) points; split it"
        case .truncated: "the file is truncated"
        case .damaged(let reason, let byte): "byte \(byte): \(clipped(reason))"
        case .database(let reason): clipped(reason)
        case .encrypted: "the file is encrypted; unpack it first"
        case .archive(let reason): "the archive cannot be read: \(clipped(reason))"
        case .unsupportedCompression(let what):
            "the archive or its compression is not supported (\(clipped(what))); unpack the file first"
        case .nested(let limit): "the file contains archives nested more than \(limit) levels deep; unpack it first"
        case .checksumMismatch: "the checksum in the archive is wrong: the file is damaged"
        case .damagedCompression: "the compressed data is damaged"
        case .truncatedCompression: "the compressed data is truncated"
        case .decompressionBomb(let ratio):
            "the compressed data expands more than \(ratio)-fold; unpack it first if you trust the file"
        case .decompressionMemory(let bytes):
            "unpacking it needs more than \(bytes / 1_048_576) MiB of memory; unpack it first"
        case .refused(let reason): "a track was refused: \(clipped(reason))"
        case .store(let reason): "the library could not store it: \(clipped(reason))"
        case .needsOtherFiles: "reading was postponed until other files were read; import it again"
        case .stopped: "stopped before the end; its incomplete tracks were not stored"
        }
    }
}

extension AssumedZone {
    /// The zone's name, or the offset: `UTC+02:00`.
    var name: String {
        switch self {
        // Foundation gives UTC this name.
        case .option(let name), .library(let name): return name == "GMT" ? "UTC" : name
        case .utc: return "UTC"
        case .reported(let minutes):
            let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
            return "UTC" + (minutes < 0 ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours):" + (rest < 10 ? "0" : "")
                + "\(rest)"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .option: "as \(name) (--zone)"
        case .reported: "as \(name), the offset of other points in this import"
        case .library: "as \(name), the library's time zone; use --zone if they are in another one"
        case .utc: "as UTC, as the format defines; use --zone if they are in another one"
        }
    }
}

extension RecordingOutcome {
    fileprivate var outlierCount: Int { outliers.values.reduce(0, +) }

    /// How many pins are new, and how many are not.
    fileprivate var pinParts: [String] {
        var parts: [String] = []
        if pins > 0 { parts.append(DisplayText.count(pins, "pin")) }
        if duplicatePins > 0 { parts.append("\(DisplayText.count(duplicatePins, "pin")) already stored") }
        return parts
    }
}

/// A text from a file as one line, cut to 80 characters.
private func clipped(_ text: String) -> String {
    DisplayText.clipped(oneLine(text), to: 80)
}

/// A text with control characters and line breaks replaced by blanks.
func oneLine(_ text: String) -> String {
    DisplayText.singleLine(FileName.shown(text))
}
