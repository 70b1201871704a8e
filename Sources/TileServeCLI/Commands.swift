import Text

/// All commands, in the order of the help.
enum Commands {
    static let all: [any Command.Type] = [
        ImportCommand.self, ImportListCommand.self, ImportShowCommand.self, ImportUndoCommand.self,
        ServeCommand.self, PrerenderCommand.self, PosterCommand.self, RebuildCommand.self, TrackListCommand.self,
        TrackShowCommand.self, TrackTagCommand.self, TrackEditCommand.self, TrackRemoveCommand.self,
        TrackAcceptCommand.self, TrackExportCommand.self, PhotoLocateCommand.self, PhotoImportCommand.self,
        PinListCommand.self, PinShowCommand.self, PinAddCommand.self, PinRemoveCommand.self, PinExportCommand.self,
        VenueImportCommand.self, VenueListCommand.self, VenueShowCommand.self, VenueExportCommand.self,
        VenueCloseCommand.self, VenueOpenCommand.self, VenueRemoveCommand.self,
        RouteImportCommand.self, RouteListCommand.self, RouteShowCommand.self, RouteExportCommand.self,
        RouteRemoveCommand.self, JourneyAddCommand.self, JourneyListCommand.self, JourneyShowCommand.self,
        JourneyRemoveCommand.self, JourneyExportCommand.self, JourneyImportCommand.self,
        ReplayCommand.self,
        LayerAddCommand.self, LayerListCommand.self,
        LayerShowCommand.self, LayerRemoveCommand.self, EditionAddCommand.self, EditionListCommand.self,
        EditionShowCommand.self, EditionCheckCommand.self, EditionRemoveCommand.self, LinkAddCommand.self,
        LinkListCommand.self,
        LinkRemoveCommand.self, TokenAddCommand.self, TokenListCommand.self,
        TokenRemoveCommand.self, StatsCommand.self, ExplorerCommand.self, CountriesCommand.self, StayListCommand.self,
        StayPlacesCommand.self, StayNameCommand.self,
        AddressesCommand.self,
        CleaningCommand.self, KeepAddCommand.self, KeepListCommand.self, KeepRemoveCommand.self,
        VerifyCommand.self, BackupCommand.self, RestoreCommand.self, MigrateCommand.self,
        ExportCommand.self, CompletionsCommand.self,
    ]

    /// What completions and the page for man show.
    static var list: CommandList {
        let commands = all.map {
            DescribedCommand(name: $0.name, screen: $0.screen, takesOperands: $0.operands != .none)
        }
        return CommandList(commands: commands, groups: groups)
    }

    /// First words of commands that have two words.
    static let groups = [
        "imports", "tracks", "photos", "pins", "venues", "routes", "journeys", "layers", "editions",
        "links", "tokens", "stays", "keep",
    ]
    /// The groups, and the commands that have one word.
    static var firstWords: [String] { groups + all.map { $0.name }.filter { !$0.contains(" ") } }
    /// The command that the name of a group alone means.
    static let groupDefaults = ["stays": "stays list", "keep": "keep add"]
    /// Other words for the groups; `token` is the name that earlier versions used.
    private static let groupAliases = [
        "token": "tokens", "track": "tracks", "layer": "layers", "photo": "photos",
        "pin": "pins", "venue": "venues", "route": "routes", "journey": "journeys", "edition": "editions",
        "link": "links",
    ]

    /// The group of this name or alias.
    static func group(named word: String) -> String? {
        let name = groupAliases[word] ?? word
        return groups.contains(name) ? name : nil
    }

    /// The command named by the first of `words`, and the words after it.
    static func find(_ words: [String]) throws(UsageError) -> (command: any Command.Type, rest: [String]) {
        guard let first = words.first else { throw .noCommand(group: nil) }
        guard !first.hasPrefix("-") else { throw .optionBeforeCommand(first) }
        if let group = Self.group(named: first) { return try find(Array(words.dropFirst()), in: group) }
        if let command = all.first(where: { $0.name == first }) { return (command, Array(words.dropFirst())) }
        throw .unknownCommand(first, group: nil, suggestion: SpellingSuggestion.nearest(to: first, of: firstWords))
    }

    private static func find(
        _ words: [String], in group: String
    ) throws(UsageError) -> (command: any Command.Type, rest: [String]) {
        if words.first?.hasPrefix("-") ?? true, let name = groupDefaults[group],
            let command = all.first(where: { $0.name == name })
        {
            return (command, words)
        }
        guard let first = words.first else { throw .noCommand(group: group) }
        if let command = all.first(where: { $0.name == "\(group) \(first)" }) {
            return (command, Array(words.dropFirst()))
        }
        let prefix = group + " "
        let known = all.map { $0.name }.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        throw .unknownCommand(first, group: group, suggestion: SpellingSuggestion.nearest(to: first, of: known))
    }
}
