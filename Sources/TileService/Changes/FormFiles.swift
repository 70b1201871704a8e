import Files
import Foundation
import HTTPCore
package import TrackImport

/// The files of a form (`multipart/form-data`, RFC 7578), found in its bytes and left there.
package enum FormFiles {
    /// More than anybody picks at once.
    private static let mostParts = 10_000
    /// Bytes of a part's headers.
    private static let headBytes: Int64 = 16 * 1024

    /// The boundary that a content type names; nil where it is of something else than a form.
    static func boundary(of contentType: String?) throws(Problem) -> String? {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data") else { return nil }
        guard let boundary = HeaderParameter.value(of: "boundary", in: contentType),
            (1...70).contains(boundary.utf8.count)
        else { throw Problem.badRequest("the form's content type names no boundary") }
        return boundary
    }

    /// The files of the form at `path`, in their order. Reads all of it once.
    package static func all(path: String, boundary: String) throws -> [Upload] {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        let places = try ByteSearch.places(of: delimiter, in: path, most: mostParts + 1)
        guard let places else { throw Problem.badRequest("the form has more than \(mostParts) parts") }
        let file = try FileSource(path: path)
        var uploads: [Upload] = []
        for (index, place) in places.enumerated() {
            let start = place + Int64(delimiter.count)
            try file.move(to: start)
            let end = index + 1 < places.count ? places[index + 1] : file.facts.byteCount
            let head = try file.read(upTo: Int(max(1, min(headBytes, end - start))))
            if head.starts(with: [UInt8(ascii: "-"), UInt8(ascii: "-")]) { return uploads }
            guard index + 1 < places.count else { break }
            if let upload = try upload(head, from: start, to: end, path: path) { uploads.append(upload) }
        }
        throw Problem.badRequest("the form breaks off")
    }

    /// The file of a part; nil where none was picked.
    private static func upload(
        _ head: [UInt8], from start: Int64, to end: Int64, path: String
    ) throws(Problem) -> Upload? {
        let separator = Array("\r\n\r\n".utf8)
        guard let headEnd = head.indices.first(where: { head[$0...].starts(with: separator) }) else {
            throw Problem.badRequest("a part of the form has no headers that end")
        }
        let lines = String(decoding: head[..<headEnd], as: UTF8.self).split(whereSeparator: \.isNewline)
        let disposition = lines.first { $0.lowercased().hasPrefix("content-disposition:") }.map(String.init) ?? ""
        guard let name = HeaderParameter.value(of: "filename", in: disposition) else {
            let field = HeaderParameter.value(of: "name", in: disposition) ?? ""
            throw Problem.badRequest("the form's field '\(field.prefix(40))' is no file; options stand in the query")
        }
        let first = start + Int64(headEnd + separator.count)
        guard !name.isEmpty || first < end else { return nil }
        return Upload(name: name, path: path, bytes: min(first, end)..<end)
    }
}

/// Parameters of headers: `name=value` and `name="value"`.
enum HeaderParameter {
    /// A parameter's value; nil where it is not there.
    static func value(of name: String, in header: String) -> String? {
        var rest = header[...].drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let found = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(found.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let value = value(&rest)
            if found.lowercased() == name { return value }
            rest = rest.drop { $0 != ";" }
        }
        return nil
    }

    private static func value(_ rest: inout Substring) -> String {
        guard rest.first == "\"" else {
            let token = rest.prefix { $0 != ";" }
            rest = rest.dropFirst(token.count)
            return token.trimmingCharacters(in: .whitespaces)
        }
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            // Browsers write a quote as %22, others with a backslash; a path of Windows has backslashes of its own.
            if character == "\\", rest.first == "\"" {
                value.append("\"")
                rest = rest.dropFirst()
            } else {
                value.append(character)
            }
        }
        return value.replacing("%22", with: "\"")
    }
}

/// Where bytes stand in a file.
enum ByteSearch {
    /// The places of `wanted`, as if the file began with a line's end; nil where there are more than `most`. Reads the file
    /// block by block.
    static func places(of wanted: [UInt8], in path: String, most: Int) throws -> [Int64]? {
        let file = try FileSource(path: path)
        var window: [UInt8] = [0x0d, 0x0a]
        /// Where the window begins.
        var start: Int64 = -2
        var places: [Int64] = []
        while true {
            let block = try file.read(upTo: FileSource.blockBytes)
            if block.isEmpty { return places }
            window += block
            var index = 0
            let last = window.count - wanted.count
            while index <= last {
                if window[index] == wanted[0], window[index...].starts(with: wanted) {
                    places.append(start + Int64(index))
                    guard places.count <= most else { return nil }
                    index += wanted.count
                } else {
                    index += 1
                }
            }
            // What may be a beginning is looked at again with the next block; what was found is not.
            window.removeFirst(index)
            start += Int64(index)
        }
    }
}
