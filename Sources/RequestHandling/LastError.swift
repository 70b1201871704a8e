/// The last error of work that is repeated, such as a poll: the same error is reported once, until the work succeeds or
/// fails in another way.
package struct LastError: Sendable {
    private var text: String?

    package init() {}

    /// Whether the work has succeeded since its last error.
    package var isNone: Bool { text == nil }

    /// Keeps an error; true if it is not the same as the last one, and so has to be reported.
    package mutating func isNew(_ error: any Error) -> Bool {
        let text = "\(error)"
        defer { self.text = text }
        return self.text != text
    }

    /// The work has succeeded.
    package mutating func clear() { text = nil }
}
