import HTTPCore
import RequestHandling
package import TrackImport

/// The files of a form, as ranges of its bytes.
package enum FormFiles {
    /// More files than anybody selects at once.
    private static let partLimit = 10_000

    /// The files of the form at `path`, in order. Reads it once.
    package static func all(path: String, boundary: String) throws -> [Upload] {
        try FormPart.all(path: path, boundary: boundary, most: partLimit).compactMap { part in
            guard let name = part.fileName else {
                throw Problem.badRequest(
                    "the form's field '\(part.field.prefix(40))' is not a file; give options in the query")
            }
            // Without a name and content, no file was selected.
            return name.isEmpty && part.bytes.isEmpty ? nil : Upload(name: name, path: path, bytes: part.bytes)
        }
    }
}
