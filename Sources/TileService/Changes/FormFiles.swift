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
        guard let contentType,
            contentType.prefix(while: { $0 != ";" }).trimmingCharacters(in: .whitespaces).lowercased()
                == "multipart/form-data"
        else { return nil }
        guard let boundary = HeaderParameter.value(of: "boundary", in: contentType), isBoundary(boundary) else {
            throw Problem.badRequest("the form's content type names no boundary of 1 to 70 characters")
        }
        return boundary
    }

    /// RFC 2046 5.1.1, and all else that stands for itself: senders are not that exact.
    private static func isBoundary(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.utf8.last != UInt8(ascii: " ")
            && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }

    /// The files of the form at `path`, in their order. Reads all of it once.
    package static func all(path: String, boundary: String) throws -> [Upload] {
        guard let delimiters = try FormDelimiter.all(of: boundary, in: path, most: mostParts + 1) else {
            throw Problem.badRequest("the form has more than \(mostParts) parts")
        }
        let file = try FileSource(path: path)
        var uploads: [Upload] = []
        for (delimiter, next) in zip(delimiters, delimiters.dropFirst()) {
            guard !delimiter.isLast else { return uploads }
            // The line end behind a delimiter may be the one before the next: of a part without headers and content.
            let start = min(delimiter.end, next.start)
            try file.move(to: start)
            let head = try file.read(upTo: Int(max(1, min(headBytes, next.start - start))))
            if let upload = try upload(head, from: start, to: next.start, path: path) { uploads.append(upload) }
        }
        guard delimiters.last?.isLast == true else { throw Problem.badRequest("the form breaks off") }
        return uploads
    }

    /// The file of a part; nil where none was picked.
    private static func upload(
        _ head: [UInt8], from start: Int64, to end: Int64, path: String
    ) throws(Problem) -> Upload? {
        // The line end of the delimiter is part of the head, so that one without headers ends as any other.
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
