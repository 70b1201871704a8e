internal import Database
internal import Files
package import GridStorage
package import PrimaryStore

// Editions are libraries of their own in the folder `editions` of the library, with cut recordings: what an audience other than
// the owner asks is answered from them, so no read in the middle has to know of rights.

extension Library {
    private static let editionsName = "/editions"

    /// The folder of the library of an edition.
    static func editionFolder(_ id: String, of folder: String) -> String {
        "\(folder)\(editionsName)/\(id)"
    }

    /// The folder of the library that an edition belongs to, and the id of the edition; nil if the folder is not that of an
    /// edition.
    static func libraryOfEdition(in folder: String) -> (folder: String, id: String)? {
        guard let slash = folder.lastIndex(of: "/"), folder[..<slash].hasSuffix(editionsName) else { return nil }
        let id = folder[folder.index(after: slash)...]
        return id.isEmpty ? nil : (String(folder[..<slash].dropLast(editionsName.count)), String(id))
    }

    /// Whether the edition has a library already.
    package func hasLibrary(_ edition: Edition) -> Bool {
        Self.exists(in: Self.editionFolder(edition.id, of: folder))
    }

    /// Opens the library of an edition, which is made if it does not exist; it may lack recent changes, see `EditionUpdate`.
    package func library(of edition: Edition) throws -> Library {
        let zone = try database.zone()
        return try Library(
            folder: Self.editionFolder(edition.id, of: folder), zoneIfNew: zone, isReadOnly: isReadOnly ? true : nil)
    }
}

extension Library {
    /// The library of an edition with everything that it has to show now, its grid included.
    ///
    /// Throws `CancellationError` if it was stopped before the end; what is done stays, and the next update goes on.
    package func currentLibrary(
        of edition: Edition, isStopped: @escaping @Sendable () -> Bool = { false },
        report: @escaping @Sendable (EditionProgress) -> Void = { _ in }
    ) throws -> Library {
        let library = try library(of: edition)
        try library.update(edition, from: self, isStopped: isStopped, report: report)
        return library
    }

    /// Brings this library, that of `edition`, up to date with the one that it is derived from.
    package func update(
        _ edition: Edition, from source: Library, isStopped: @escaping @Sendable () -> Bool = { false },
        report: @escaping @Sendable (EditionProgress) -> Void = { _ in }
    ) throws {
        guard !isReadOnly else { return }
        _ = try show(edition, from: source, isStopped: isStopped, report: report)
        _ = try eraseUnpublished()
    }

    /// Returns false if a reader prevents that cut tracks, from which the edition is derived, are overwritten.
    private func show(
        _ edition: Edition, from source: Library, isStopped: @escaping @Sendable () -> Bool = { false },
        report: @escaping @Sendable (EditionProgress) -> Void = { _ in }
    ) throws -> Bool {
        var isErased = true
        if let cutTracks = edition.cutTracks {
            let cut = try source.library(of: cutTracks)
            _ = try cut.show(cutTracks, from: source, isStopped: isStopped, report: report)
            isErased = try cut.eraseUnpublished()
            try SharedPlaces(of: self, edition: edition, from: cut).update(isStopped: isStopped)
        } else {
            let update = EditionUpdate(of: self, edition: edition, from: source)
            try update.run(at: database.now(), isStopped: isStopped) { report(.cutting(done: $0, total: $1)) }
        }
        try catchUp { report(.building($0)) }
        return isErased
    }

    /// Overwrites what an edition does not show any more, also in its grid; false if a reader prevents that, until the next time
    /// or until the edition is next opened.
    private func eraseUnpublished() throws -> Bool {
        guard let erasure = try database.eraseRemoved() else { return true }
        let gridErasure = try grid.truncateLog()
        return erasure != .prevented && gridErasure != .prevented
    }

    /// Removes what was removed from this library from the editions that have one of their own; false if a process that serves an
    /// edition has not confirmed that its memory is clean, or a reader has prevented the overwriting. An edition that cannot be
    /// updated does not keep the others from it; the first error is thrown at the end.
    func removeFromEditions() throws -> Bool {
        var areClean = true
        var failure: (any Error)?
        for edition in try database.editions() where hasLibrary(edition) {
            do {
                areClean = try remove(from: edition) && areClean
            } catch is CancellationError {
                // The edition was removed meanwhile, with its library.
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return areClean
    }

    private func remove(from edition: Edition) throws -> Bool {
        let library = try library(of: edition)
        let areCutTracksErased = try library.show(edition, from: self)
        let isConfirmed = try library.coordination.membership.waitUntilConfirmed(
            library.database.head().revision, timeoutMilliseconds: coordination.waitMilliseconds)
        // Another process may have done the update, and have erased while others still read.
        let isLogClean = try library.grid.truncateLog() != .prevented
        return try library.eraseUnpublished() && isLogClean && isConfirmed && areCutTracksErased
    }

    /// Removes an edition with its library; returns it, or nil if there is none with the name.
    @discardableResult
    package func removeEdition(named name: String) throws -> Edition? {
        guard let edition = try database.removeEdition(name: name) else { return nil }
        for id in edition.libraryIDs { try deleteLibrary(ofEdition: id) }
        return edition
    }

    /// Deletes what is left of editions that do not exist: a process was killed while it removed one, or opened one that was
    /// being removed.
    package func deleteUnknownEditions() throws {
        let place = folder + Self.editionsName
        guard !isReadOnly, database.storage.shared == nil, FileStatus.ifExists(of: place) != nil else { return }
        // Before the rows: what is added meanwhile has its row before its folder.
        let ids = try LibraryError.mappingFiles { try Folder.entries(of: place) }
            .map { String($0.path.dropFirst(place.count + 1)) }.filter { Edition.isLibraryID($0) }
        let known = Set(try database.editions().flatMap(\.libraryIDs))
        for id in ids where !known.contains(id) { try deleteLibrary(ofEdition: id) }
    }

    private func deleteLibrary(ofEdition id: String) throws {
        let folder = Self.editionFolder(id, of: folder)
        let storage = try Self.storage(in: folder)
        // An update under way notices that the edition is gone, and none begins after that.
        let lock = storage.exists(.tracks) ? try storage.database(.tracks, isReadOnly: false).lock(.deriving) : nil
        defer { withExtendedLifetime(lock) {} }
        // Emptied first: others may have it open, and read an empty library then.
        for kind in [DatabaseKind.grid, .tracks] where storage.exists(kind) {
            try storage.database(kind, isReadOnly: false).recreate()
        }
        if storage.shared == nil { try LibraryError.mappingFiles { try Folder.remove(folder) } }
    }
}

/// What bringing an edition up to date is doing.
package enum EditionProgress: Sendable {
    /// Points of the library are read and cut.
    case cutting(done: Int, total: Int)
    /// The grid of the edition is built.
    case building(GridProgress)
}
