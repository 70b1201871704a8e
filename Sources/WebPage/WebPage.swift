internal import CWebPage

/// A file of the web page.
public struct WebPageFile: Sendable {
    /// The file name, without folders.
    public let name: String
    /// The value of `Content-Type`.
    public let mediaType: String
    public let bytes: [UInt8]

    public init(name: String, mediaType: String, bytes: [UInt8]) {
        self.name = name
        self.mediaType = mediaType
        self.bytes = bytes
    }
}

/// The web page, compiled into the program.
public enum WebPage {
    /// All files of the page, in the order of the C table; copied once.
    public static let files: [WebPageFile] = (0..<web_page_file_count()).map { index in
        let file = unsafe web_page_file_at(index)
        return unsafe WebPageFile(
            name: String(cString: file.name), mediaType: String(cString: file.media_type),
            bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.length)))
    }

    /// The value of `Content-Type` for a file name; nil if the page has no file with this ending.
    public static func mediaType(of name: String) -> String? {
        mediaTypes[ending(of: name)]
    }

    private static let mediaTypes: [Substring: String] = files.reduce(into: [:]) { types, file in
        types[ending(of: file.name)] = file.mediaType
    }

    private static func ending(of name: String) -> Substring {
        name.lastIndex(of: ".").map { name[$0...] } ?? ""
    }
}
