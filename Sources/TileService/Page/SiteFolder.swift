import Files
import HTTPCore
import WebPage

/// A folder with the files of the page, for its development: they are read at each request, and never cached.
struct SiteFolder: Sendable {
    private let path: String

    /// More than any file of a page that is written by hand.
    private static let maxBytes = 4 << 20

    static let noSuchFile = Problem.notFound("the page has no such file")

    private let imageOrigins: [String]

    /// Files that may show images of `imageOrigins`.
    init(path: String, imageOrigins: [String]) {
        self.path = path
        self.imageOrigins = imageOrigins
    }

    /// A file of the folder. Only names without folders and with an ending that the page uses are served.
    func file(_ name: String) throws(Problem) -> StaticFile {
        let isPlain = name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != 0 } && !name.hasPrefix(".")
        guard isPlain, let mediaType = WebPage.mediaType(of: name),
            let bytes = try? AtomicFile.read("\(path)/\(name)", limit: Self.maxBytes)
        else { throw Self.noSuchFile }
        return StaticFile(
            bytes, mediaType: mediaType, cacheControl: CacheControl(.reader, .none), imageOrigins: imageOrigins)
    }
}
