import Foundation
import LibraryImport
import Locking
import PrimaryStore
import Text
import TrackImport
import TrackStore
import Tracks

/// `tileserve import`: imports files into the library.
struct ImportCommand: Command {
    static let name = "import"
    static let operands = Operands.some("PATH")

    private static let person = Option(
        "person", "NAME", "the person of the tracks, if the file names none (default: the owner)")
    private static let device = Option("device", "NAME", "appends the points to the recording of this device")
    private static let activity = Option("activity", "NAME", "the activity, if the file names none: ride, hike, …")
    private static let zone = Option(
        "zone", "TZ",
        "the time zone of times without one (default: UTC in GPX, TCX, KML and Google; in other formats the UTC offset "
            + "of the nearest other point of the import, or else the library's time zone)")
    private static let gap = Option(
        "gap", "none|DURATION",
        "ends a line at pauses longer than this; none: never (default: 30m in what spans more than a day)")
    private static let again = Option(
        "again", "reads files again, and replaces what earlier imports have read from the same files")
    static let dryRun = Option(
        "dry-run", "reports exactly what would be stored and what is a duplicate, but stores nothing")

    static let screen = HelpScreen(
        usage: "[OPTION]… PATH…",
        summary: "imports track files into the library",
        about: """
            Imports files into the library and updates the map. Formats: \(TrackFormat.list), also in ZIP, tar, \
            7z and RAR archives (KMZ is a ZIP archive) and compressed with gzip, xz, bzip2, zstd or lz4. A PATH is a file, a folder, which is searched recursively, or '-' \
            for the standard input. The format is detected from the content, not from the name.
            Nothing is stored twice: known tracks are reported as duplicates, so an import can be stopped with ^C \
            and repeated. A file that cannot be read does not stop the import. The receipt reports for each file \
            what was stored, flagged as an outlier or refused, and why. A file that is imported again after it \
            grew continues its track.
            With --again, a file that an earlier version has read wrongly is read again. Its tracks and pins replace \
            those that only this file has added; names, activities, tags, votes and comments that were added since \
            stay. 'tileserve imports list' names the files whose format this version reads differently.
            """,
        options: [
            LibraryOption.option, LibraryOption.inbox, person, device, activity, zone, gap, again, dryRun,
            CommonOptions.json,
        ],
        examples: [
            ("tileserve import ~/tracks", "imports all track files in a folder and its subfolders"),
            ("tileserve import --dry-run ride.gpx", "reports what is in a file, but stores nothing"),
            ("tileserve import --person ada --activity ride *.gpx", "imports rides of the person Ada"),
            ("tileserve import --inbox --person bea shared.geojson", "imports shared tracks into the inbox"),
            ("tileserve import --again --dry-run ride.fit", "reports what reading a file again would change"),
            ("zcat all.csv.gz | tileserve import --zone Europe/Zurich -", "imports from a pipe, with local times"),
        ])

    let folder: String
    let paths: [String]
    let person: String?
    let device: String?
    let activity: String?
    let zone: TimeZone?
    let gap: GapRule
    let readsAnew: Bool
    let isDryRun: Bool
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        paths = given.operands
        person = try given.text(Self.person)
        device = try given.text(Self.device)
        activity = try given.text(Self.activity)?.lowercased()
        zone = try given.value(Self.zone, .zone, Quantity.zone).flatMap { TimeZone(identifier: $0) }
        gap = try given.value(Self.gap, .gap, Quantity.gap) ?? .standard
        readsAnew = given.has(Self.again)
        isDryRun = given.has(Self.dryRun)
        isJSON = given.has(CommonOptions.json)
    }
}

