import Foundation
package import HTTPCore

/// A part of a form (`multipart/form-data`, RFC 7578).
package struct FormPart: Sendable, Equatable {
    /// The name of the field; empty if the part has none.
    package var field: String
    /// The name of the file; nil for a field that is not a file.
    package var fileName: String?
    /// The content, as a range of the bytes of the form.
    package var bytes: Range<Int64>

    /// Limit in bytes of a part's headers.
    private static let headBytes: Int64 = 16 * 1024

    /// The parts of the form at `path`, in order, at most `most`. Reads it once.
    package static func all(path: String, boundary: String, most: Int) throws -> [FormPart] {
        try all(FormSource(path: path), boundary, most: most)
    }

    /// The parts of a form in memory, in order, at most `most`.
    package static func all(in bytes: [UInt8], boundary: String, most: Int) throws -> [FormPart] {
        try all(FormSource(bytes), boundary, most: most)
    }

    private static func all(_ given: FormSource, _ boundary: String, most: Int) throws -> [FormPart] {
        var form = given
        guard let delimiters = try FormDelimiter.all(of: boundary, in: &form, most: most + 1) else {
            throw Problem.badRequest("the form has more than \(most) parts")
        }
        var parts: [FormPart] = []
        for (delimiter, next) in zip(delimiters, delimiters.dropFirst()) {
            guard !delimiter.isLast else { return parts }
            // The line break after a delimiter can be the one before the next: a part without headers and content.
            let start = min(delimiter.end, next.start)
            try form.move(to: start)
            let head = try form.read(upTo: Int(max(1, min(headBytes, next.start - start))))
            parts.append(try part(head, from: start, to: next.start))
        }
        guard delimiters.last?.isLast == true else { throw Problem.badRequest("the form is incomplete") }
        return parts
    }

    private static func part(_ head: [UInt8], from start: Int64, to end: Int64) throws(Problem) -> FormPart {
        // The line break of the delimiter belongs to the head, so that the end of empty headers is found too.
        let separator = Array("\r\n\r\n".utf8)
        guard let headEnd = head.indices.first(where: { head[$0...].starts(with: separator) }) else {
            throw Problem.badRequest("the headers of a part of the form are incomplete or too long")
        }
        let disposition = HeaderParameter.disposition(ofPart: head[..<headEnd]) ?? ""
        let first = start + Int64(headEnd + separator.count)
        return FormPart(
            field: HeaderParameter.value(of: "name", in: disposition) ?? "",
            fileName: HeaderParameter.value(of: "filename", in: disposition), bytes: min(first, end)..<end)
    }
}

extension FormPart {
    /// The boundary in a content type; nil if it is not the type of a form.
    package static func boundary(of contentType: String?) throws(Problem) -> String? {
        guard let contentType,
            contentType.prefix(while: { $0 != ";" }).trimmingCharacters(in: .whitespaces).lowercased()
                == "multipart/form-data"
        else { return nil }
        guard let boundary = HeaderParameter.value(of: "boundary", in: contentType), isBoundary(boundary) else {
            throw Problem.badRequest("the form's content type has no boundary of 1 to 70 characters")
        }
        return boundary
    }

    /// Accepts the characters of RFC 2046 5.1.1 and all other printable ASCII, because senders are not exact.
    private static func isBoundary(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.utf8.last != UInt8(ascii: " ")
            && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
}

/// Parameters of headers: `name=value` and `name="value"`.
package enum HeaderParameter {
    /// The header `Content-Disposition` in the headers of a part of a form; nil if it is missing.
    static func disposition(ofPart head: some Collection<UInt8>) -> String? {
        String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
            .first { $0.lowercased().hasPrefix("content-disposition:") }.map(String.init)
    }

    /// The value of a parameter; nil if it is missing.
    package static func value(of name: String, in header: String) -> String? {
        // By scalars: together with a combining mark behind it, a quotation mark is another character.
        var rest = header.unicodeScalars[...].drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let found = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(found.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let value = value(&rest)
            if String(found).lowercased() == name { return value }
            rest = rest.drop { $0 != ";" }
        }
        return nil
    }

    private static func value(_ rest: inout Substring.UnicodeScalarView) -> String {
        guard rest.first == "\"" else {
            let token = rest.prefix { $0 != ";" }
            rest = rest.dropFirst(token.count)
            return String(token).trimmingCharacters(in: .whitespaces)
        }
        rest = rest.dropFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            // Browsers write a quote as %22, others with a backslash; Windows paths contain backslashes of their own.
            if scalar == "\\", rest.first == "\"" {
                value.append("\"")
                rest = rest.dropFirst()
            } else {
                value.append(scalar)
            }
        }
        return String(value).replacing("%22", with: "\"")
    }
}
