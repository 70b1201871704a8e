import Digest
import HTTPCore
import WebPage

/// The files of the page as they are compiled in, with modules joined, and a digest of all files in each name.
enum EmbeddedSite {
    /// The name of the page itself.
    static let pageName = "index.html"
    /// The module that the page names.
    private static let entry = "page.js"

    /// The files that are compiled in, but files of joined modules instead of modules.
    private static let sources: [WebPageFile] = {
        let modules = WebPage.files.filter { $0.name.hasSuffix(".js") }
        let texts = modules.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }
        do {
            let bundle = try ModuleBundle(Dictionary(uniqueKeysWithValues: texts), entry: entry)
            return WebPage.files.compactMap { file in
                guard file.name.hasSuffix(".js") else { return file }
                return bundle.text(of: file.name).map {
                    WebPageFile(name: file.name, mediaType: file.mediaType, bytes: Array($0.utf8))
                }
            }
        } catch {
            preconditionFailure("the modules of the page cannot be joined: \(error)")
        }
    }()

    /// The names as the source has them, and the names with the digest.
    static let versions: [String: String] = {
        let digest = ContentDigest(of: sources.flatMap { Array($0.name.utf8) + [0] + $0.bytes })
        let names = sources.map(\.name).filter { $0 != pageName }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, versioned($0, digest)) })
    }()

    /// The files by their names with the digest; they name each other by these names.
    static let files: [String: StaticFile] = sources.reduce(into: [:]) { files, file in
        guard let name = versions[file.name] else { return }
        let namesOthers = file.name.hasSuffix(".js") || file.name.hasSuffix(".webmanifest")
        let bytes = namesOthers ? linked(file.bytes) : file.bytes
        files[name] = StaticFile(
            bytes, mediaType: file.mediaType, cacheControl: CacheControl(.everyone, .immutable))
    }

    /// The page, with the names that `versions` has for the files that it loads, and with `elements` in its head; it may show
    /// images of `imageOrigins`.
    static func page(
        versions: [String: String], imageOrigins: [String], elements: String = "",
        _ cacheControl: CacheControl = CacheControl(.everyone, .revalidate)
    ) -> StaticFile {
        let file = WebPage.files.first { $0.name == pageName }
        let text = String(decoding: file?.bytes ?? [], as: UTF8.self)
            // Modules that are part of another file have no version.
            .replacing(/<link rel="modulepreload" href="assets\/(?<name>[^"]+)">\n/) {
                versions[String($0.name)] == nil ? "" : String($0.output.0)
            }
            .replacing(/"assets\/(?<name>[^"]+)"/) { "\"assets/\(versions[String($0.name)] ?? String($0.name))\"" }
            .replacing("</head>", with: "\(elements)</head>")
        return StaticFile(
            Array(text.utf8), mediaType: file?.mediaType ?? "", cacheControl: cacheControl, imageOrigins: imageOrigins)
    }

    /// `name` with a digest before its ending.
    static func versioned(_ name: String, _ digest: ContentDigest) -> String {
        let end = name.lastIndex(of: ".") ?? name.endIndex
        return "\(name[..<end]).\(digest.description.prefix(digestLength))\(name[end...])"
    }

    /// 64 bits: the digest only has to differ from those of other versions.
    private static let digestLength = 16

    /// A file with the names of others, `'./NAME'` or `"./NAME"`, replaced by those with the digest.
    ///
    /// Reads bytes, because regular expressions take 50 times as long, which delays the first page.
    private static func linked(_ bytes: [UInt8]) -> [UInt8] {
        let (text, prefix) = (bytes.span, Array("./".utf8))
        func isQuote(_ index: Int) -> Bool { [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(text[index]) }
        var linked: [UInt8] = []
        linked.reserveCapacity(bytes.count + bytes.count / 8)
        var copied = 0
        var index = 0
        while index + prefix.count < text.count {
            defer { index += 1 }
            guard isQuote(index), text[index + 1] == prefix[0], text[index + 2] == prefix[1] else { continue }
            let first = index + 1 + prefix.count
            guard let end = (first..<text.count).first(where: { isQuote($0) || text[$0] == UInt8(ascii: "\n") }),
                isQuote(end), let version = versions[String(decoding: bytes[first..<end], as: UTF8.self)]
            else { continue }
            linked += bytes[copied..<first]
            linked += version.utf8
            copied = end
            index = end
        }
        return linked + bytes[copied...]
    }
}
