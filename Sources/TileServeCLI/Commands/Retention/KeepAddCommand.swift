import PrimaryStore
import Text
import TrackStore
import Tracks

/// `tileserve keep`: adds a rule for what is removed as it gets old, and applies it.
struct KeepAddCommand: Command {
    static let name = "keep add"
    static let operands = Operands.some("DAYS")

    private static let device = Option("device", "NAME", "the tracks of a device")
    private static let person = Option("person", "NAME", "the tracks of a person")
    private static let layer = Option("layer", "NAME", "the tracks of a layer; 'all' for all tracks")
    private static let thin = Option(
        "thin", "DURATION", "keeps one point of each such interval (2s to 2m) instead of removing all")
    private static let dryRun = Option("dry-run", "reports what would be removed, and changes nothing")

    static let screen = HelpScreen(
        usage: "--device NAME|--person NAME|--layer NAME [OPTION]… DAYS",
        summary: "removes points for good when they are older than some days",
        about: """
            Adds a rule, and applies it: points recorded before the day that is DAYS (such as 30d) before today are \
            erased, as 'tileserve tracks remove' does, from the library, its editions and every running server. There is \
            no confirmation, and it cannot be undone; '--dry-run' shows what would happen. From then on the rule is \
            applied after each import, and by 'tileserve serve' each midnight. Tracks of which some points are left keep \
            their ids, names and tags. Tracks without times, pins, photos and backups are not touched.
            The word 'add' can be left out.
            """,
        options: [LibraryOption.option, device, person, layer, thin, dryRun, CommonOptions.json],
        examples: [
            ("tileserve keep --device car 30d", "removes what the car recorded more than 30 days ago"),
            ("tileserve keep --layer all --thin 1m 365d", "thins all older tracks to a point a minute"),
            ("tileserve keep --person Ada --dry-run 90d", "shows what a rule would remove"),
        ])

    let folder: String
    let rule: RetentionRule
    let isDryRun: Bool
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        let selections: [(Option, RetentionRule.Selection)] = [
            try given.text(Self.device).map { (Self.device, .device($0)) },
            try given.text(Self.person).map { (Self.person, .person($0)) },
            try given.text(Self.layer).map { (Self.layer, .layer($0)) },
        ].compactMap { $0 }
        guard let (first, selection) = selections.first else { throw .missingOption(Self.device) }
        if selections.count > 1 { throw .conflict(first, selections[1].0) }
        let text = try given.onlyOperand()
        guard let days = Quantity.wholeDays(text), RetentionRule.days.contains(days) else {
            throw .badOperand(text, expected: .wholeDays)
        }
        let thinning = try given.value(Self.thin, .thinning) { text in
            Quantity.milliseconds(text).flatMap { RetentionRule.thinning.contains($0) ? $0 : nil }
        }
        rule = RetentionRule(selection, days: days, thinning: thinning)
        isDryRun = given.has(Self.dryRun)
        isJSON = given.has(CommonOptions.json)
    }
}

extension KeepAddCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        let now = TrackDatabase.systemClock()
        if case .layer(let name) = rule.selection, try library.filter(layer: name) == nil {
            throw SelectionError.noSuchLayer(name)
        }
        if isDryRun {
            let receipt = try library.tryRetention(of: rule, at: now)
            try context.terminal.say(
                isJSON ? receipt.json(calendar, isDry: true).text : receipt.line(calendar, isDry: true))
            return .done
        }
        let number = try library.database.add(rule)
        let stop = context.stop
        let applied = try library.applyRetention(at: now, isStopped: { stop.isRequested }) {
            try DiskCache.drop($0, of: library)
        }
        guard let applied else {
            context.terminal.report(
                "rule \(number): another process applies the rules now; it is applied by the next one")
            return .incomplete
        }
        for receipt in applied.receipts where receipt.rule.number == number || receipt.points > 0 {
            try context.terminal.say(
                isJSON ? receipt.json(calendar, isDry: false).text : receipt.line(calendar))
        }
        if let failure = applied.failure { throw failure }
        if stop.isRequested { return context.stopped("the rule is stored; the rest is removed by the next run") }
        guard let removal = applied.removal, let message = removal.message("points", in: library.name) else {
            return .done
        }
        context.terminal.report(message)
        return removal.isPending ? .incomplete : .done
    }
}
