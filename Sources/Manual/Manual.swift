internal import CManual

/// A page of the manual.
public struct ManualPage: Sendable {
    /// The name after `tileserve help`.
    public let topic: String
    /// The path in the repository, to which the links of the page are relative.
    public let path: String
    /// The text, in Markdown.
    public let markdown: String
}

/// The manual, compiled into the program.
public enum Manual {
    /// All pages, in the order of their topics; copied once.
    public static let pages: [ManualPage] = (0..<manual_page_count()).map { index in
        let page = unsafe manual_page_at(index)
        return unsafe ManualPage(
            topic: String(cString: page.topic), path: String(cString: page.path),
            markdown: String(decoding: UnsafeBufferPointer(start: page.bytes, count: page.length), as: UTF8.self))
    }

    /// The page of a topic.
    public static func page(about topic: String) -> ManualPage? {
        pages.first { $0.topic == topic }
    }
}
