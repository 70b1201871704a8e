import PhotoLocating
import Testing

@testable import PhotoFiles

/// The times that cameras and programs write.
struct PhotoTimeTests {
    private static func packet(_ attributes: String) -> String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
          xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(attributes)/></rdf:RDF></x:xmpmeta>
        """
    }

    private static let xmpTimes = [
        "xmp:ModifyDate=\"2024-01-06T00:00:00\"", "photoshop:DateCreated=\"2024-01-05T00:00:00\"",
        "xmp:CreateDate=\"2024-01-04T00:00:00\"", "exif:DateTimeDigitized=\"2024-01-03T12:00:00\"",
        "exif:DateTimeOriginal=\"2024-01-02T00:00:00\"",
    ]

    @Test("The time taken is the first in the order of trust, wherever it is, and that of the last change is the last")
    func order() throws {
        var photo: [PhotoBuilder.Field] = [.text(0x9003, "2024:01:01 00:00:00"), .text(0x9004, "2024:01:03 00:00:00")]
        var xmp = Self.xmpTimes
        let image: [PhotoBuilder.Field] = [.text(0x0132, "2024:01:07 00:00:00")]
        func first() throws -> String? {
            let bytes = PhotoBuilder.jpeg(
                exif: PhotoBuilder.tiff(image, photo: photo), xmp: Self.packet(xmp.joined(separator: " ")))
            return PhotoLocator.reading(try PhotoFile(bytes: bytes).metadata())?.field
        }
        #expect(try first() == "DateTimeOriginal")
        photo.removeFirst()
        #expect(try first() == "XMP DateTimeOriginal")
        xmp.removeLast()
        #expect(try first() == "DateTimeDigitized")
        photo.removeFirst()
        #expect(try first() == "XMP DateTimeDigitized")
        xmp.removeLast()
        #expect(try first() == "XMP CreateDate")
        xmp.removeLast()
        #expect(try first() == "XMP DateCreated")
        xmp.removeLast()
        #expect(try first() == "DateTime")
    }

    @Test("A packet that ends with the rest of a longer one, and a JPEG file with the rest of a segment, are read")
    func leftovers() throws {
        let packet =
            "<?xpacket begin=\"\"?>" + Self.packet("xmp:CreateDate=\"2024-01-04T00:00:00\"")
            + "<?xpacket end=\"r\"?>li>\n"
        let readings = PhotoMetadata(xmp: Array(packet.utf8))?.readings
        #expect(readings?.map(\.field) == ["XMP CreateDate"])
        let tiff = PhotoBuilder.tiff([], photo: [.text(0x9003, "2024:01:01 00:00:00")])
        let jpeg = PhotoBuilder.jpeg(exif: tiff)
        let end = try #require(jpeg.indices.first { $0 > 4 && jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        let file = Array(jpeg[..<end] + [0x20, 0x65, 0xFF, 0x00, 0x3E] + jpeg[end...])
        let metadata = try PhotoFile(bytes: file).metadata()
        #expect(metadata.readings.count == 1 && metadata.size == PixelSize(width: 640, height: 480))
    }

    @Test("A time of the exposure in a sidecar counts before the time of the last change in the photo")
    func sidecar() throws {
        let tiff = PhotoBuilder.tiff([.text(0x0132, "2024:09:22 10:56:35")])
        var metadata = try PhotoFile(bytes: PhotoBuilder.jpeg(exif: tiff)).metadata()
        let bytes = Array(Self.packet("xmp:CreateDate=\"2024-06-01T10:09:46+02:00\"").utf8)
        metadata.fill(from: try #require(PhotoSidecar.metadata(bytes)))
        #expect(PhotoLocator.reading(metadata)?.field == "XMP CreateDate")
        #expect(metadata.readings.map(\.field) == ["XMP CreateDate", "DateTime"])
        // The exposure in the photo itself counts before that in the sidecar.
        let own = PhotoBuilder.tiff([], photo: [.text(0x9003, "2024:06:01 10:09:47")])
        metadata = try PhotoFile(bytes: PhotoBuilder.jpeg(exif: own)).metadata()
        metadata.fill(
            from: try #require(
                PhotoSidecar.metadata(Array(Self.packet("exif:DateTimeOriginal=\"2020-01-01T00:00:00\"").utf8))))
        #expect(PhotoLocator.reading(metadata)?.field == "DateTimeOriginal")
    }

    @Test(
        "Times without zeros in front, and with other separators, are read",
        arguments: [
            "2024:09:06 08:05:02", "2024:9:6 8:5:2", "2024: 9: 6  8: 5: 2", "2024-09-06T08:05:02",
            "2024/09/06 08:05:02",
            "2024.9.6 8.05.02", "2024:09:06:08:05:02",
        ])
    func separators(text: String) {
        #expect(ClockText.parse(text)?.shown == 1_725_609_902_000)
    }

    @Test(
        "The day of a receiver is read with any separators, without zeros in front, and as a day of the year",
        arguments: [
            ("2024:09:16", "2024-09-16"), ("2024-09-16", "2024-09-16"), ("2024/09/16", "2024-09-16"),
            ("2024\u{0}09\u{0}16", "2024-09-16"), ("20240916", "2024-09-16"), ("2024:0916", "2024-09-16"),
            ("2024:9:6", "2024-09-06"), ("2024: 9: 6", "2024-09-06"), ("2024:09:16 12:05:12", "2024-09-16"),
            ("2024:09:260", "2024-09-16"), ("2024:260", "2024-09-16"), ("2024260", "2024-09-16"),
            ("2024:01:016", "2024-01-16"), ("2024:02:32", "2024-02-01"), ("2024:12:366", "2024-12-31"),
            ("2023:12:365", "2023-12-31"), ("2023:12:366", nil), ("2024:08:260", nil), ("2024:13:01", nil),
            ("2024:00:00", nil), ("0000:00:00", nil), ("1970:01:01", nil), ("2024", nil), ("2024:000", nil),
            ("", nil), ("    :  :  ", nil), ("2024:09", nil), ("2024:09:1600", nil),
        ] as [(String, String?)])
    func days(text: String, day: String?) {
        let expected = day.flatMap { ClockText.parse($0 + " 00:00:00") }.map { Int($0.shown / 86_400_000) }
        #expect(ClockText.day(Array(text.utf8)) == expected)
    }

    @Test("The stamp of a receiver with a day of the year is that of the photo")
    func stamp() throws {
        let position: [PhotoBuilder.Field] = [
            .fractions(7, [(12, 1), (5, 1), (12, 1)]), .text(0x1D, "2024:09:260"),
        ]
        let file = PhotoBuilder.tiff([], photo: [.text(0x9003, "2024:09:16 14:05:12")], position: position)
        #expect(try PhotoFile(bytes: file).metadata().stamp.instant == 1_726_488_312_000)
    }

    @Test("The content identifier of a Live Photo is read from the notes of the still and the keys of the movie")
    func contentIdentifier() throws {
        let identifier = "1A2B3C4D-0000-4111-8222-ABCDEF012345"
        for big in [true, false] {
            let number = { (value: Int, bytes: Int) in PhotoBuilder.number(value, bytes, big: big) }
            let head = Array("Apple iOS\0".utf8) + [0, 1] + Array((big ? "MM" : "II").utf8)
            let rows =
                number(2, 2) + number(1, 2) + number(9, 2) + number(1, 4) + number(14, 4)
                + number(0x11, 2) + number(2, 2) + number(37, 4) + number(14 + 2 + 24 + 4, 4) + number(0, 4)
            let notes = head + rows + Array(identifier.lowercased().utf8) + [0]
            func still(_ notes: [UInt8]) throws -> PhotoMetadata {
                let field = PhotoBuilder.Field.raw(0x927C, type: 7, count: UInt32(notes.count), notes)
                return try PhotoFile(bytes: PhotoBuilder.jpeg(exif: PhotoBuilder.tiff([], photo: [field]))).metadata()
            }
            #expect(try still(notes).contentIdentifier == identifier)
            // Cut notes have none.
            for count in stride(from: 5, to: notes.count, by: 3) {
                #expect(try still(Array(notes.prefix(count))).contentIdentifier == nil)
            }
        }
        let keys = PhotoBuilder.appleMetadata([("com.apple.quicktime.content.identifier", identifier)])
        let movie = try PhotoFile(
            bytes: PhotoBuilder.movie(brand: "qt  ", PhotoBuilder.movieHead(3_834_473_400) + keys))
        #expect(try movie.metadata().contentIdentifier == identifier && movie.isMovie())
    }
}
