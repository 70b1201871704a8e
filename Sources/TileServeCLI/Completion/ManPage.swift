import Manual
import Text

/// The page for `man tileserve`, in the macros of man(7).
enum ManPage {
    static func text(_ list: CommandList) -> String {
        var lines = [
            "'\\\" -*- coding: utf-8 -*-",
            ".\\\" Made from the table of commands by 'tileserve completions man'.",
            ".TH TILESERVE 1 \"\" \"tileserve \(Version.current)\" \"User Commands\"",
            ".SH NAME", "tileserve \\- draws heat maps of GPS tracks and serves them to any web map",
            ".SH SYNOPSIS", ".B tileserve", "\\fICOMMAND\\fR [\\fIOPTION\\fR]…", ".br", ".B tileserve help",
            "[\\fICOMMAND\\fR | \\fITOPIC\\fR]",
            ".SH DESCRIPTION",
            escaped(
                "tileserve imports recorded tracks into a library, draws them at every zoom level, and serves the tiles over "
                    + "HTTP. To start:"),
            ".PP", ".RS", ".nf", "tileserve import \\(ti/tracks", "tileserve serve", ".fi", ".RE",
            ".SH COMMANDS",
        ]
        for command in list.commands { lines += section(of: command) }
        lines += [".SH TOPICS", escaped("Pages of the manual, shown by 'tileserve help TOPIC':")]
        for page in Manual.pages { lines += [".TP", ".B \(escaped(page.topic))", escaped(ManualText.title(of: page))] }
        lines += [".SH ENVIRONMENT"]
        for (name, about) in environment { lines += [".TP", ".B \(name)", escaped(about)] }
        lines += [".SH EXIT STATUS"]
        for (code, about) in exitCodes { lines += [".TP", ".B \(code)", escaped(about)] }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let environment = [
        ("TILESERVE_LIBRARY", "The library, if --library is not given."),
        ("XDG_DATA_HOME", "The library is the folder tileserve in it otherwise; ~/.local/share if it is not set."),
        ("TZ", "The time zone of a new library."),
    ]

    private static let exitCodes = [
        ("0", "Success."),
        ("1", "Some files failed, some ids do not exist, nothing matched, or the command was stopped."),
        ("64", "An error in the command line."), ("65", "Invalid or damaged data."),
        ("66", "No file or id that was given exists."), ("69", "The port is in use."), ("70", "An internal error."),
        ("74", "A disk error, or missing permissions."),
    ]

    private static func section(of command: DescribedCommand) -> [String] {
        let screen = command.screen
        var lines = [".SS tileserve \(escaped(command.name)) \(escaped(screen.usage))"]
        for (index, paragraph) in screen.about.split(separator: "\n").enumerated() {
            if index > 0 { lines.append(".PP") }
            lines.append(escaped(String(paragraph)))
        }
        for option in screen.options {
            let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
            lines += [".TP", "\\fB\(escaped(option.flag))\\fR\(value)", escaped(option.text)]
        }
        if !screen.examples.isEmpty { lines += [".PP", "Examples:"] }
        for example in screen.examples {
            lines += [".PP", ".RS", ".nf", escaped(example.line), ".fi", ".RE", ".RS 4", escaped(example.does), ".RE"]
        }
        return lines
    }

    /// A text whose characters mean themselves, also at the beginning of a line.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            // These are printed as typed only when escaped, which matters for what is copied.
            case "-": result += "\\-"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            case "`": result += "\\(ga"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }
}
