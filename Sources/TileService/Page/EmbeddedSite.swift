import Digest
import HTTPCore
import WebPage

/// The files of the page as they are compiled in, with a digest of all of them in each name.
enum EmbeddedSite {
    /// The name of the page itself.
    static let pageName = "index.html"

    /// The names as the source has them, and the names with the digest.
    static let versions: [String: String] = {
        let digest = ContentDigest(of: WebPage.files.flatMap { Array($0.name.utf8) + [0] + $0.bytes })
        let names = WebPage.files.map(\.name).filter { $0 != pageName }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, versioned($0, digest)) })
    }()

    /// The files by their names with the digest; they name each other by these names.
    static let files: [String: StaticFile] = WebPage.files.reduce(into: [:]) { files, file in
        guard let name = versions[file.name] else { return }
        let namesOthers = file.name.hasSuffix(".js") || file.name.hasSuffix(".webmanifest")
        let bytes = namesOthers ? linked(file.bytes) : file.bytes
        files[name] = StaticFile(
            bytes, mediaType: file.mediaType, cacheControl: CacheControl(.everyone, .immutable))
    }

    /// The page, with the names that `versions` has for the files that it loads; it may show images of `imageOrigins`.
    static func page(versions: [String: String], imageOrigins: [String]) -> StaticFile {
        let file = WebPage.files.first { $0.name == pageName }
        let text = String(decoding: file?.bytes ?? [], as: UTF8.self)
            .replacing(/"assets\/(?<name>[^"]+)"/) { "\"assets/\(versions[String($0.name)] ?? String($0.name))\"" }
        return StaticFile(
            Array(text.utf8), mediaType: file?.mediaType ?? "", cacheControl: CacheControl(.everyone, .revalidate),
            imageOrigins: imageOrigins)
    }

    /// `name` with a digest before its ending.
    static func versioned(_ name: String, _ digest: ContentDigest) -> String {
        let end = name.lastIndex(of: ".") ?? name.endIndex
        return "\(name[..<end]).\(digest.description.prefix(digestLength))\(name[end...])"
    }

    /// 64 bits: the digest only has to differ from those of other versions.
    private static let digestLength = 16

    /// A file with the names of others, `'./NAME'` or `"./NAME"`, replaced by those with the digest.
    private static func linked(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing(/(?<quote>['"])\.\/(?<name>[\w.\-]+)(?=['"])/) {
                "\($0.quote)./\(versions[String($0.name)] ?? String($0.name))"
            }
        return Array(text.utf8)
    }
}
