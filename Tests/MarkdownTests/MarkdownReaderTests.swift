import Testing

@testable import Markdown

@Suite struct MarkdownReaderTests {
    @Test func `A document is read as its blocks`() {
        let blocks = MarkdownReader.blocks(
            of: """
                # A page
                Its first line
                goes on here.

                - One item
                  of two lines
                - another

                1. First
                2. second

                | a | b |
                |---|---|
                | `x\\|y` | z |

                ```sh
                # a comment

                command
                ```
                The end.
                """)
        #expect(
            blocks == [
                .heading(level: 1, "A page"), .paragraph("Its first line goes on here."),
                .list([.init(marker: "-", text: "One item of two lines"), .init(marker: "-", text: "another")]),
                .list([.init(marker: "1.", text: "First"), .init(marker: "2.", text: "second")]),
                .table(header: ["a", "b"], rows: [["`x|y`", "z"]]), .code(["# a comment", "", "command"]),
                .paragraph("The end."),
            ])
    }

    @Test func `A line of a paragraph may begin with a number and a full stop`() {
        #expect(
            MarkdownReader.blocks(of: "It began in\n2024. It ended.") == [.paragraph("It began in 2024. It ended.")])
        #expect(MarkdownReader.blocks(of: "These:\n- one\n- two").count == 2)
    }

    @Test func `A code block that is not closed ends with the document`() {
        #expect(MarkdownReader.blocks(of: "```\na\nb") == [.code(["a", "b"])])
    }

    @Test(arguments: ["", "\n", "  \n\n", "#", "```", "|", "- "])
    func `Short documents end`(text: String) {
        #expect(MarkdownReader.blocks(of: text).count <= 1)
    }
}

@Suite struct InlineMarkdownTests {
    @Test(arguments: [
        ("plain", "plain"), ("the field `repeats` counts", "the field 'repeats' counts"),
        ("`--zone` and `/health`", "--zone and /health"), ("`tokens add --role owner`", "'tokens add --role owner'"),
        ("**Bold.** And *a term*", "Bold. And 'a term'"),
        ("`'*'` for all", "'*' for all"), ("2 * 3 * 4", "2 * 3 * 4"), ("``a`b``", "a`b"), ("`open", "`open"),
        ("a\\*b\\*", "a*b*"), ("**Back up `this` file**", "Back up 'this' file"), ("[not a link]", "[not a link]"),
        ("**never closed", "**never closed"),
    ])
    func `Markup is removed`(text: String, plain: String) {
        #expect(InlineMarkdown.plain(text) { $0.text } == plain)
    }

    @Test func `Links and pictures are passed with their text and target`() {
        var links: [MarkdownLink] = []
        let plain = InlineMarkdown.plain("See [the `code`](a/b.md#c), ![a *map*](map.png) and [x](https://e.org/(1)).")
        {
            links.append($0)
            return "<\(links.count)>"
        }
        #expect(plain == "See <1>, <2> and <3>.")
        #expect(
            links == [
                MarkdownLink(text: "the 'code'", target: "a/b.md#c", isPicture: false),
                MarkdownLink(text: "a 'map'", target: "map.png", isPicture: true),
                MarkdownLink(text: "x", target: "https://e.org/(1)", isPicture: false),
            ])
    }
}
