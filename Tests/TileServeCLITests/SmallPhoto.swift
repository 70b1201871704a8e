/// Small files of photos and videos.
enum SmallPhoto {
    /// A JPEG file of one grey block, whose time is in an XMP packet; it ends without an end marker.
    static func still(_ attributes: String) -> [UInt8] {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" \(attributes)/></rdf:RDF></x:xmpmeta>
            """
        let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
        let count = content.count + 2
        // A table of ones, a frame of 8 x 8 pixels of one component, tables with one code each, and a scan of two codes.
        let picture: [UInt8] =
            [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
            + [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
            + [0xFF, 0xC4, 0, 20, 0x00, 1] + [UInt8](repeating: 0, count: 15) + [0]
            + [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 15) + [0]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F]
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 255)] + content + picture
    }

    private static func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8) + Array(type.utf8) + content
    }

    /// A MOV file of three seconds with Apple's creation date and place.
    static func movie(_ time: String) -> [UInt8] {
        let values = [
            ("com.apple.quicktime.creationdate", time), ("com.apple.quicktime.location.ISO6709", "+40.7243-073.9500/"),
            ("com.apple.quicktime.content.identifier", "AAAA-BBBB"),
        ]
        let keys = values.flatMap { box("mdta", Array($0.0.utf8)) }
        let items = values.enumerated().flatMap { index, value in
            let data = box("data", big(1) + big(0) + Array(value.1.utf8))
            return big(data.count + 8) + big(index + 1) + data
        }
        let head = [0, 0, 0, 0] + big(0) + big(0) + big(1000) + big(3000) + [UInt8](repeating: 0, count: 80)
        let meta = box(
            "meta",
            box("hdlr", [UInt8](repeating: 0, count: 24)) + box("keys", big(0) + big(values.count) + keys)
                + box("ilst", items))
        return box("ftyp", Array("qt  ".utf8) + big(0)) + box("moov", box("mvhd", head) + meta)
    }
}
