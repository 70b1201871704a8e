import Editions
import PrimaryStore
import Text
import TrackStore

/// The option `--edition`: what others may see of the library, instead of the library.
enum EditionOption {
    static let option = Option("edition", "NAME", "of an edition, not of the whole library")
    /// The same for a link.
    static let shown = Option("edition", "NAME", "shows an edition")
}

extension Library {
    /// The edition with a name. Throws a `Failure` if there is none.
    func knownEdition(_ name: String) throws -> Edition {
        let editions = try database.editions()
        if let edition = editions.first(where: { $0.name == name }) { return edition }
        let meant = SpellingSuggestion.nearest(to: name, of: editions.map(\.name))
        let hint = meant.map { "did you mean '\($0)'?" } ?? "see 'tileserve editions list'"
        throw Failure(.noInput, "\(name.singleLine): no such edition; \(hint)")
    }

    /// The library of an edition, brought up to date with progress shown; this library if `name` is nil.
    func edition(_ name: String?, _ context: CommandEnvironment) throws -> Library {
        guard let name else { return self }
        let edition = try knownEdition(name)
        guard try edition.rule.isShown(at: TrackDatabase.systemClock(), in: calendar()) else {
            throw Failure(.noInput, "\(name.singleLine): the edition has ended; it cannot be seen any more")
        }
        let progress = Progress(context.terminal)
        defer { progress.end() }
        let stop = context.stop
        do {
            return try currentLibrary(of: edition, isStopped: { stop.isRequested }) { progress.update($0) }
        } catch is CancellationError {
            throw context.stopFailure("the edition is completed when it is next used")
        }
    }
}

extension Progress {
    /// Shows the progress of bringing an edition up to date.
    fileprivate func update(_ edition: EditionProgress) {
        switch edition {
        case .cutting(let done, let total):
            update(fraction: total > 0 ? Double(done) / Double(total) : nil) { _ in
                "making the edition: \(DisplayText.count(done)) of \(DisplayText.count(total)) points"
            }
        case .building(let grid): update(grid)
        }
    }
}
