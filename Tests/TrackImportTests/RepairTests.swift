import Testing
import TrackImport
import Tracks

private func gpx(_ name: String, head: String = "<?xml version=\"1.0\"?>\n") -> String {
    head + "<gpx><trk><name>\(name)</name><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>"
}

/// The bytes of a text in Windows-1252.
private func latin(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8(truncatingIfNeeded: $0.value) }
}

private func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
}

@Suite struct RepairTests {
    @Test func `Bytes in another encoding than declared are read and reported`() {
        for head in [
            "", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='UTF-8'?>",
            "<?xml version='1.0' encoding='us-ascii'?>",
        ] {
            let result = imported(latin(gpx("Zürich für 5 €", head: head)))
            #expect(result.recordings.map(\.header.name) == ["Zürich für 5 €"], "\(head)")
            #expect(result.receipt.failure == nil)
            #expect(result.receipt.remarks == [.invalidUTF8Bytes])
        }
    }

    @Test func `Declared encodings and valid documents are read without remarks`() {
        let declared = imported(latin(gpx("Zürich", head: "<?xml version='1.0' encoding='ISO-8859-1'?>")))
        #expect(declared.recordings.map(\.header.name) == ["Zürich"])
        let sound = imported(gpx("Zürich &amp; 東京 &#233;&#x20AC; 🚲"))
        #expect(sound.recordings.map(\.header.name) == ["Zürich & 東京 é€ 🚲"])
        #expect(declared.receipt.remarks.union(sound.receipt.remarks) == [])
    }

    @Test func `Unescaped ampersands are kept outside markup`() {
        let result = imported(gpx("A & B &amp; C&D &nbsp; &#0; <![CDATA[& &amp;]]><!-- & --> &"))
        #expect(result.recordings.map(\.header.name) == ["A & B & C&D &nbsp; &#0; & &amp; &"])
        #expect(result.receipt.remarks == [.bareAmpersands])
        let unchanged = imported(gpx("<![CDATA[& &amp;]]><!-- & -->"))
        #expect(unchanged.recordings.map(\.header.name) == ["& &amp;"])
        #expect(unchanged.receipt.remarks == [])
    }

    @Test func `The block size does not change repairs`() {
        for bytes in [
            latin(gpx("Zü & <![CDATA[&]]> &amp; <!-- & -->&x; ü")), Array(gpx("東京 &#x20AC; 🚲 & é").utf8),
        ] {
            let whole = imported(bytes)
            for block in 1...40 {
                let result = imported(bytes, block: block)
                #expect(result.recordings == whole.recordings, "\(block)")
                #expect(result.receipt.remarks == whole.receipt.remarks, "\(block)")
            }
        }
    }

    @Test(arguments: [false, true], [false, true]) func `Texts in UTF-16 are read with a byte order mark and without`(
        isBigEndian: Bool, hasByteOrderMark: Bool
    ) {
        let byteOrderMark: [UInt8] = hasByteOrderMark ? (isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]) : []
        for (text, name) in [
            (gpx("Zürich 🚲", head: "<?xml version=\"1.0\" encoding=\"UTF-16\"?>"), "Zürich 🚲"),
            ("breite;länge;zeit;track\n1;2;2024-05-01 08:00:00;Zürich 🚲\n", "Zürich 🚲"),
            (gpx("UTF-8, as it says", head: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"), "UTF-8, as it says"),
        ] {
            let bytes = byteOrderMark + utf16(text, isBigEndian: isBigEndian)
            for block in [1, 2, 3, 1000] {
                let result = imported(bytes, block: block)
                #expect(result.recordings.map(\.header.name) == [name])
                #expect(result.recordings.map(\.points.count) == [1])
            }
        }
    }

    @Test func `A byte order mark is ignored in every format`() {
        let texts = [
            gpx("a"), "lat,lon\n1,2\n", "{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4]]}",
            "{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":2}]}", "\n  " + gpx("blanks before"),
        ]
        for text in texts {
            let result = imported([0xEF, 0xBB, 0xBF] + Array(text.utf8))
            #expect(result.receipt.failure == nil, "\(text)")
            #expect(result.recordings.count == 1, "\(text)")
        }
    }

    @Test func `Columns in Latin-1 are read`() {
        let result = imported(latin("breite;länge;zeit;track\n1;2;2024-05-01 08:00:00;Zürich\n"))
        #expect(result.recordings.map(\.header.name) == ["Zürich"])
    }
}
