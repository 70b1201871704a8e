/// Names of tokens, devices and persons.
enum TokenName {
    static let characterLimit = 100

    /// The name if it is one line of 1 to 100 characters without control characters; else nil.
    static func read(_ text: String) -> String? {
        let isLine =
            (1...characterLimit).contains(text.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return isLine ? text : nil
    }
}
