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
        let update = EditionUpdate(of: self, edition: edition, from: source)
        try update.run(at: database.now(), isStopped: isStopped) { report(.cutting(done: $0, total: $1)) }
        try catchUp { report(.building($0)) }
        try database.eraseRemoved()
    }

    /// Removes what was removed from this library from the editions that have one of their own; false if a process that serves an
    /// edition has not confirmed that its memory is clean.
    func removeFromEditions() throws -> Bool {
        var areClean = true
        for edition in try database.editions() where hasLibrary(edition) {
            let library = try library(of: edition)
            try library.update(edition, from: self)
            let isClean = try library.coordination.membership.waitUntilConfirmed(
                library.database.head().revision, timeoutMilliseconds: coordination.waitMilliseconds)
            areClean = areClean && isClean
        }
        return areClean
    }

    /// Removes an edition with its library; returns it, or nil if there is none with the name.
    @discardableResult
    package func removeEdition(named name: String) throws -> Edition? {
        guard let edition = try database.removeEdition(name: name) else { return nil }
        try deleteLibrary(of: edition)
        return edition
    }

    private func deleteLibrary(of edition: Edition) throws {
        let folder = Self.editionFolder(edition.id, of: folder)
        let storage = try Self.storage(in: folder)
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
