/// The last error of work that is repeated, such as a poll: the same error is reported once, until the work succeeds or
/// fails in another way.
struct LastError: Sendable {
    private var text: String?

    /// Whether the work has succeeded since its last error.
    var isNone: Bool { text == nil }

    /// Keeps an error; true if it is not the same as the last one, and so has to be reported.
    mutating func isNew(_ error: any Error) -> Bool {
        let text = "\(error)"
        defer { self.text = text }
        return self.text != text
    }

    /// The work has succeeded.
    mutating func clear() { text = nil }
}
