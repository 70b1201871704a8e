import Files
import PhotoFiles
import PhotoLocating
import PhotoMatching
import Text
import TileMath

/// A photo and what was found about it.
struct LocatedFile: Sendable {
    /// How the result is written.
    enum Output: Equatable {
        case text
        case csv
        case geoJSON
    }

    var path: String
    var metadata: PhotoMetadata
    var photo: LocatedPhoto
    /// Other files of the same photo; see `LivePhotos`.
    var parts: [String] = []
    /// The file that is shown for this photo; nil if it is this one.
    var shownPath: String?

    /// All photos in a form of output.
    static func text(_ files: [LocatedFile], as output: Output) -> String {
        switch output {
        case .text: files.map(\.lines).joined()
        case .csv: header + files.map(\.rows).joined()
        case .geoJSON: geoJSON(files)
        }
    }

    // MARK: Lines

    private var lines: String {
        let name = FileName.shown(path)
        guard let best = photo.best else { return "\(name): \(photo.reason ?? "")\n" }
        let others = photo.candidates.dropFirst().map { "    or \(Self.sentence($0, reason: nil))\n" }
        let doubt = photo.doubt.map { "    \($0)\n" } ?? ""
        return "\(name): \(Self.sentence(best, reason: photo.reason))\n" + others.joined() + doubt
    }

    private static func sentence(_ candidate: LocatedPhoto.Candidate, reason: String?) -> String {
        let time = candidate.instant.map { PhotoSidecar.localTime($0, ahead: candidate.zoneAhead) } ?? "no time"
        let zone = candidate.instant == nil ? "" : " (\(candidate.zone))"
        guard let estimate = candidate.estimate else { return "\(time)\(zone), no place: \(reason ?? "unknown")" }
        let place = "\(degrees(estimate.place.longitude)),\(degrees(estimate.place.latitude))"
        let source = estimate.track.map { " \($0)" } ?? ""
        let person = candidate.person.map { " of \($0.singleLine)" } ?? ""
        return "\(time)\(zone), \(place) ±\(NumberText.metres(estimate.radiusMetres)), \(estimate.method.rawValue)"
            + source + person
    }

    private static func degrees(_ value: Double) -> String { NumberText.digits(value, 7) }

    // MARK: CSV

    private static let header = "file,rank,time,zone,time_source,lon,lat,radius,method,track,person,reason\n"

    /// A row for each candidate; one row if there is none.
    private var rows: String {
        guard !photo.candidates.isEmpty else {
            return Self.row([path, "", "", "", "", "", "", "", "", "", "", photo.reason ?? ""])
        }
        return photo.candidates.enumerated().map { index, candidate in
            let estimate = candidate.estimate
            return Self.row([
                path, String(index + 1), candidate.timeText ?? "", candidate.zone,
                candidate.timeSource?.rawValue ?? "", estimate.map { Self.degrees($0.place.longitude) } ?? "",
                estimate.map { Self.degrees($0.place.latitude) } ?? "",
                estimate.map { NumberText.digits($0.radiusMetres, 1) } ?? "", estimate?.method.rawValue ?? "",
                estimate?.track ?? "", candidate.person ?? "", index == 0 ? photo.reason ?? "" : "",
            ])
        }.joined()
    }

    private static func row(_ fields: [String]) -> String {
        var bytes: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            CSVText.append(field, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }

    // MARK: GeoJSON

    private static func geoJSON(_ files: [LocatedFile]) -> String {
        let features = files.map(\.feature).joined(separator: ",\n")
        return "{\"type\":\"FeatureCollection\",\"features\":[\n\(features)\n]}\n"
    }

    /// RFC 7946: a photo without a place has the geometry null.
    private var feature: String {
        var properties = photo.json.text
        if properties.hasPrefix("{\"") {
            var file = JSONWriter()
            file.add(path)
            properties = "{\"file\":\(file.text)," + properties.dropFirst()
        }
        let geometry =
            photo.best?.estimate.map {
                "{\"type\":\"Point\",\"coordinates\":[\(Self.degrees($0.place.longitude)),\(Self.degrees($0.place.latitude))]}"
            } ?? "null"
        return "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":\(properties)}"
    }
}
