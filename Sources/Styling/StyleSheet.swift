import Foundation
import Text

/// The available styles: the built-in ones, and those of a folder, which may replace built-in ones by name.
public struct StyleSheet: Sendable {
    private let styles: [String: Style]
    /// The styles that depend on the theme, for each theme: every tile request looks one up.
    private let themed: [Theme: [String: Style]]

    /// The built-in styles.
    public static let builtIn = StyleSheet(
        styles: Dictionary(uniqueKeysWithValues: Style.builtIn.map { ($0.name, $0) }))

    /// Names of tiles that are not drawn by a style file; some of them are reserved for later versions.
    public static let reservedNames: Set<String> = [
        "base", "countries", "explorer", "explorer-17", "floor", "journey", "pins",
    ]

    private init(styles: [String: Style]) {
        self.styles = styles
        themed = Dictionary(
            uniqueKeysWithValues: Theme.allCases.map { theme in
                (theme, styles.filter(\.value.takesTheme).mapValues { $0.with(theme: theme) })
            })
    }

    /// The built-in styles and those of `files`, given as (name, bytes) in any order. Throws the problems of all files
    /// together.
    public init(files: [(name: String, text: [UInt8])]) throws(StyleError) {
        var styles = Self.builtIn.styles
        var problems: [StyleError.Problem] = []
        var origins: [String: String] = [:]
        for (file, text) in files.sorted(by: { $0.name < $1.name }) {
            do {
                let style = try StyleReader.style(file: file, text: text)
                if Self.reservedNames.contains(style.name) {
                    problems.append(
                        StyleError.Problem(
                            file: file, path: "name",
                            what: "\"\(style.name)\" is the name of tiles of tileserve itself",
                            remedy: "choose another name"))
                }
                if let origin = origins[style.name] {
                    problems.append(
                        StyleError.Problem(
                            file: file, path: "name", what: "\"\(style.name)\" is already used by \(origin)",
                            remedy: "give each style a unique name"))
                }
                origins[style.name] = file
                styles[style.name] = style
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else { throw StyleError(problems: problems) }
        self.init(styles: styles)
    }

    /// The style with a name; nil if there is none.
    public subscript(name: String) -> Style? { styles[name] }

    /// The style with a name, with the colours for a theme; nil if there is none.
    public subscript(name: String, theme: Theme) -> Style? { themed[theme]?[name] ?? styles[name] }

    /// All names, sorted.
    public var names: [String] { styles.keys.sorted() }

    /// The known name most similar to an unknown one, if any is similar.
    public func name(like unknown: String) -> String? { SpellingSuggestion.nearest(to: unknown, of: names) }
}

extension Style {
    /// Parses the text of a file; `file` is the file name used in error messages.
    public init(file: String, text: [UInt8]) throws(StyleError) {
        self = try StyleReader.style(file: file, text: text)
    }
}
