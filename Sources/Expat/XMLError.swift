/// An error that stops the reader.
public enum XMLError: Error, Equatable, Sendable {
    /// Not well-formed: Expat's message, with line and column from 1.
    case malformed(reason: String, line: Int, column: Int)
    /// Elements are nested deeper than the limit.
    case tooDeep(limit: Int, line: Int)
    /// There are more different names than the limit.
    case tooManyNames(limit: Int, line: Int)
    /// A name has more bytes than the limit.
    case longName(limit: Int, line: Int)
    /// The document type has an internal subset, which could define an entity bomb.
    case declarations(line: Int)
    /// Expat could not allocate memory.
    case outOfMemory
}
