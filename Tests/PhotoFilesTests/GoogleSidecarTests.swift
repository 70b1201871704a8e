import PhotoLocating
import Testing
import TileMath

@testable import PhotoFiles

/// The JSON files that Google Takeout writes beside photos.
struct GoogleSidecarTests {
    /// 2025-07-20T14:00:00Z.
    private static let instant: Int64 = 1_753_020_000_000

    private func json(
        _ seconds: String = "1753020000", place: (Double, Double) = (48.1, 11.5), filePlace: (Double, Double) = (0, 0)
    ) -> [UInt8] {
        let geo = { (place: (Double, Double)) in
            "{\"latitude\": \(place.0), \"longitude\": \(place.1), \"altitude\": 5}"
        }
        return Array(
            """
            {"title": "a.jpg", "photoTakenTime": {"timestamp": "\(seconds)", "formatted": "x"},
            "geoData": \(geo(place)), "geoDataExif": \(geo(filePlace))}
            """.utf8)
    }

    private func filled(_ bytes: [UInt8]) throws -> PhotoMetadata { try filled(PhotoMetadata(), bytes) }

    private func filled(_ metadata: PhotoMetadata, _ bytes: [UInt8]) throws -> PhotoMetadata {
        var metadata = metadata
        try #require(GoogleSidecar(bytes)).fill(&metadata)
        return metadata
    }

    private func photo(_ shown: Int64, _ meaning: ClockReading.Meaning = .local) -> PhotoMetadata {
        var metadata = PhotoMetadata()
        metadata.readings = [ClockReading(shown: shown, meaning: meaning, field: "DateTimeOriginal")]
        return metadata
    }

    @Test(
        "Each name of a sidecar is found",
        arguments: [
            ("IMG_1.jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.JPG.supplemental-metadata.json"),
            ("IMG_1.jpg", "IMG_1.jpg.supplemental-me.json"), ("IMG_1.jpg", "IMG_1.jpg.suppl.json"),
            ("IMG_1.jpg", "IMG_1.jpg.s.json"), ("IMG_1.jpg", "IMG_1.jpg..json"),
            ("IMG_1(2).jpg", "IMG_1.jpg(2).json"), ("IMG_1(2).jpg", "IMG_1.jpg.supplemental-metadata(2).json"),
            ("IMG_1(2).jpg", "IMG_1.jpg.supple(2).json"), ("IMG_1(2).jpg", "IMG_1(2).jpg.json"),
            ("IMG_1(12).HEIC", "IMG_1.HEIC(12).json"), ("IMG_1-edited.jpg", "IMG_1.jpg.json"),
            ("IMG_1-bearbeitet.jpg", "IMG_1.jpg.supplemental-metadata.json"),
            ("IMG_1-modifié.jpg", "IMG_1.jpg.json"), ("IMG_1-modifie\u{301}.jpg", "IMG_1.jpg.json"),
            ("IMG_1-編集済み.jpg", "IMG_1.jpg.json"), ("IMG_1-edited(1).jpg", "IMG_1.jpg(1).json"),
            ("IMG_1(1)-edited.jpg", "IMG_1.jpg(1).json"), ("IMG_1-edited.jpg", "IMG_1.HEIC.supplemental-metadata.json"),
            ("IMG_1-edited.jpg", "IMG_1-edited.jpg.json"),
            ("2234089303984509579-edited.jpg", "2234089303984509579.supplemental-metadata.json"),
            ("20030616.jpg", "20030616.json"), ("IMG_1.MOV", "IMG_1.HEIC.json"),
            ("IMG_1.mp4", "IMG_1.JPG.supplemental-metadata.json"),
            ("IMG_1(1).MP4", "IMG_1.HEIC.supplemental-metadata(1).json"),
            ("PXL_1.MP", "PXL_1.MP.jpg.json"), ("PXL_1.MP.jpg", "PXL_1.MP.jpg.supplemental-metadata.json"),
            // Long names: 46 characters are before `.json`, and before the number of a duplicate.
            (
                "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg",
                "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN.json"
            ),
            ("0123456789012345678901234567890123456789 12.jpg", "0123456789012345678901234567890123456789 12.jp.json"),
            (
                "original_00000000-0000-4000-8000-000000000000_P.jpg",
                "original_00000000-0000-4000-8000-000000000000_.json"
            ),
            (
                "original_00000000-0000-4000-8000-000000000000_P(1).jpg",
                "original_00000000-0000-4000-8000-000000000000_.json"
            ),
            (
                "Photographs_of_a_ceremony_in_the_garden_2_abc_m(494).jpg",
                "Photographs_of_a_ceremony_in_the_garden_2_abc_(494).json"
            ),
            ("Screenshot_20231027_123303_Facebook(1).jpg", "Screenshot_20231027_123303_Facebook.jpg.supple(1).json"),
            (
                "Screenshot_2024-08-31-00-53-48-647_com.example-edi.jpg",
                "Screenshot_2024-08-31-00-53-48-647_com.example.json"
            ),
        ])
    func found(photo: String, sidecar: String) {
        #expect(GoogleSidecarName.sidecar(of: photo, among: [GoogleSidecarName.key(sidecar): sidecar]) == sidecar)
    }

