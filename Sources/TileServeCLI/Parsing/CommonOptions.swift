/// Options of several commands.
enum CommonOptions {
    static let json = Option("json", "prints JSON objects instead of text")
    static let from = Option("from", "DATE", "only what is on this day or later")
    static let to = Option("to", "DATE", "only what is on this day or earlier")
    static let styles = Option("styles", "DIR", "a folder with additional styles")
}
