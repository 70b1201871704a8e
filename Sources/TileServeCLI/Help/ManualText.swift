import Manual
import Markdown

/// The pages of the manual as plain text.
enum ManualText {
    /// Lines that are longer are hard to read, even if the terminal is wide.
    private static let columnLimit = 60...100

    /// The page, for a terminal of this width.
    static func text(of page: ManualPage, columns: Int) -> String {
        layout(of: page, columns: columns).lines(of: MarkdownReader.blocks(of: page.markdown))
            .joined(separator: "\n") + "\n"
    }

    static func layout(of page: ManualPage, columns: Int) -> PlainTextLayout {
        let columns = min(max(columns, columnLimit.lowerBound), columnLimit.upperBound)
        return PlainTextLayout(columns: columns) { shown($0, in: page) }
    }

    /// The first heading of the page.
    static func title(of page: ManualPage) -> String {
        for case .heading(_, let text) in MarkdownReader.blocks(of: page.markdown) {
            return InlineMarkdown.plain(text) { $0.text }
        }
        return page.topic
    }

    /// What is shown for a link: the command that shows the page, else the URL, or the path in the repository.
    private static func shown(_ link: MarkdownLink, in page: ManualPage) -> String {
        if link.target.contains("://") {
            return link.text == link.target ? link.target : "\(link.text) (\(link.target))"
        }
        let file = link.target.prefix { $0 != "#" }
        // A heading of the same page.
        guard !file.isEmpty else { return link.text }
        let path = resolved(String(file), from: page.path)
        let isName = path == link.text || path.hasSuffix("/" + link.text)
        if link.isPicture { return link.text.isEmpty ? path : "\(link.text) (\(path))" }
        guard let target = Manual.pages.first(where: { $0.path == path }) else {
            return isName ? path : "\(link.text) (\(path))"
        }
        let command = "'tileserve help \(target.topic)'"
        return isName ? command : "\(link.text) (\(command))"
    }

    /// The path in the repository that is meant by a path relative to a document.
    private static func resolved(_ target: String, from document: String) -> String {
        var parts = document.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }
}
