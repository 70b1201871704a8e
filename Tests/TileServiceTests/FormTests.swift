import Files
import HTTPCore
import RequestHandling
import TestSupport
import Testing
import TileService
import TrackImport
import TrackService

@Suite struct FormTests {
    private struct Part {
        var name: String
        var content: [UInt8]
    }

    private static let boundaryCharacters = Array("abcXYZ019'()+_,-./:=? ")

    private static func boundary(_ generator: inout SeededRandom) -> String {
        let count = Int.random(in: 1...70, using: &generator)
        let text = (0..<count).map { _ in boundaryCharacters.randomElement(using: &generator) ?? "a" }
        return String(text.dropLast()) + "z"
    }

    /// Content made of fragments of delimiters, mostly of this boundary.
    private static func content(_ boundary: String, _ generator: inout SeededRandom) -> [UInt8] {
        let snippets = [
            "\r\n--\(boundary.dropLast())", "\r\n", "--\(boundary)", "\r\n--", "\r", "\n", "-", "--", " ", "\t",
            "\r\n--\(boundary)x", "\r\n--\(boundary)-", "\r\n--\(boundary) x", "\r\n--\(boundary)--x",
            "\n--\(boundary)\r\n", "\r--\(boundary)\r\n", "\r\n-\(boundary)\r\n", "\r\n--\(boundary)\n",
            "\r\n--\(boundary)--\n", "abc", "\0", "\r\r\n--\(boundary)\(boundary)",
        ]
        var content: [UInt8] = []
        for _ in 0..<Int.random(in: 0...30, using: &generator) {
            content += (snippets.randomElement(using: &generator) ?? "").utf8
        }
        // Content that contains a delimiter would end the part.
        return isSafe(content, boundary) ? content : []
    }

    /// Whether no line of the content, after a line break, is a delimiter; computed in the simplest way.
    private static func isSafe(_ content: [UInt8], _ boundary: String) -> Bool {
        let framed = Array("\r\n".utf8) + content + Array("\r\n".utf8)
        let start = Array("\r\n--\(boundary)".utf8)
        return !framed.indices.contains { index in
            guard framed[index...].starts(with: start) else { return false }
            var rest = framed[(index + start.count)...]
            if rest.starts(with: "--".utf8) { rest = rest.dropFirst(2) }
            return rest.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: [0x0d, 0x0a])
        }
    }

    private static func form(_ parts: [Part], _ boundary: String, _ generator: inout SeededRandom) -> [UInt8] {
        var bytes = Array(
            ["", "", "preamble\r\n", "--\(boundary)x\r\n"].randomElement(using: &generator)?.utf8 ?? "".utf8)
        func blanks() -> String { ["", "", " ", "\t \t"].randomElement(using: &generator) ?? "" }
        for part in parts {
            let head = "Content-Disposition: form-data; name=\"f\"; filename=\"\(part.name)\""
            bytes += "--\(boundary)\(blanks())\r\n\(head)\r\n\r\n".utf8
            bytes += part.content + Array("\r\n".utf8)
        }
        let epilogue = ["", "\r\n", "\r\nepilogue\r\n--\(boundary)\r\n"].randomElement(using: &generator) ?? ""
        return bytes + "--\(boundary)--\(blanks())\(epilogue)".utf8
    }

    @Test func `files of a form are found for any content, boundary and block size`() throws {
        var generator = SeededRandom(seed: 11)
        let folder = try TemporaryFolder()
        let path = folder.path + "/form"
        for round in 0..<300 {
            let boundary = Self.boundary(&generator)
            let parts = (0..<Int.random(in: 0...5, using: &generator)).map { number in
                var content = Self.content(boundary, &generator)
                if round % 20 == 0 {
                    let room = FileSource.blockBytes + Int.random(in: -120...40, using: &generator)
                    content = [UInt8](repeating: 0x61, count: room) + content
                    if !Self.isSafe(content, boundary) { content = [] }
                }
                return Part(name: "\(number)", content: content)
            }
            let bytes = Self.form(parts, boundary, &generator)
            try AtomicFile.write(bytes, to: path, durability: .cached)
            let found = try FormFiles.all(path: path, boundary: boundary)
            #expect(
                try FormPart.all(in: bytes, boundary: boundary, most: 10)
                    == FormPart.all(path: path, boundary: boundary, most: 10), "round \(round)")
            #expect(found.map(\.name) == parts.map(\.name), "round \(round)")
            for (upload, part) in zip(found, parts) {
                let range = Int(upload.bytes.lowerBound)..<Int(upload.bytes.upperBound)
                #expect(Array(bytes[range]) == part.content, "round \(round)")
            }
        }
    }

    @Test func `a truncated form is refused, or complete`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/form"
        let bytes = Array(
            "--b\r\nContent-Disposition: form-data; filename=\"a\"\r\n\r\ncontent\r\n--b--\r\n".utf8)
        for count in 0..<(bytes.count - 2) {
            try AtomicFile.write(Array(bytes.prefix(count)), to: path, durability: .cached)
            #expect(throws: Problem.self) { try FormFiles.all(path: path, boundary: "b") }
        }
        // The line break after the closing delimiter is often missing.
        try AtomicFile.write(Array(bytes.dropLast(2)), to: path, durability: .cached)
        #expect(try FormFiles.all(path: path, boundary: "b").map(\.name) == ["a"])
    }

    @Test func `a boundary that is a prefix of another line does not end a part`() throws {
        let town = try Town()
        let inner = ChangeTests.form([("inner.gpx", "x")], boundary: "XyZ9")
        let answer = try town.send(ChangeTests.form([("a.txt", inner)]), "", ChangeTests.formType)
        #expect(answer.text.contains("a.txt") && !answer.text.contains("inner.gpx"))
        let quoted = [(HeaderName.contentType, "Multipart/Form-Data; charset=utf-8; boundary=\"X y;Z\"")]
        let form = ChangeTests.form([("a.gpx", ChangeTests.gpx(day: 1))], boundary: "X y;Z")
        #expect(try town.send(form, "", quoted).status == .ok)
        for type in [
            "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=\"a \"", "multipart/form-data",
        ] {
            #expect(try town.send(form, "", [(HeaderName.contentType, type)]).status == .badRequest)
        }
    }
}