    @Test(
        "The sidecar of another photo is not taken",
        arguments: [
            ("IMG_1(1).jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.jpg(1).json"),
            ("IMG_1(1).jpg", "IMG_1.jpg(2).json"), ("IMG_11.jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.png.json"),
            ("IMG_1-beach.jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.jpg.supplement-x.json"),
            ("IMG_1.jpg", "metadata.json"), ("IMG_1.jpg", "IMG_1.MOV.json"),
        ])
    func refused(photo: String, sidecar: String) {
        #expect(GoogleSidecarName.sidecar(of: photo, among: [GoogleSidecarName.key(sidecar): sidecar]) == nil)
    }

    @Test("An edited photo and a movie have their own sidecars if there are any")
    func own() {
        for (photo, own, other) in [
            ("a-edited.jpg", "a-edited.jpg.json", "a.jpg.json"), ("a.mov", "a.mov.json", "a.heic.json"),
            ("a(1).jpg", "a.jpg(1).json", "a.jpg.json"),
        ] {
            #expect(GoogleSidecarName.sidecar(of: photo, among: [own: own, other: other]) == own)
        }
    }

    @Test("A photo without a time and a place has those of Google; 0/0 and the time 0 are none")
    func missing() throws {
        let found = try filled(json())
        #expect(found.readings == [ClockReading(shown: Self.instant, meaning: .utc, field: "photoTakenTime")])
        #expect(found.stamp.place == GeoPoint(longitude: 11.5, latitude: 48.1))
        #expect(try filled(json("0", place: (0, 0))) == PhotoMetadata())
        #expect(try filled(json(place: (0, 0), filePlace: (1, 2))).stamp.place == GeoPoint(longitude: 2, latitude: 1))
        // Before 1970.
        #expect(try filled(json("-86400")).readings.first?.shown == -86_400_000)
    }

    @Test("A local time gets its zone from Google's time, and keeps its fraction")
    func zone() throws {
        let local = photo(Self.instant - 4 * 3_600_000 + 250)
        let found = PhotoLocator.reading(try filled(local, json()))
        #expect(found?.meaning == .offset(seconds: -14_400) && found?.shown == Self.instant - 14_399_750)
    }

    @Test("A local time that is no zone away from Google's has been corrected: Google's counts")
    func corrected() throws {
        for ahead in [100_000, 16 * 3_600_000, -900 * 86_400_000] as [Int64] {
            let found = PhotoLocator.reading(try filled(photo(Self.instant + ahead), json()))
            #expect(found?.meaning == .utc && found?.shown == Self.instant, "\(ahead)")
        }
        var changed = photo(Self.instant + 7_200_000)
        changed.readings[0].origin = .changed
        #expect(PhotoLocator.reading(try filled(changed, json()))?.field == "photoTakenTime")
    }

    @Test("A time that names its zone counts before Google's")
    func zoned() throws {
        let own = photo(Self.instant + 7_260_000, .offset(seconds: 7200))
        #expect(try filled(own, json()).readings == own.readings)
    }

    @Test("A local time that Google took for UTC, because it knew no place, may be either")
    func takenForUTC() throws {
        let found = try filled(photo(Self.instant), json(place: (0, 0)))
        #expect(PhotoLocator.reading(found)?.meaning == .utcOrLocal)
        #expect(PhotoLocator.reading(try filled(photo(Self.instant), json()))?.meaning == .offset(seconds: 0))
    }

    @Test("The photo's own place counts, unless somebody has moved it in Google Photos")
    func places() throws {
        var own = PhotoMetadata()
        own.stamp = PositionStamp(place: GeoPoint(longitude: 8, latitude: 50), accuracyMetres: 5)
        #expect(try filled(own, json()).stamp == own.stamp)
        #expect(try filled(own, json(place: (50.0002, 8), filePlace: (50, 8))).stamp == own.stamp)
        let moved = try filled(own, json(filePlace: (50, 8))).stamp
        #expect(moved.place == GeoPoint(longitude: 11.5, latitude: 48.1) && moved.accuracyMetres == nil)
    }

    @Test("Other JSON files, impossible places and times are no sidecars of photos")
    func others() throws {
        for text in ["{}", "[]", "{\"title\": \"album\"}", "", "{", "{\"type\": \"FeatureCollection\"}"] {
            #expect(GoogleSidecar(Array(text.utf8)) == nil, "\(text)")
        }
        #expect(try filled(json("99999999999999999999", place: (91, 0), filePlace: (0, 999))) == PhotoMetadata())
        #expect(try filled(json("soon", place: (0, 0))) == PhotoMetadata())
    }
}
