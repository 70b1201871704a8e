import Styling

/// One verb of the command line.
protocol Command: Sendable {
    /// What is typed behind `tileserve`, words separated by spaces (`tracks list`).
    static var name: String { get }
    /// What help says, and which options there are.
    static var screen: HelpScreen { get }
    /// What it takes besides options.
    static var operands: Operands { get }

    /// The command with its options checked; nothing of the world is looked at yet.
    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError)

    /// Does it.
    func run(_ surroundings: CommandEnvironment) throws -> ExitCode
}

/// What a running command has around it.
struct CommandEnvironment: Sendable {
    /// Where its words go.
    var terminal: Terminal
    /// Asked for by a signal: end soon.
    var stop: StopRequest
    /// Rings when log files are to be opened anew.
    var hangUp: Bell
    /// Variables of the environment.
    var environment: [String: String]
}

/// All commands, in the order of help.
enum Commands {
    static let all: [any Command.Type] = [
        ImportCommand.self, ImportsListCommand.self, ImportsShowCommand.self, ImportsUndoCommand.self,
        ServeCommand.self, PrerenderCommand.self, RebuildCommand.self, TrackListCommand.self,
        TrackShowCommand.self, TrackTagCommand.self, TrackEditCommand.self, TrackRemoveCommand.self,
        TrackAcceptCommand.self, TrackExportCommand.self, ReplayCommand.self, LayerAddCommand.self,
        LayerListCommand.self,
        LayerShowCommand.self, LayerRemoveCommand.self, TokenAddCommand.self, TokenListCommand.self,
        TokenRemoveCommand.self, StatsCommand.self, CleaningCommand.self, VerifyCommand.self,
    ]

    /// Words that only stand before further ones.
    static let groups = ["imports", "tracks", "layers", "token"]

    /// The command that `words` begin with, and the words behind it.
    static func find(_ words: [String]) throws(UsageError) -> (command: any Command.Type, rest: [String]) {
        guard let first = words.first else { throw .noCommand(group: nil) }
        guard !first.hasPrefix("-") else { throw .optionBeforeCommand(first) }
        if groups.contains(first) { return try find(Array(words.dropFirst()), in: first) }
        if let command = all.first(where: { $0.name == first }) { return (command, Array(words.dropFirst())) }
        let known = groups + all.map { $0.name }.filter { !$0.contains(" ") }
        throw .unknownCommand(first, group: nil, suggestion: SpellingSuggestion.nearest(to: first, of: known))
    }

    private static func find(
        _ words: [String], in group: String
    ) throws(UsageError) -> (command: any Command.Type, rest: [String]) {
        guard let first = words.first else { throw .noCommand(group: group) }
        if let command = all.first(where: { $0.name == "\(group) \(first)" }) {
            return (command, Array(words.dropFirst()))
        }
        let prefix = group + " "
        let known = all.map { $0.name }.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        throw .unknownCommand(first, group: group, suggestion: SpellingSuggestion.nearest(to: first, of: known))
    }
}
