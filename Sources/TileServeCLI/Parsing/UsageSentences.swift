import Editions
import PrimaryStore
import Text

extension UsageError {
    /// The error as one sentence: what is wrong; what to do. `command` is the command as typed (`tileserve import`).
    func sentence(command: String) -> String {
        switch self {
        case .noCommand(let group):
            "no command given; see '\(Self.program(group)) --help'"
        case .unknownCommand(let word, let group, let suggestion):
            "unknown command '\(word)'; "
                + (suggestion.map { "did you mean '\($0)'?" } ?? "see '\(Self.program(group)) --help'")
        case .unknownTopic(let word, let suggestion):
            "unknown command or topic '\(word)'; "
                + (suggestion.map { "did you mean '\($0)'?" } ?? "'tileserve help' lists them")
        case .optionBeforeCommand(let word):
            "'\(word)' is before the command; options follow the command, as in 'tileserve import \(word) …'"
        case .unknownOption(let word, let suggestion):
            "unknown option '\(word)'; " + (suggestion.map { "did you mean '\($0)'?" } ?? "see '\(command) --help'")
        case .missingValue(let option):
            "'\(option.flag)' needs a value; write '\(option.shown)'"
        case .unexpectedValue(let option, let value):
            "'\(option.flag)' takes no value; remove '=\(value)'"
        case .badValue(let option, let value, let expected):
            "'\(option.flag) \(value)': \(expected.sentence)"
        case .missingOption(let option):
            "'\(option.flag)' is missing; add '\(option.shown)'"
        case .missingOperand(let name):
            "no \(name) given; see '\(command) --help'"
        case .unexpectedOperand(let word):
            "unexpected argument '\(word)'; see '\(command) --help'"
        case .badOperand(let word, let expected):
            "'\(word)': \(expected.sentence)"
        case .badCondition(let option, let sentence):
            "'\(option.flag)', \(sentence)"
        case .emptyWindow:
            "'--from' must be before '--to'"
        case .conflict(let left, let right):
            "'\(left.flag)' and '\(right.flag)' cannot be combined; remove one"
        case .onlyWith(let option, let other): "'\(option.flag)' has a meaning only with '\(other)'"
        case .badText(let option, let name, let reason):
            "'\(option.flag) \(name)=…': \(reason); change or remove it"
        case .recordersOnly(let option):
            "'\(option.flag)' is only for recorders; remove it, or use '--role recorder'"
        case .recordersAndMembersOnly(let option):
            "'\(option.flag)' is only for recorders and members; remove it, or use '--role recorder' or '--role member'"
        case .badTokenName(let name):
            "'\(name)' is not a valid token name; use one line of up to \(TokenName.characterLimit) characters"
        case .publicWithoutConsent(let host):
            "other machines could connect to '\(host)'; add '--public-read' if everybody may read, add a token for those who may "
                + "('tileserve tokens add --role viewer'), or listen on 127.0.0.1"
        case .noHome:
            "the library's folder is not known; add '--library DIR' or set TILESERVE_LIBRARY"
        case .badLocation(let reason): "the library cannot be used: \(reason)"
        }
    }

    private static func program(_ group: String?) -> String {
        group.map { "tileserve \($0)" } ?? "tileserve"
    }
}

extension Expectation {
    /// What is wrong, and what to write instead.
    var sentence: String {
        switch self {
        case .wholeNumber(let range):
            range.upperBound == .max
                ? "not a whole number; use \(range.lowerBound) or more"
                : "not a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .size: "not a size; write one like 256MB or 1GiB"
        case .duration: "not a duration; write one like 30s, 10m, 2h or 1h30m"
        case .gap: "not a pause; write one like 30m, or none"
        case .zoomLevels: "not zoom levels from 0 to 22; write them like 0-14, or one like 12"
        case .box: "not a box; write west,south,east,north in degrees, like 5.9,45.8,10.5,47.8"
        case .date: "not a date; write one like 2025-03-30, or an instant like 2025-03-30T08:00:00Z"
        case .day: "not a day; write one like 2025-03-30"
        case .later: "this is in the past; give a later date"
        case .speed: "not a speed; write a number from 0.1 to 100000, or max"
        case .cursor: "not an event id; use the 'id' of a line written before"
        case .zone: "not a time zone; write one like Europe/Zurich or UTC"
        case .geocoder:
            "not INTERFACE=URL; for example nominatim=https://nominatim.example.org, or photon=… or pelias=…"
        case .baseMap:
            "not a name and a URL, nor the name of an archive; write for example 'Roads=https://tile.example.org/{z}/{x}/{y}.png'"
        case .origin: "not an origin; write one like https://maps.example.org"
        case .archive:
            "not a name and a file; a name has 1–40 of a–z, 0–9 and -, a letter first, as in 'roads=/maps/Roads 1.mbtiles'"
        case .nameAndValue: "not a name and a value; write for example 'attribution=© Ada'"
        case .notEmpty: "empty; give a value"
        case .tag: "not a tag; write up to \(TrackEdit.tagCharacters) letters, digits, spaces and -_."
        case .activity: "not an activity; write up to \(TrackEdit.tagCharacters) letters, digits, spaces and -_."
        case .name(let characters): "not a name; write one line of up to \(characters) characters"
        case .person(let characters):
            "not a name of a person; write one line of up to \(characters) characters, not 'owner', '.' or '..'"
        case .clockOffset: "not an offset of a clock; write one like +02:00, -05:30:10 or 1h3m20s"
        case .factor: "not a factor; write FACTOR=CONDITION, like '4=activity = swim', with 0.001 to 1000"
        case .photoPlace: "not a file with its place; write FILE=LON,LAT, like IMG_7.jpg=8.5417,47.3769"
        case .place: "not a place; write LON,LAT, like 8.5417,47.3769"
        case .zoneOfPlace:
            "not a zone; write LON,LAT,RADIUS with a radius of \(PrivacyZone.radii.lowerBound) to "
                + "\(PrivacyZone.radii.upperBound) metres, like 8.5417,47.3769,1500"
        case .wholeDays:
            "not a number of days from \(RetentionRule.days.lowerBound) to \(RetentionRule.days.upperBound); write one like 30d"
        case .thinning: "not a duration from 2s to 2m; write one like 1m"
        case .instant: "not an instant; write one like 2025-03-30T08:00:00Z"
        case .caption: "not a caption; write 1 to 2000 characters"
        case .hours: "not a list of hours; write one like 6-9,22-4"
        case .months: "not a list of months; write one like 5-8 or 12-2"
        case .oneOf(let words): "not a valid value; use \(DisplayText.list(words, "or"))"
        }
    }
}
