/// What is wrong with a style file.
public struct StyleError: Error, Equatable, CustomStringConvertible {
    /// One thing that is wrong.
    public struct Problem: Equatable, Sendable, CustomStringConvertible {
        /// The file's name without its folders.
        public let file: String
        /// The way to the value, as `ramp.stops[2].color`; empty for the file as a whole.
        public let path: String
        /// What is there.
        public let what: String
        /// What to do about it.
        public let remedy: String

        public var description: String {
            "\(file): \(path.isEmpty ? "" : path + ": ")\(what); \(remedy)"
        }
    }

    /// At least one, in the order of the file's keys.
    public let problems: [Problem]

    /// What is wrong with a file as a whole.
    public init(file: String, what: String, remedy: String) {
        problems = [Problem(file: file, path: "", what: what, remedy: remedy)]
    }

    init(problems: [Problem]) {
        self.problems = problems
    }

    /// One line a problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
