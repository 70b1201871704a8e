import Foundation
public import PhotoLocating
import Text
public import TileMath

/// XMP sidecars: small files beside photos, which photo programs read.
public enum PhotoSidecar {
    /// The path of a photo's sidecar: `IMG_1.jpg.xmp`.
    public static func path(of photo: String) -> String { photo + ".xmp" }

    /// Larger files are not sidecars.
    public static let byteLimit = 4 << 20

    /// The name by which sidecars of this program are recognised.
    private static let toolkit = "tileserve"

    /// Whether this program wrote the sidecar.
    public static func isOwn(_ bytes: [UInt8]) -> Bool {
        (try? XMPProperties(bytes))?["xmptk"] == toolkit
    }

    /// What a sidecar says about its photo: nothing if this program wrote it, because it would confirm itself.
    public static func metadata(_ bytes: [UInt8]) -> PhotoMetadata? {
        isOwn(bytes) ? nil : PhotoMetadata(xmp: bytes)
    }

    /// The sidecar of a photo with a place; the same place and time give the same bytes.
    ///
    /// `instant` is in milliseconds since 1970, `zoneAhead` the milliseconds that local time is ahead of UTC.
    public static func bytes(
        place: GeoPoint, radiusMetres: Double, instant: Int64?, zoneAhead: Int64
    ) -> [UInt8] {
        var properties = [
            ("GPSVersionID", "2.3.0.0"), ("GPSMapDatum", "WGS-84"),
            ("GPSLatitude", minutes(place.latitude, "N", "S")), ("GPSLongitude", minutes(place.longitude, "E", "W")),
            ("GPSHPositioningError", "\(Int(min(radiusMetres, 1e9).rounded(.up)))/1"),
        ]
        if let instant {
            properties.append(("GPSTimeStamp", InstantFormatter.utc(instant)))
            properties.append(("DateTimeOriginal", localTime(instant, ahead: zoneAhead)))
        }
        let attributes = properties.map { "\n    exif:\($0)=\"\($1)\"" }.joined()
        // The id of a packet is this constant in all files (XMP specification, part 1).
        let text = """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="\(toolkit)">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"\(attributes)/>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
        return Array(text.utf8)
    }

    /// `2025-08-31T10:25:44+02:00`.
    public static func localTime(_ instant: Int64, ahead: Int64) -> String {
        let minutes = ahead.magnitude / 60_000
        let sign = ahead < 0 ? "-" : "+"
        let shown = InstantFormatter.utc(instant + ahead).dropLast()
        return shown + sign + String(format: "%02d:%02d", Int(minutes / 60), Int(minutes % 60))
    }

    /// Degrees and minutes as XMP writes them: `48,51.4620000N`. Seven places of a minute are 0.2 mm.
    private static func minutes(_ degrees: Double, _ positive: String, _ negative: String) -> String {
        let unit = 10_000_000
        let total = Int((abs(degrees) * 60 * Double(unit)).rounded())
        let (whole, rest) = (total / (60 * unit), total % (60 * unit))
        let fraction = String(format: "%d.%07d", rest / unit, rest % unit)
        return "\(whole),\(fraction)\(degrees < 0 ? negative : positive)"
    }
}
