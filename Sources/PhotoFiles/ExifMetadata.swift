import Exif
import Foundation
import PhotoLocating
import Text
import TileMath

extension PhotoMetadata {
    /// What the fields of EXIF say.
    init(_ fields: ExifFields) {
        self.init()
        make = fields.text(ExifField(.image, 0x010F))
        model = fields.text(ExifField(.image, 0x0110))
        // BodySerialNumber of EXIF, else CameraSerialNumber of DNG.
        serial = fields.text(ExifField(.photo, 0xA431)) ?? fields.text(ExifField(.image, 0xC62F))
        if let turned = fields.numbers(ExifField(.image, 0x0112)).first, (1...8).contains(turned) {
            orientation = Int(turned)
        }
        let original = ExifField(.photo, 0x9003)
        add(
            "DateTimeOriginal", .original, fields.text(original) ?? fields.text(ExifField(.image, 0x9003)),
            fraction: fields.text(ExifField(.photo, 0x9291)), offset: fields.text(ExifField(.photo, 0x9011)))
        add(
            "DateTimeDigitized", .digitized, fields.text(ExifField(.photo, 0x9004)),
            fraction: fields.text(ExifField(.photo, 0x9292)), offset: fields.text(ExifField(.photo, 0x9012)))
        add(
            "DateTime", .changed, fields.text(ExifField(.image, 0x0132)),
            fraction: fields.text(ExifField(.photo, 0x9290)), offset: fields.text(ExifField(.photo, 0x9010)))
        stamp = PositionStamp(fields)
        size = Self.size(fields)
    }

    private mutating func add(
        _ field: String, _ origin: ClockReading.Origin, _ text: String?, fraction: String?, offset: String?
    ) {
        guard let text, let parsed = ClockText.parse(text) else { return }
        var shown = parsed.shown
        if shown % 1000 == 0, let fraction { shown += Int64(ClockText.fraction(fraction.utf8)) }
        let seconds = offset.flatMap { ClockText.offset($0.utf8) } ?? parsed.offsetSeconds
        readings.append(
            ClockReading(
                shown: shown, meaning: seconds.map { .offset(seconds: $0) } ?? .local, field: field, origin: origin))
    }

    private static func size(_ fields: ExifFields) -> PixelSize? {
        let photo = [0xA002, 0xA003].compactMap { fields.numbers(ExifField(.photo, $0)).first }
        let image = [0x0100, 0x0101].compactMap { fields.numbers(ExifField(.image, $0)).first }
        // The first directory of many raw formats holds a small preview (bit 0 of the kind of the file).
        let isPreview = fields.numbers(ExifField(.image, 0x00FE)).first == 1
        let pair = photo.count == 2 ? photo : isPreview ? [] : image
        guard pair.count == 2, pair.allSatisfy({ $0 >= 1 && $0 <= Double(UInt32.max) }) else { return nil }
        return PixelSize(width: Int(pair[0]), height: Int(pair[1]))
    }
}

extension PositionStamp {
    fileprivate init(_ fields: ExifFields) {
        self.init()
        // `V`: the receiver knew no place.
        guard fields.text(ExifField(.position, 0x09))?.uppercased() != "V" else { return }
        let latitude = Self.degrees(fields, 0x02, letter: 0x01, negative: "S", limit: 90)
        let longitude = Self.degrees(fields, 0x04, letter: 0x03, negative: "W", limit: 180)
        if let latitude, let longitude { place = Self.place(longitude: longitude, latitude: latitude) }
        if let accuracy = fields.numbers(ExifField(.position, 0x1F)).first, accuracy > 0, accuracy < 1e7 {
            accuracyMetres = accuracy
        }
        instant = Self.instant(fields)
    }

    /// A place of a receiver; nil for 0/0, which means that there was none.
    static func place(longitude: Double, latitude: Double) -> GeoPoint? {
        guard longitude != 0 || latitude != 0 else { return nil }
        return GeoPoint(longitude: longitude, latitude: latitude)
    }

    /// Degrees, minutes and seconds, of which the last two may be missing.
    private static func degrees(
        _ fields: ExifFields, _ tag: UInt16, letter: UInt16, negative: String, limit: Double
    ) -> Double? {
        let parts = fields.numbers(ExifField(.position, tag)).prefix(3)
        guard let whole = parts.first, whole.isFinite else { return nil }
        let rest = parts.dropFirst().map { $0.isFinite ? $0 : 0 }
        guard rest.allSatisfy({ (0...60).contains($0) }) else { return nil }
        let degrees = whole + (rest.first ?? 0) / 60 + (rest.dropFirst().first ?? 0) / 3600
        guard degrees >= 0, degrees <= limit else { return nil }
        return fields.text(ExifField(.position, letter))?.uppercased().hasPrefix(negative) == true ? -degrees : degrees
    }

    private static func instant(_ fields: ExifFields) -> Int64? {
        let clock = fields.numbers(ExifField(.position, 0x07))
        guard let day = ClockText.day(fields.textBytes(ExifField(.position, 0x1D))), clock.count == 3,
            (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0..<61).contains(clock[2])
        else { return nil }
        let seconds = clock[0] * 3600 + clock[1] * 60 + clock[2]
        return Int64(day) * CivilDay.milliseconds + Int64((seconds * 1000).rounded())
    }
}
