import Files
import Pins
import PrimaryStore
import Text

/// What became of a photo of an import.
struct PhotoReceipt: Sendable {
    enum Outcome: Sendable {
        /// The pin is new.
        case stored(PinID?)
        /// The person has a pin with this photo already.
        case duplicate(PinID)
        /// It was read again.
        case again(PhotoRevision)
        /// It is a part of another photo, such as the movie of a Live Photo, which this file shows.
        case part(of: String)
        /// The sentence says why.
        case notLocated(String)
        /// The line says why.
        case failed(String)
    }

    var file: String
    var outcome: Outcome
    /// Where and when it was taken, if that is known: as text, and in JSON.
    var place: String?
    var content: PinContent?
    var radiusMetres: Double?
    /// Other files of the same photo.
    var parts: [String] = []
    /// What is doubtful about the time.
    var doubt: String?

    init(file: String, _ outcome: Outcome) {
        self.file = file
        self.outcome = outcome
    }

    /// A line without its end.
    func line(isDryRun: Bool) -> String {
        let name = FileName.shown(file)
        let others = parts.map { FileName.shown(Self.name($0)) }.joined(separator: ", ")
        let suffix =
            (place.map { ": \($0)" } ?? "") + (parts.isEmpty ? "" : " (one photo with \(others))")
            + (doubt.map { "; \($0)" } ?? "")
        switch outcome {
        case .stored(let id):
            let pin = id.map { " as pin \($0)" } ?? ""
            return "\(name): \(isDryRun ? "would be stored" : "stored")\(pin)\(suffix)"
        case .duplicate(let id): return "\(name): stored already as pin \(id)"
        case .again(let revision) where revision.isEmpty:
            return "\(name): read again as pin \(revision.after.id), as before"
        case .again(let revision):
            let verb = isDryRun ? "would be read again" : "read again"
            return "\(name): \(verb) as pin \(revision.after.id)\(suffix)\(revision.sentences)"
        case .part(let shown): return "\(name): part of the photo \(FileName.shown(Self.name(shown)))"
        case .notLocated(let reason): return "\(name): not located: \(reason)"
        case .failed(let line): return line
        }
    }

    /// A time and a place.
    static func text(_ time: Int64?, _ place: PinPlace) -> String {
        let (longitude, latitude) = place.degrees
        return (time.map { InstantFormatter.utc($0) } ?? "no time")
            + ", \(NumberText.digits(longitude, 7)),\(NumberText.digits(latitude, 7))"
    }

    private static func name(_ path: String) -> String {
        String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    }

    /// A JSON object.
    var json: String {
        var object = JSONObject()
        object.add("file", file)
        switch outcome {
        case .stored(let id):
            object.add("result", "stored")
            object.add("pin", id?.description)
        case .duplicate(let id):
            object.add("result", "duplicate")
            object.add("pin", id.description)
        case .again(let revision):
            object.add("result", "again")
            object.add("pin", revision.after.id.description)
            revision.add(to: &object)
        case .part(let shown):
            object.add("result", "part")
            object.add("of", shown)
        case .notLocated(let reason):
            object.add("result", "not-located")
            object.add("reason", reason)
        case .failed(let line):
            object.add("result", "failed")
            object.add("reason", line)
        }
        if let content {
            object.add("time", content.time.map(InstantFormatter.utc))
            object.add("lon", number: content.place.degrees.longitude)
            object.add("lat", number: content.place.degrees.latitude)
            object.add("radius", number: radiusMetres)
            object.add("located", content.located.rawValue)
        }
        if !parts.isEmpty { object.add("parts", parts) }
        if let doubt { object.add("doubt", doubt) }
        return object.text
    }
}

extension PhotoRevision {
    /// What was before, and what stays, each after a semicolon.
    fileprivate var sentences: String {
        var sentences: [String] = []
        if let before, before.place != after.place || before.time != after.time {
            sentences.append("before: \(PhotoReceipt.text(before.time, before.place))")
        }
        if changesPhoto { sentences.append("pictures and facts of the photo are replaced") }
        let kept = [keepsTime ? "the time" : nil, keepsPlace ? "the place" : nil].compactMap(\.self)
        if !kept.isEmpty {
            sentences.append(
                "\(kept.joined(separator: " and ")) that \(kept.count > 1 ? "were set stay" : "was set stays")")
        }
        if !joined.isEmpty {
            let ids = joined.map { "pin \($0)" }.joined(separator: ", ")
            sentences.append("joined with \(ids)")
        }
        return sentences.map { "; " + $0 }.joined()
    }

    fileprivate func add(to object: inout JSONObject) {
        object.add("changed", !isEmpty)
        if let before {
            var earlier = JSONObject()
            earlier.add("time", before.time.map { InstantFormatter.utc($0) })
            earlier.add("lon", number: before.place.degrees.longitude)
            earlier.add("lat", number: before.place.degrees.latitude)
            object.add("before", object: earlier)
        }
        let kept = [keepsTime ? "time" : nil, keepsPlace ? "place" : nil].compactMap(\.self)
        if !kept.isEmpty { object.add("kept", kept) }
        if !joined.isEmpty { object.add("joined", joined.map(\.description)) }
    }
}

/// What became of all photos of an import.
struct PhotoTotals: Sendable {
    var stored = 0
    var duplicates = 0
    /// Photos that were read again, and those of them whose pins changed.
    var again = 0
    var changed = 0
    /// Pins that were joined with others.
    var joined = 0
    var notLocated = 0
    var failed = 0
    /// Files that are parts of other photos.
    var parts = 0

    /// Without the parts of others.
    var photos: Int { stored + duplicates + again + notLocated + failed }

    mutating func add(_ receipt: PhotoReceipt) {
        switch receipt.outcome {
        case .stored: stored += 1
        case .duplicate: duplicates += 1
        case .again(let revision):
            again += 1
            if !revision.isEmpty { changed += 1 }
            joined += revision.joined.count
        case .notLocated: notLocated += 1
        case .failed: failed += 1
        case .part: parts += 1
        }
    }

    /// A line without its end.
    func line(import number: Int64?, isDryRun: Bool) -> String {
        let parts =
            [
                "\(DisplayText.count(stored)) \(isDryRun ? "would be stored" : "stored")",
                "\(DisplayText.count(duplicates)) stored already",
            ]
            + (again > 0 ? ["\(DisplayText.count(again)) read again (\(DisplayText.count(changed)) changed)"] : []) + [
                "\(DisplayText.count(notLocated)) not located",
                "\(DisplayText.count(failed)) unreadable",
            ] + (parts > 0 ? ["\(DisplayText.count(parts, "file")) as part of another"] : [])
        let suffix = number.map { "; import \($0)" } ?? ""
        return "\(DisplayText.count(photos, "photo")): \(parts.joined(separator: ", "))\(suffix)"
    }

    /// A JSON object.
    func json(import number: Int64?) -> String {
        var object = JSONObject()
        object.add("photos", photos)
        object.add("stored", stored)
        object.add("duplicates", duplicates)
        object.add("again", again)
        object.add("changed", changed)
        object.add("notLocated", notLocated)
        object.add("failed", failed)
        object.add("parts", parts)
        object.add("import", number: number.map(Double.init))
        return object.text
    }
}