extension ImportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let printer = ReceiptPrinter(context.terminal, isJSON: isJSON)
        let stop = context.stop
        if isDryRun {
            let library = Library.exists(in: folder) ? try OpenedLibrary.existing(in: folder) : nil
            let zone = try library?.calendar().zone ?? OpenedLibrary.systemZone(context.environment)
            let result = try LibraryImport.dryRun(
                .paths(paths), into: library, options: options(libraryZone: zone), readsAnew: readsAnew,
                isStopped: { stop.isRequested }, report: printer.report)
            try printer.finish()
            return try conclude(result, printer, context)
        }
        let library = try OpenedLibrary.made(in: folder, environment: context.environment)
        var files = try LibraryImport(
            .paths(paths), into: library, options: options(libraryZone: try library.calendar().zone))
        files.readsAnew = readsAnew
        let result = try files.run(
            isStopped: { stop.isRequested }, drop: { try DiskCache.drop($0, of: library) }, report: printer.report)
        guard !result.hasFailed else {
            // If this fails, the cause is the same as that of the failure reported below.
            try? printer.finish()
            let code = try conclude(result, printer, context)
            context.terminal.report("tileserve import: \(Self.sentence(ofStored: result.storedBeforeFailure))")
            return code
        }
        try printer.finish()
        if let error = result.receiptsError { throw error }
        for line in try result.retention?.lines(library.calendar()) ?? [] { context.terminal.report(line) }
        if let failure = result.retention?.failure {
            context.terminal.report(Failure(failure, command: "tileserve keep").line)
        }
        // The import is already stored; the next program that opens the library continues with the map.
        let hasMap = try result.total.stopped || library.updateMap(context)
        let code = try conclude(result, printer, context)
        return hasMap
            ? code : context.stopped("the import is stored; the map is completed when the library is next used")
    }

    /// The sentence that says what a failed import has stored.
    private static func sentence(ofStored record: ImportRecord?) -> String {
        guard let record else { return "nothing was stored; free disk space and repeat the command" }
        let parts =
            [record.recordings > 0 ? DisplayText.count(record.recordings, "track") : nil]
            + [record.streams > 0 ? "parts of " + DisplayText.count(record.streams, "stream") : nil]
        return parts.compactMap { $0 }.joined(separator: " and ")
            + " were stored as import \(record.number), the rest was not; free disk space and repeat the command"
    }

    private func options(libraryZone: String) -> ImportOptions {
        ImportOptions(
            person: person, device: device, activity: activity, zone: zone,
            libraryZone: TimeZone(identifier: libraryZone) ?? .gmt, gap: gap)
    }

    private func conclude(
        _ result: LibraryImport.Result, _ printer: ReceiptPrinter, _ context: CommandEnvironment
    ) throws -> ExitCode {
        let terminal = context.terminal
        let total = result.total
        let dry = isDryRun ? "would be stored: " : ""
        try terminal.say(isJSON ? total.json(import: result.number) : dry + total.line)
        if result.hasFailed { return .disk }
        if total.stopped {
            return context.stopped("repeat the command to continue")
        }
        if total.files == 0 || total.files == total.unrecognised {
            terminal.report(
                "tileserve import: no track file found; see 'tileserve import --help' for the supported formats")
            return .incomplete
        }
        if printer.missing == total.files { return .noInput }
        if total.refused > 0, total.outcome.points + total.outcome.duplicatePoints == 0 {
            terminal.report(
                "tileserve import: nothing \(isDryRun ? "would be" : "was") stored: all \(DisplayText.count(total.refused, "point")) were refused; the receipt says why"
            )
            return .incomplete
        }
        return total.failed > 0 ? .incomplete : .done
    }
}

extension Progress {
    /// Shows the progress of an import.
    func update(_ progress: ImportProgress) {
        let fraction = progress.totalBytes > 0 ? Double(progress.bytes) / Double(progress.totalBytes) : nil
        update(fraction: fraction) { seconds in
            let rate = seconds > 0 ? " · \(NumberText.bytes(Int(Double(progress.bytes) / seconds)))/s" : ""
            return
                "reading: \(DisplayText.count(progress.files)) of \(DisplayText.count(progress.totalFiles, "file")) · "
                + "\(DisplayText.count(progress.points, "point"))\(rate)"
        }
    }
}

/// Prints receipts as they arrive; a receipt arrives when its data is durable.
private final class ReceiptPrinter: Sendable {
    private struct State: Sendable {
        var missing = 0
        var failure: (any Error)?
    }

    private let progress: Progress
    private let terminal: Terminal
    private let isJSON: Bool
    private let state = Locked(State())

    init(_ terminal: Terminal, isJSON: Bool) {
        self.terminal = terminal
        self.isJSON = isJSON
        progress = Progress(terminal)
    }

    /// The number of given paths that do not exist.
    var missing: Int { state.withLock { $0.missing } }

    func report(_ event: ImportEvent) {
        switch event {
        case .progress(let progress): self.progress.update(progress)
        case .finished(let receipt):
            if receipt.failure == .missing { state.withLock { $0.missing += 1 } }
            let lines = isJSON ? [receipt.json] : receipt.isUnrecognisedFile ? [] : receipt.lines
            let text = lines.map { $0 + "\n" }.joined()
            guard !text.isEmpty else { return }
            do { try progress.withLineHidden { try terminal.out(text) } } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }
    }

    /// Removes the progress line; throws the first error of printing.
    func finish() throws {
        progress.end()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}
