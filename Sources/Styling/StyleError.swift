/// The problems of a style file.
public struct StyleError: Error, Equatable, CustomStringConvertible {
    /// One problem.
    public struct Problem: Equatable, Sendable, CustomStringConvertible {
        /// The file's name without its folders.
        public let file: String
        /// The path of the value, such as `ramp.stops[2].color`; empty for the file as a whole.
        public let path: String
        /// The problem: what the value is.
        public let what: String
        /// How to correct it.
        public let remedy: String

        public var description: String {
            "\(file): \(path.isEmpty ? "" : path + ": ")\(what); \(remedy)"
        }
    }

    /// At least one, in the order in which the reader checks the keys.
    public let problems: [Problem]

    /// A problem of the file as a whole.
    public init(file: String, what: String, remedy: String) {
        problems = [Problem(file: file, path: "", what: what, remedy: remedy)]
    }

    init(problems: [Problem]) {
        self.problems = problems
    }

    /// One line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
