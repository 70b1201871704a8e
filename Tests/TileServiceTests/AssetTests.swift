import Decompression
import Files
import Foundation
import HTTPCore
import Testing
import TileService
import WebPage

/// The files of the web page as they are served.
@Suite struct AssetTests {
    private static let acceptsGzip = [(HeaderName("Accept-Encoding"), "br, gzip;q=0.5")]

    @Test func `the page loads nothing from other hosts and has no inline script`() throws {
        let town = try Town()
        let leaflet = town.folder.path + "/leaflet"
        try Folder.make(leaflet + "/images")
        try AtomicFile.write(Array("L = 1".utf8), to: leaflet + "/leaflet.js", durability: .cached)
        try AtomicFile.write(Array("a {}".utf8), to: leaflet + "/leaflet.css", durability: .cached)
        try AtomicFile.write(Array("secret".utf8), to: leaflet + "/other.txt", durability: .cached)
        let server = try town.library.server { $0.leafletFolder = leaflet }
        let page = server.get("/")
        #expect(page.status == .ok && page[.contentType] == "text/html; charset=utf-8")
        #expect(page[HeaderName("Content-Security-Policy")]?.hasPrefix("default-src 'self'; ") == true)
        #expect(page[.contentTypeOptions] == "nosniff" && page[HeaderName("Referrer-Policy")] == "no-referrer")
        for forbidden in ["//", "<script>", " style=\"", "<style"] {
            #expect(!page.text.contains(forbidden), "\(forbidden)")
        }
        for part in page.text.components(separatedBy: "\"").filter({ $0.hasPrefix("assets/") }) {
            let answer = server.get("/" + part)
            #expect(answer.status == .ok, "\(part)")
            #expect(server.get("/" + part, [(.ifNoneMatch, answer[.eTag] ?? "")]).status == .notModified)
        }
        // Modules are requested by the modules that import them.
        var wanted = page.text.matches(of: /src="assets\/(page\.[\w.]+)"/).map { String($0.1) }
        var seen: Set<String> = []
        while let name = wanted.popLast() {
            guard seen.insert(name).inserted else { continue }
            let module = server.get("/assets/" + name)
            #expect(module.status == .ok && module[.contentType] == "text/javascript; charset=utf-8", "\(name)")
            #expect(!module.text.contains("innerHTML =") && !module.text.contains("eval("), "\(name)")
            wanted += names(in: module)
        }
        #expect(seen.count > 20)
        #expect(server.get("/assets/leaflet/leaflet.js").text == "L = 1")
        #expect(server.get("/assets/leaflet/other.txt").status == .notFound)
        let versioned = try #require(page.text.firstMatch(of: /src="(assets\/leaflet\/leaflet\.[0-9a-f]{16}\.js)"/))
        let script = server.get("/\(versioned.1)")
        #expect(script.text == "L = 1" && script[.cacheControl] == "public, max-age=31536000, immutable")
        // The style sheet of Leaflet names its images without a digest.
        #expect(
            server.get("/assets/leaflet/leaflet.js")[.cacheControl] == "public, max-age=0, s-maxage=1, must-revalidate")
        // Without Leaflet the page is the same, but for the names of Leaflet's files.
        #expect(town.get("/").text.contains("src=\"assets/leaflet/leaflet.js\""))
    }

    /// The names of the modules that a module imports, at its start or later.
    private func names(in module: Response) -> [String] {
        module.text.matches(of: /(?:from |import\()'\.\/([\w.\-]+)'/).map { String($0.1) }
    }

    @Test func `every file can be reached from the page by its name with the digest`() throws {
        let town = try Town()
        var wanted = assets(town.get("/"))
        var seen: Set<String> = []
        var modules: Set<String> = []
        while let path = wanted.popLast() {
            guard seen.insert(path).inserted else { continue }
            let file = town.get(path)
            #expect(file.status == .ok, "\(path)")
            wanted += file.text.matches(of: /['"]\.\/([\w.\-]+)['"]/).map { "/assets/\($0.1)" }
            for module in file.text.matches(of: /const (\$\w+) = \(\(\) => \{/) {
                #expect(modules.insert(String(module.1)).inserted, "\(module.1) in two files")
            }
        }
        let names = WebPage.files.map(\.name).filter { $0 != "index.html" }
        #expect(seen.filter { !$0.hasSuffix(".js") }.count == names.filter { !$0.hasSuffix(".js") }.count)
        #expect(modules.count == names.filter { $0.hasSuffix(".js") }.count)
    }

    @Test func `the page can be installed: its manifest names the page and an icon`() throws {
        let town = try Town()
        let path = try #require(assets(town.get("/")).first { $0.hasSuffix(".webmanifest") })
        let manifest = town.get(path)
        #expect(manifest[.contentType] == "application/manifest+json")
        let icon = try #require(manifest.text.firstMatch(of: /"src": "\.\/([\w.]+)"/))
        #expect(town.get("/assets/\(icon.1)")[.contentType] == "image/svg+xml")
        // Relative to the manifest, so that the page can be below a path prefix.
        #expect(manifest.text.contains("\"start_url\": \"../\""))
    }

    @Test func `panels are loaded when they are opened`() throws {
        let town = try Town()
        let first = Set(assets(town.get("/")))
        // What the page loads at once imports nothing else at its start: the test of the first view counts all of it.
        for path in first where path.hasSuffix(".js") {
            for name in town.get(path).text.matches(of: /from '\.\/([\w.\-]+)'/) {
                #expect(first.contains("/assets/\(name.1)"), "\(path): \(name.1)")
            }
        }
    }

    /// The URLs of the files that the page loads, without those of Leaflet.
    private func assets(_ page: Response) -> [String] {
        page.text.matches(of: /"(assets\/[\w.\-]+)"/).map { "/\($0.1)" }
    }

    @Test func `files of the page have a digest in the name and are kept forever, the page is revalidated`() throws {
        let town = try Town()
        let page = town.get("/")
        #expect(page[.cacheControl] == "public, max-age=0, s-maxage=1, must-revalidate")
        let tag = try #require(page[.eTag])
        let repeated = town.get("/", [(.ifNoneMatch, tag)])
        #expect(repeated.status == .notModified && repeated.bytes.isEmpty)
        #expect(repeated[.eTag] == tag && repeated[.cacheControl] == "public, max-age=0, s-maxage=1, must-revalidate")
        #expect(assets(page).count == 4)
        for path in assets(page) {
            #expect(path.contains(/\.[0-9a-f]{16}\.(?:js|css|svg|webmanifest)$/), "\(path)")
            #expect(town.get(path)[.cacheControl] == "public, max-age=31536000, immutable", "\(path)")
        }
        // The names of the source are not served, because a cached one could not be replaced.
        #expect(town.get("/assets/page.js").status == .notFound && town.get("/assets/index.html").status == .notFound)
    }

    @Test func `text is compressed for clients that accept it, with a tag of its own`() throws {
        let town = try Town()
        let page = town.get("/")
        for path in ["/"] + assets(page) {
            let plain = town.get(path)
            let packed = town.get(path, Self.acceptsGzip)
            #expect(plain[.contentEncoding] == nil && packed[.contentEncoding] == "gzip", "\(path)")
            #expect(plain[.vary]?.contains("Accept-Encoding") == true && packed[.vary] == plain[.vary], "\(path)")
            #expect(packed[.contentType] == plain[.contentType] && packed[.cacheControl] == plain[.cacheControl])
            #expect(packed.bytes.count < plain.bytes.count && packed[.eTag] != plain[.eTag], "\(path)")
            #expect(try unpacked(packed.bytes) == plain.bytes, "\(path)")
            let tag = (HeaderName.ifNoneMatch, packed[.eTag] ?? "")
            #expect(town.get(path, Self.acceptsGzip + [tag]).status == .notModified)
            #expect(town.get(path, [tag]).status == .ok)
        }
    }

    private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        let decoder = try GzipDecoder()
        var offset = 0
        var result: [UInt8] = []
        while case let part = try decoder.decode(bytes, from: &offset, limit: 1 << 20), !part.isEmpty {
            result += part
        }
        try decoder.finish()
        return result
    }

    @Test func `the first view without Leaflet has at most 55 kB`() throws {
        let town = try Town()
        let paths = ["/"] + assets(town.get("/"))
        let sum = Set(paths).reduce(0) { $0 + town.get($1, Self.acceptsGzip).bytes.count }
        // Leaflet has 42 kB: together they stay below 100 kB.
        #expect(sum < 55_000)
    }

    @Test func `every file in the folder of the page is embedded`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CWebPage/site").standardizedFileURL.path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(WebPage.files.map(\.name).sorted() == names)
        for file in WebPage.files {
            #expect(try AtomicFile.read("\(folder)/\(file.name)") == file.bytes, "\(file.name)")
        }
    }

    @Test func `a folder for development is read at each request, and never cached`() throws {
        let town = try Town()
        let site = town.folder.path + "/site"
        try Folder.make(site + "/sub")
        func write(_ text: String, _ name: String) throws {
            try AtomicFile.write(Array(text.utf8), to: "\(site)/\(name)", durability: .cached)
        }
        try write("<script src=\"assets/page.js\">", "index.html")
        try write("one", "page.js")
        try write("secret", "notes.txt")
        try write("secret", ".hidden.js")
        try write("secret", "sub/inner.js")
        let server = try town.library.server { $0.siteFolder = site }
        #expect(server.get("/").text == "<script src=\"assets/page.js\">")
        #expect(server.get("/")[.contentType] == "text/html; charset=utf-8")
        let script = server.get("/assets/page.js")
        #expect(script.text == "one" && script[.contentType] == "text/javascript; charset=utf-8")
        #expect(script[.cacheControl] == "no-store")
        #expect(script[HeaderName("Content-Security-Policy")] == town.get("/")[HeaderName("Content-Security-Policy")])
        try write("two", "page.js")
        #expect(server.get("/assets/page.js").text == "two")
        try AtomicFile.remove(site + "/page.js")
        for name in ["page.js", "notes.txt", ".hidden.js", "sub%2Finner.js", "..%2Fsite%2Findex.html", "%2e%2e", "sub"]
        {
            #expect(server.get("/assets/" + name).status == .notFound, "\(name)")
        }
        try write("new", "page.css")
        #expect(server.get("/assets/page.css").text == "new")
    }
}
