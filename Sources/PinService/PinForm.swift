import Files
import HTTPCore
import RequestHandling

/// A form with the members of a pin as fields, and its photo as the file `photo`.
struct PinForm {
    /// The members of the pin, by their names.
    let fields: [(name: String, text: String)]
    /// The photo's bytes; nil if none was selected.
    let photo: [UInt8]?

    /// Limit in bytes of a photo: a raw photo of 50 megapixels.
    static let photoLimit = 64 << 20
    /// Limit in bytes of a form: its photo, its fields and the headers of its parts.
    static let byteLimit = photoLimit + (128 << 10)
    /// The members of a pin, the photo, and what a browser may add.
    private static let partLimit = 16

    /// Reads a form; throws a `400`, or a `413`.
    init(path: String, boundary: String) throws {
        let file = try FileSource(path: path)
        var fields: [(name: String, text: String)] = []
        var photo: [UInt8]?
        var bytes = 0
        for part in try FormPart.all(path: path, boundary: boundary, most: Self.partLimit) {
            let name = part.field.prefix(40)
            guard part.field == "photo" else {
                guard part.fileName == nil else {
                    throw Problem.badRequest(
                        "the form's file '\(name)' is not expected; the photo has to be named photo")
                }
                bytes += part.bytes.count
                guard bytes <= PinBody.byteLimit else {
                    throw Problem(.contentTooLarge, "the form's fields have more than \(PinBody.byteLimit) bytes")
                }
                let content = try Self.read(part.bytes, of: file)
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw Problem.badRequest("the form's field '\(name)' is not UTF-8")
                }
                if !text.isEmpty { fields.append((part.field, text)) }
                continue
            }
            guard part.bytes.count <= Self.photoLimit else {
                throw Problem(.contentTooLarge, "the photo has more than \(Self.photoLimit) bytes")
            }
            // Without a selected file, browsers send an empty one.
            guard !part.bytes.isEmpty else { continue }
            guard photo == nil else { throw Problem.badRequest("the form has two photos; send each as a pin") }
            photo = try Self.read(part.bytes, of: file)
        }
        self.fields = fields
        self.photo = photo
    }

    private static func read(_ range: Range<Int64>, of file: FileSource) throws -> [UInt8] {
        try file.move(to: range.lowerBound)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        while bytes.count < range.count {
            let block = try file.read(upTo: min(FileSource.blockBytes, range.count - bytes.count))
            guard !block.isEmpty else { throw Problem.badRequest("the form is incomplete") }
            bytes += block
        }
        return bytes
    }
}
