package import OpenAPI

/// The times that `DateText` reads, as exactly as a regular expression can say it: also the lengths of months and leap
/// years.
extension APISchema {
    /// A day or an instant.
    package static let date = either([day, instantText, milliseconds]).named("Date")

    /// An instant, not a day.
    package static let instant = either([instantText, milliseconds]).named("Instant")

    /// Two days or instants, `FROM/TO`; one of them may be missing.
    package static let interval = pattern("^((\(anyDate))/(\(anyDate))?|/(\(anyDate)))$")

    /// A duration that `DurationText` reads, or a word.
    package static func duration(orWord word: String) -> APISchema {
        // Nine digits of the largest unit are far from an overflow. The sum is not 0.
        let parts = ["d", "h", "m", "s", "ms"].map { "([0-9]{1,9}\($0))?" }.joined()
        return pattern("^(\(word)|(?=[0-9a-z]*[1-9])\(parts))$")
    }

    /// A day.
    package static let day = pattern("^\(dayPattern)$")
    private static let instantText = pattern("^\(instantPattern)$")
    private static let milliseconds = pattern("^\(millisecondsPattern)$")

    private static let anyDate = "\(instantPattern)|\(dayPattern)|\(millisecondsPattern)"

    private static let dayPattern: String = {
        let long = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
        let short = "(0[469]|11)-(0[1-9]|[12][0-9]|30)"
        let february = "02-(0[1-9]|1[0-9]|2[0-8])"
        // Divisible by four, and of the centuries only those divisible by 400.
        let leapYear = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)"
        return "([0-9]{4}-(\(long)|\(short)|\(february))|\(leapYear)-02-29)"
    }()

    private static let instantPattern: String = {
        let time = "([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)([.][0-9]+)?"
        // A plus sign in a query that is not encoded is a space.
        let offset = "([Zz]|[-+ ]([01][0-9]|2[0-3]):[0-5][0-9])"
        return "\(dayPattern)[Tt ]\(time)\(offset)"
    }()

    /// Without the numbers of four, six and eight digits, which would be dates.
    private static let millisecondsPattern: String = {
        let longest = "([0-7][0-9]{15}|8[0-5][0-9]{14}|86[0-3][0-9]{13}|8640{13})"
        return "(-([0-9]{1,15}|\(longest))|[0-9]{1,3}|[0-9]{5}|[0-9]{7}|[0-9]{9,15}|\(longest))"
    }()
}
