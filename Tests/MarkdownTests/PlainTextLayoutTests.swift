import Testing

@testable import Markdown

@Suite struct PlainTextLayoutTests {
    private func text(_ markdown: String, columns: Int) -> String {
        PlainTextLayout(columns: columns) { $0.text }.lines(of: MarkdownReader.blocks(of: markdown))
            .joined(separator: "\n")
    }

    @Test func `Headings begin in the first column, and everything else is indented`() {
        #expect(
            text("# Page\n\nSome words here.\n\n### Part\n\n- one two three\n- four\n\n```\ncode\n```", columns: 12)
                == """
                PAGE

                  Some words
                  here.

                Part

                  - one two
                    three
                  - four

                    code
                """)
    }

    @Test func `A table that fits is set in columns`() {
        #expect(
            text("| a | text |\n|---|---|\n| long | x |\n| b | yes |", columns: 20) == """
                  a     text
                  ----  ----
                  long  x
                  b     yes
                """)
    }

    @Test func `Long cells are wrapped within their column`() {
        #expect(
            text("| key | meaning |\n|---|---|\n| a | one two three four five six |\n| b | seven |", columns: 27) == """
                  key  meaning
                  ---  --------------------
                  a    one two three four
                       five six
                  b    seven
                """)
    }

    @Test func `If a word does not fit into its column, each row is a paragraph`() {
        #expect(
            text("| a | b |\n|---|---|\n| https://example.org/long | one |\n| x | two |", columns: 22) == """
                  https://example.org/long
                      one

                  x
                      two
                """)
        #expect(
            text("| a | b | c |\n|---|---|---|\n| https://example.org/long | one | two |", columns: 22) == """
                  https://example.org/long
                      b: one
                      c: two
                """)
    }

    @Test func `Rows are separated if a first cell has several lines`() {
        #expect(
            text("| a | b |\n|---|---|\n| one two three four | 1 |\n| five | 2 |", columns: 21) == """
                  a                 b
                  ----------------  -
                  one two three     1
                  four

                  five              2
                """)
    }

    @Test func `A table without a header has no line for it`() {
        #expect(text("| | |\n|---|---|\n| a | b |", columns: 20) == "  a  b")
    }

    @Test func `Code in a cell without other words has no quotation marks`() {
        #expect(text("| | |\n|---|---|\n| `a b`, `c` | the `a` |", columns: 20) == "  a b, c  the 'a'")
    }

    @Test(arguments: [
        ("short", ["short"]), ("  copy  a b", ["  copy  a b"]),
        ("command --option    # what it does", ["command --option", "    # what it does"]),
        ("  one two three four five", ["  one two three", "    four five"]),
        ("https://example.org/too/long", ["https://example.org/too/long"]),
    ])
    func `Code is wrapped before comments and between words`(line: String, wrapped: [String]) {
        #expect(WrappedCode.lines(line, columns: 18) == wrapped)
    }

    @Test func `No line is longer than the width, except single words`() {
        let words = (1...40).map { String(repeating: "x", count: $0 % 13 + 1) }
        let markdown = """
            # \(words.joined(separator: " "))

            \(words.joined(separator: " "))

            - \(words.joined(separator: " "))

            | \(words[0...5].joined(separator: " ")) | b | c |
            |---|---|---|
            | \(words.joined(separator: " ")) | \(words[3...9].joined(separator: " ")) | x |

            ```
            \(words.joined(separator: " "))
            ```
            """
        for columns in 20...100 {
            for line in text(markdown, columns: columns).split(separator: "\n") {
                #expect(line.count <= columns, "\(columns): \(line)")
            }
        }
    }
}
