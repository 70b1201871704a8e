/// What is wrong with a command line; `UsageSentences.swift` says it.
enum UsageError: Error, Equatable {
    /// Nothing was typed, or a group of commands (`tracks`) without one of them.
    case noCommand(group: String?)
    case unknownCommand(String, group: String?, suggestion: String?)
    /// Options stand behind the command that they belong to.
    case optionBeforeCommand(String)
    case unknownOption(String, suggestion: String?)
    case missingValue(Option)
    /// A value for an option that takes none.
    case unexpectedValue(Option, String)
    case badValue(Option, String, expected: Expectation)
    case missingOption(Option)
    case missingOperand(String)
    case unexpectedOperand(String)
    /// A condition that cannot be read: where in it, and why.
    case badCondition(Option, String)
    /// Two options that exclude each other.
    case conflict(Option, Option)
    /// An option that says something of recorders, for a token that is none.
    case recordersOnly(Option)
    /// What a token cannot be called.
    case badTokenName(String)
    /// Others could reach where somebody has been, and nothing says who of them may.
    case publicWithoutConsent(host: String)
    /// Neither an option nor the environment says where the library is.
    case noHome
}

/// What an option's value has to be.
enum Expectation: Equatable {
    case wholeNumber(ClosedRange<Int>)
    case size
    case duration
    case gap
    case zoomLevels
    case box
    case date
    case speed
    case cursor
    case zone
    case origin
    case folder
    case notEmpty
    case tag
    case name
    case oneOf([String])
}
