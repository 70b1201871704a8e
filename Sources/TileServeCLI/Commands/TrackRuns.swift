import PrimaryStore
import Text
import TrackImport
import TrackStore
import Tracks

extension TrackListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        let terminal = context.terminal
        var after: String?
        var count = 0
        if let filter = try filter(library, calendar) {
            let table = TrackListing(calendar)
            repeat {
                // Page by page, so that no read transaction stays open while the output blocks.
                guard let page = try library.database.tracks(filter, for: .owner, limit: Self.pageTracks, after: after)
                else { break }
                var lines = page.tracks.map { isJSON ? $0.json.text : table.line($0) }
                if count == 0, !isJSON, !lines.isEmpty { lines.insert(table.heading, at: 0) }
                if !lines.isEmpty { try terminal.out(lines.joined(separator: "\n") + "\n") }
                count += page.tracks.count
                after = page.next
            } while after != nil && !context.stop.isRequested
        }
        guard count == 0 else { return .done }
        terminal.report("tileserve tracks list: no track matches")
        return isFiltered ? .incomplete : .done
    }

    /// Fills several screens and needs little memory.
    private static let pageTracks = 500

    private var isFiltered: Bool {
        !window.isEverything || activity != nil || person != nil || condition != nil
    }

    /// The filter of the options; nil if nothing can match.
    private func filter(_ library: Library, _ calendar: DayCalendar) throws -> TrackFilter? {
        var filter = TrackFilter()
        (filter.from, filter.to) = try window.instants(in: calendar)
        if let activity { filter.limit(toActivity: activity) }
        filter.condition = condition
        filter.calendar = calendar
        if let person {
            guard let number = try library.database.personNumber(named: person) else { return nil }
            filter.person = number
        }
        return filter
    }
}

extension TrackShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        var code = ExitCode.done
        var isFirst = true
        for id in ids {
            guard let track = try library.database.track(id: id, for: .owner) else {
                context.terminal.report(TextTable.noSuch("track", id))
                code = .noInput
                continue
            }
            var outliers: [OutlierPoint] = []
            if showsOutliers {
                try library.database.read { try $0.forEachOutlier(of: track) { outliers.append($0) } }
            }
            let others = try library.database.tracksAtSameTime(as: [track])[track.number] ?? []
            if isJSON {
                var object = track.fullJSON(sameTimeAs: others)
                if showsOutliers { object.add("marked", objects: outliers.map(\.json)) }
                try context.terminal.say(object.text)
            } else {
                let lines = (isFirst ? [] : [""]) + track.lines(calendar, sameTimeAs: others) + outliers.map(\.line)
                try context.terminal.say(lines.joined(separator: "\n"))
            }
            isFirst = false
        }
        return code
    }
}

extension TrackTagCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        try edited(ids, edit, in: folder, context) { track in
            track.tags.isEmpty ? "no tags" : "tags: \(track.tags.joined(separator: ", "))"
        }
    }
}

extension TrackEditCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        try edited(ids, edit, in: folder, context) { track in
            "\((track.name ?? track.source).singleLine), \(track.activity?.rawValue ?? "no activity")"
        }
    }
}

/// Edits tracks, updates the map, and prints a line for each changed track.
private func edited(
    _ ids: [String], _ edit: TrackEdit, in folder: String, _ context: CommandEnvironment,
    _ description: (Track) -> String
) throws -> ExitCode {
    let library = try OpenedLibrary.existing(in: folder)
    let terminal = context.terminal
    let known = try ids.filter { try library.database.track(id: $0, for: .owner) != nil }
    for id in ids where !known.contains(id) { terminal.report(TextTable.noSuch("track", id)) }
    guard !known.isEmpty else { return .noInput }
    let tracks = try library.database.edit(known, edit)
    if !tracks.isEmpty {
        let progress = Progress(terminal)
        defer { progress.end() }
        try library.catchUp { progress.update($0) }
    }
    for track in tracks { try terminal.say("\(track.id): \(description(track))") }
    if tracks.isEmpty { terminal.report("\(folder): nothing to change; the tracks already have these values") }
    return known.count == ids.count ? .done : .incomplete
}

extension TrackRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        var tracks: [Track] = []
        var code = ExitCode.done
        for id in ids {
            if let track = try library.database.track(id: id, for: .owner) {
                // A track may have several ids, or be given twice.
                if !tracks.contains(where: { $0.id == track.id }) { tracks.append(track) }
            } else {
                terminal.report(TextTable.noSuch("track", id))
                code = .incomplete
            }
        }
        guard !tracks.isEmpty else { return .noInput }
        let removal = try library.remove(tracks.map(\.id)) { try DiskCache.drop($0, in: folder) }
        for track in tracks {
            try terminal.say(
                "\(track.id): deleted (\((track.name ?? track.source).singleLine), \(DisplayText.count(track.points, "point")))"
            )
        }
        guard let message = removal.message("points", in: folder) else { return code }
        terminal.report(message)
        return .incomplete
    }
}

extension TrackAcceptCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        guard let inbox = try library.inbox() else {
            terminal.report("\(folder): there is no inbox; 'tileserve import --inbox' creates it")
            return .noInput
        }
        // Before they are removed from the inbox; a track may have several ids.
        let known = try ids.filter { try inbox.database.track(id: $0, for: .owner) != nil }
        for id in ids where !known.contains(id) { terminal.report(TextTable.noSuch("track", id)) }
        let accepted = try library.accept(
            known, from: inbox, updateGrid: { _ = try library.updateMap(context) },
            dropFromInbox: { try DiskCache.drop($0, in: inbox.folder) })
        for (track, outcome) in accepted {
            let name = (track.name ?? track.source).singleLine
            let points = DisplayText.count(track.points, "point")
            try terminal.say(
                outcome.points == 0
                    ? "\(track.id): already in the library (\(name))" : "\(track.id): accepted (\(name), \(points))"
            )
        }
        return accepted.isEmpty ? .noInput : known.count == ids.count ? .done : .incomplete
    }
}
