/// An error in a command line; `UsageSentences.swift` contains the messages.
enum UsageError: Error, Equatable {
    /// No command was given, or a group of commands (`tracks`) without a command.
    case noCommand(group: String?)
    case unknownCommand(String, group: String?, suggestion: String?)
    /// `help` was asked about a word that is neither a command nor a topic of the manual.
    case unknownTopic(String, suggestion: String?)
    /// Options must follow the command.
    case optionBeforeCommand(String)
    case unknownOption(String, suggestion: String?)
    case missingValue(Option)
    /// A value for an option that does not take one.
    case unexpectedValue(Option, String)
    case badValue(Option, String, expected: Expectation)
    case missingOption(Option)
    case missingOperand(String)
    case unexpectedOperand(String)
    case badOperand(String, expected: Expectation)
    /// A condition that cannot be parsed, with the position and the reason.
    case badCondition(Option, String)
    /// `--from` is not before `--to`.
    case emptyWindow
    /// Two options that exclude each other.
    case conflict(Option, Option)
    /// An option that needs another one, which is written out.
    case onlyWith(Option, String)
    /// An option for recorders, used for a token with another role.
    case recordersOnly(Option)
    /// An option for recorders and members, used for a token with another role.
    case recordersAndMembersOnly(Option)
    /// A text of a name that cannot be set, for this reason.
    case badText(Option, String, String)
    /// A text that is not valid as a token's name.
    case badTokenName(String)
    /// Other machines could connect, but neither public reading nor a token is configured.
    case publicWithoutConsent(host: String)
    /// Neither an option nor the environment gives the path of the library.
    case noHome
    /// The URI of a library cannot be used, for this reason.
    case badLocation(String)
}

/// The expected value of an option.
enum Expectation: Equatable {
    case wholeNumber(ClosedRange<Int>)
    case size
    case duration
    case gap
    case zoomLevels
    case box
    case date
    case day
    /// An instant after now.
    case later
    case speed
    case cursor
    case zone
    case origin
    case baseMap
    /// The interface of an address service, and its URL.
    case geocoder
    case nameAndValue
    case archive
    case notEmpty
    case tag
    case activity
    case name(characters: Int)
    case person(characters: Int)
    case clockOffset
    case factor
    case photoPlace
    case place
    /// A place and the radius of a zone.
    case zoneOfPlace
    case wholeDays
    case thinning
    case instant
    case caption
    case hours
    case months
    case oneOf([String])
}
