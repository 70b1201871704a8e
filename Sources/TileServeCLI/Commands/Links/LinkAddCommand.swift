import EditionService
import Editions
import Files
import Foundation
import HTTPCore
import Links
import PrimaryStore
import RequestHandling
import Text
import Tokens
import TrackStore
import Tracks

/// `tileserve links add`: makes a link with which others see an edition.
struct LinkAddCommand: Command {
    static let name = "links add"
    static let operands = Operands.atMostOne

    private static let layer = Option("layer", "NAME", "shows a layer; 'all' for all tracks")
    private static let track = Option("track", "ID", "shows this track; may be given several times")
    private static let expires = Option(
        "expires", "DATE|never", "when the link ends (default: in \(LinkRequest.standardSeconds / 86_400) days)")
    private static let passwordFile = Option(
        "password-file", "FILE",
        "asks readers for the password in the first line of this file; '-' is the standard input")
    private static let live = Option("live", "shows points of --layer while they are recorded")
    private static let preview = Option(
        "preview", "gives programs that show previews of links a picture, without a secret")
    private static let tiles = Option("tiles", "makes a URL of tiles for map programs, which shows nothing else")
    private static let url = Option(
        "url", "URL", "the address of the server, for the link (default: http://127.0.0.1:8080)")

    static let screen = HelpScreen(
        usage: "--edition NAME|--layer NAME|--track ID [OPTION]… [LABEL]",
        summary: "makes a link for others, without a token",
        about: """
            Makes a link, and prints it to the standard output. It cannot be shown again: the library stores only its \
            digest. Whoever has it sees an edition of the library ('tileserve editions add'), some tracks, or a layer, \
            until it expires or is removed. For tracks and a layer an edition is made that hides every place a zone was \
            ever drawn around, and that goes with the link.
            The secret of a link is behind '#', which browsers send to nobody, so it is in no log. '--tiles' makes a URL \
            for map programs instead; it is as secret as a password.
            """,
        options: [
            LibraryOption.option, EditionOption.shown, layer, track, expires, passwordFile, live, preview, tiles, url,
        ],
        examples: [
            (
                "tileserve links add --edition public --url https://maps.example.org Club",
                "shows an edition for 30 days"
            ),
            ("tileserve links add --track 7QfTzL2b9C --expires never", "shows one track"),
        ])

    let folder: String
    let label: String
    let content: LinkSubject.Content
    let expires: Expiry
    let passwordFile: String?
    let kind: LinkKind
    let isLive: Bool
    let hasPreview: Bool
    let url: PublicURL

    /// When a link ends.
    enum Expiry: Equatable {
        case standard
        case never
        case at(DateText)
    }

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        let tracks = try given.allValues(Self.track, .notEmpty) { $0.isEmpty ? nil : $0 }
        let subjects: [LinkSubject.Content] = [
            try given.text(EditionOption.shown).map { .edition($0) }, tracks.isEmpty ? nil : .tracks(tracks),
            try given.text(Self.layer).map { .layer($0) },
        ].compactMap { $0 }
        guard let content = subjects.first else { throw .missingOption(EditionOption.shown) }
        if subjects.count > 1 {
            throw .conflict(
                tracks.isEmpty ? EditionOption.shown : Self.track,
                given.has(Self.layer) ? Self.layer : EditionOption.shown)
        }
        self.content = content
        label = given.operands.first ?? "link"
        guard (1...LinkRequest.textLimit).contains(label.count) else {
            throw .badOperand(label, expected: .name(characters: LinkRequest.textLimit))
        }
        expires =
            try given.value(Self.expires, .date) { text -> Expiry? in
                text == "never" ? .never : DateText(text).map { .at($0) }
            } ?? .standard
        passwordFile = try given.text(Self.passwordFile)
        kind = given.has(Self.tiles) ? .tiles : .page
        isLive = given.has(Self.live)
        hasPreview = given.has(Self.preview)
        if hasPreview, kind == .tiles { throw .conflict(Self.preview, Self.tiles) }
        if hasPreview, passwordFile != nil { throw .conflict(Self.preview, Self.passwordFile) }
        if isLive, case .edition = content { throw .conflict(EditionOption.shown, Self.live) }
        if isLive, case .tracks = content { throw .conflict(Self.track, Self.live) }
        if kind == .tiles, passwordFile != nil { throw .conflict(Self.tiles, Self.passwordFile) }
        guard let url = try given.value(Self.url, .origin, { PublicURL($0) }) ?? PublicURL("http://127.0.0.1:8080")
        else { throw .missingOption(Self.url) }
        self.url = url
    }
}

extension LinkAddCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let now = TrackDatabase.systemClock() / 1000
        var rule = EditionRule()
        rule.isLive = isLive
        if case .tracks = content { rule.delayDays = 0 }
        if isLive { rule.delayDays = 0 }
        let subject = LinkSubject(content, rule: rule, zones: [])
        let password = try passwordFile.map { try Self.password(in: $0) }
        let end = try expiry(in: library.calendar(), now: now)
        let (record, secret) = try subject.makeLink(label, kind, in: library) { wanted in
            var wanted = wanted
            wanted.expires = end
            wanted.password = password
            wanted.hasPreview = hasPreview
            return try OpenedLibrary.links(in: library.folder).add(wanted, now: now)
        }
        // Only the link goes to the standard output, so that scripts can use it.
        try context.terminal.say(LinkHandler.url(url.text, record, secret: secret.text))
        let ending = end.map { "until \(InstantFormatter.utc($0 * 1000))" } ?? "until it is removed"
        context.terminal.report(
            "\(record.label): the link above is valid \(ending) and is not shown again; to remove it: 'tileserve links "
                + "remove \(record.id)'")
        if record.ownsEdition, try library.database.edition(named: record.edition)?.rule.zones.isEmpty == true {
            context.terminal.report(
                "\(record.label): no place is hidden, so the link shows where tracks begin and end; 'tileserve editions add "
                    + "NAME --zone LON,LAT,RADIUS' makes an edition that hides a home")
        }
        return .done
    }

    private func expiry(in calendar: DayCalendar, now: Int64) throws -> Int64? {
        switch expires {
        case .standard: return now + LinkRequest.standardSeconds
        case .never: return nil
        case .at(let date):
            let end = date.end(in: calendar) / 1000
            guard end > now else { throw UsageError.badOperand("--expires", expected: .later) }
            return end
        }
    }

    /// The first line of a file: a password on the command line could be read by every user of the machine.
    private static func password(in path: String) throws -> String {
        let bytes: [UInt8]
        if path == "-" {
            bytes = Array(try FileHandle.standardInput.read(upToCount: passwordBytes) ?? Data())
        } else {
            bytes = try AtomicFile.read(path, limit: passwordBytes) ?? []
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard let text = String(validating: line, as: UTF8.self), (1...LinkRequest.textLimit).contains(text.count)
        else {
            throw Failure(
                .badData,
                "\(FileName.shown(path)): the first line is not a password of 1 to \(LinkRequest.textLimit) characters")
        }
        return text
    }

    private static let passwordBytes = 4096
}
