/// The columns of a list that is printed page by page, so that their widths cannot depend on the rows.
struct ListColumns {
    /// A title, and the width in characters; the last column needs none.
    struct Column {
        let title: String
        var width = 0
        var isNumber = false
        /// Whether longer texts are cut, rather than moving the next columns.
        var isClipped = false
    }

    let columns: [Column]

    /// The line of titles.
    var heading: String { line(columns.map(\.title)) }

    /// The cells of a row as a line of text.
    func line(_ cells: [String]) -> String {
        zip(columns, cells).map { column, cell in
            let text = column.isClipped ? cell.singleLine.clipped(to: column.width) : cell.singleLine
            return column.isNumber ? text.leftPadded(to: column.width) : text.padded(to: column.width)
        }.joined(separator: "  ")
    }
}

/// A part of a list, and the cursor of the next one; nil at the end.
typealias ListPage<Item> = (items: [Item], next: String?)

extension CommandEnvironment {
    /// Items of one page of a list: they fill several screens and need little memory.
    static let pageItems = 500

    /// Prints a list page by page, so that no read transaction stays open while the output blocks. `page` returns nil
    /// if there is nothing behind a cursor, `lines` one line for each item. It ends as `endList` says, unless it is stopped
    /// before the last page.
    func printList<Item>(
        _ heading: String?, isFiltered: Bool, none: String, page: (_ after: String?) throws -> ListPage<Item>?,
        lines: ([Item]) -> [String]
    ) throws -> ExitCode {
        var after: String?
        var isEmpty = true
        repeat {
            guard let page = try page(after) else { break }
            if !page.items.isEmpty {
                let lines = (isEmpty ? heading.map { [$0] } ?? [] : []) + lines(page.items)
                try terminal.out(lines.joined(separator: "\n") + "\n")
                isEmpty = false
            }
            after = page.next
            if after != nil, stop.isRequested { return stopped() }
        } while after != nil
        return endList(isEmpty: isEmpty, isFiltered: isFiltered, none: none)
    }

    /// The exit code of a list. An empty one is reported with `none`; it is `incomplete` if only some of all items were
    /// wanted.
    func endList(isEmpty: Bool, isFiltered: Bool, none: String) -> ExitCode {
        guard isEmpty else { return .done }
        terminal.report(none)
        return isFiltered ? .incomplete : .done
    }
}
