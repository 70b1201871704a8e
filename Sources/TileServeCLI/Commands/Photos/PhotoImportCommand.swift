import Files
import Foundation
import Parallelism
import PhotoFiles
import PhotoLocating
import PhotoMatching
import Pins
import PrimaryStore
import Text
import TrackStore

/// `tileserve photos import`: makes pins of photos.
struct PhotoImportCommand: Command {
    static let name = "photos import"
    static let operands = Operands.some("PATH")

    private static let person = Option(
        "person", "NAME", "the author; only the tracks of this person are used (default: the owner, and all tracks)")
    private static let category = Option("category", "NAME", "the category of the pins")
    private static let visibility = Option(
        "visibility", "WHO",
        "who may see the photos: open (everybody, the default), here (members within 100 m now), been (members who were there)"
    )
    private static let keepOriginals = Option(
        "keep-originals", "also copies the original files into the library (default: pictures of up to 2048 pixels)")
    private static let again = Option(
        "again", "reads photos again that are stored already, and corrects their pins")
    private static let dryRun = Option("dry-run", "reports what would be stored, but stores nothing")

    static let screen = HelpScreen(
        usage: "[OPTION]… PATH…",
        summary: "makes pins of photos at the places where they were taken",
        about: """
            Finds out when and where each photo was taken, as 'tileserve photos locate' does, and stores it as a pin \
            with two small pictures. A PATH is a file or a folder, which is searched recursively; the clocks of \
            cameras are learned from all photos of the command. The same photo of the same person is stored once, and \
            so are the still and the movie of a Live Photo. Sidecars (XMP, Google Takeout) are read with their photos. \
            The receipt says for each photo what was stored, or why it was not. Originals are never changed. Undo it \
            with 'tileserve imports undo'. With --again, pins of photos that an earlier version has read wrongly are \
            corrected; they keep their votes, comments and edits. 'tileserve help photos' describes it.
            """,
        options: [
            LibraryOption.option, person, category, visibility, keepOriginals, PhotoSelection.offset, PhotoSelection.at,
            again, dryRun, CommonOptions.json,
        ],
        examples: [
            ("tileserve photos import --dry-run DCIM/", "reports where each photo of a folder would be"),
            ("tileserve photos import --person ada --category holiday DCIM/", "makes pins of Ada's photos"),
            ("tileserve photos import --again --dry-run DCIM/", "reports what reading photos again would change"),
            (
                "tileserve photos import --at IMG_7.jpg=8.5417,47.3769 DCIM/",
                "learns the clock of the camera from a photo whose place is known"
            ),
        ])

    let folder: String
    let selection: PhotoSelection
    let person: String?
    let category: String?
    let visibility: PinVisibility
    let keepsOriginals: Bool
    let readsAgain: Bool
    let isDryRun: Bool
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        selection = try PhotoSelection(given, command: Self.name)
        person = try given.text(Self.person)
        category = try given.value(Self.category, .notEmpty) { PinText.category($0) }
        visibility = try given.choice(Self.visibility) ?? .open
        keepsOriginals = given.has(Self.keepOriginals)
        readsAgain = given.has(Self.again)
        isDryRun = given.has(Self.dryRun)
        isJSON = given.has(CommonOptions.json)
    }
}

extension PhotoImportCommand {
    /// A photo that is ready to be stored, or the reason why it is not stored.
    enum Prepared: Sendable {
        case photo(PinnedPhoto, keeping: PinnedPhoto.StoredPictures, PhotoReceipt)
        /// A photo that was read again, and the pins of other files of it.
        case again(PinnedPhoto, joining: [PinID], PhotoReceipt)
        case done(PhotoReceipt)

        var receipt: PhotoReceipt {
            switch self {
            case .photo(_, _, let receipt), .again(_, _, let receipt), .done(let receipt): receipt
            }
        }
    }

    /// What is stored of a photo that the library does not have yet.
    private var wanted: PinnedPhoto.StoredPictures { keepsOriginals ? .everything : .small }

    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library =
            isDryRun
            ? try OpenedLibrary.existing(in: folder)
            : try OpenedLibrary.made(in: folder, environment: context.environment)
        var totals = PhotoTotals()
        var receipts: [PhotoReceipt] = []
        let files = try locate(library, context) { receipts.append($0) }
        guard let files else { return context.stopped("nothing was stored") }
        let number = isDryRun ? nil : try library.database.beginImportRun(selection.paths)
        do {
            try report(receipts, &totals, number, library, context)
            try store(files, number, library, context) { try report($0, &totals, number, library, context) }
        } catch {
            if let number { _ = try? library.database.endFailedImport(number) }
            throw error
        }
        let kept = try number.flatMap { try library.database.deleteEmptyImport($0) ? nil : $0 }
        var removal = Library.Removal.complete
        if kept != nil {
            // Pins that were joined with others have to disappear from running servers, too.
            if totals.joined > 0 {
                removal = try library.replace(drop: { try DiskCache.drop($0, of: library) }, {})
            } else {
                try library.catchUp()
            }
        }
        try context.terminal.say(
            isJSON ? totals.json(import: kept) : totals.line(import: kept, isDryRun: isDryRun))
        let message = removal.message("photos", in: library.name)
        if let message { context.terminal.report(message) }
        if context.stop.isRequested {
            return context.stopped("repeat the command to continue")
        }
        let isComplete = totals.photos > 0 && totals.notLocated + totals.failed == 0 && !removal.isPending
        return isComplete ? .done : .incomplete
    }

    /// Reads and locates all photos; nil if the command was stopped. `add` gets receipts of files that cannot be read.
    private func locate(
        _ library: Library, _ context: CommandEnvironment, add: (PhotoReceipt) -> Void
    ) throws -> [LocatedFile]? {
        let zones = selection.zones(context.terminal)
        let photos = try selection.read(context) { path, line in
            if let path { add(PhotoReceipt(file: path, .failed(line))) } else { context.terminal.report(line) }
        }
        // Nobody has the number -1: a person without tracks.
        let number = try person.map { name in
            try library.database.personNumber(named: name) ?? -1
        }
        return try selection.locate(photos, person: number, zones: zones, library, context)
    }

    /// Stores the photos, some at a time, so that only these are in memory.
    private func store(
        _ files: [LocatedFile], _ number: Int64?, _ library: Library, _ context: CommandEnvironment,
        report: ([PhotoReceipt]) throws -> Void
    ) throws {
        let batch = ProcessInfo.processInfo.activeProcessorCount
        let parts = Dictionary(grouping: files.filter { $0.shownPath != nil }) { $0.shownPath ?? "" }
        for start in stride(from: 0, to: files.count, by: batch) where !context.stop.isRequested {
            let prepared = try Array(files[start..<min(files.count, start + batch)]).parallelMap { file in
                try prepare(file, namedParts: parts[file.path, default: []].map(\.path), library)
            }
            try report(
                zip(files[start...], prepared).map { file, prepared in
                    try storePrepared(prepared, of: file, number, library)
                })
        }
    }

    /// Reads a photo and makes its pictures, unless the library has them already. `namedParts` are the other files of the
    /// photo that the command names, too.
    func prepare(
        _ located: LocatedFile, namedParts: [String] = [], _ library: Library, isNew: Bool = false
    ) throws -> Prepared {
        if let shown = located.shownPath { return .done(PhotoReceipt(file: located.path, .part(of: shown))) }
        guard let position = PinnedPhoto.Position(located.photo) else {
            return .done(
                PhotoReceipt(file: located.path, .notLocated(located.photo.reason ?? "the place is not known")))
        }
        do {
            let file = try PhotoFile(path: located.path)
            let known = isNew ? nil : try library.database.pins(of: person, photo: PinnedPhoto.digest(of: file)).first
            let joined = readsAgain ? try pins(ofParts: namedParts, library) : []
            let isAgain = readsAgain && known != nil || !joined.isEmpty
            if isDryRun, !isAgain, let known { return .done(PhotoReceipt(file: located.path, .duplicate(known.id))) }
            if known == nil, !isAgain, let other = try pins(ofParts: located.parts, library).first {
                return .done(PhotoReceipt(file: located.path, .duplicate(other)))
            }
            var kept = try known.map { try missing($0, library) } ?? wanted
            if isAgain { kept = max(kept, wanted) }
            let photo = try PinnedPhoto(file, located.metadata, at: position, person: person, keeping: kept)
            var receipt = PhotoReceipt(file: located.path, .stored(nil))
            receipt.content = photo.content
            receipt.radiusMetres = position.radiusMetres
            receipt.place = Self.text(position)
            receipt.parts = located.parts
            receipt.doubt = located.photo.doubt
            if isAgain {
                guard isDryRun else { return .again(photo, joining: joined, receipt) }
                receipt.outcome = .again(
                    try library.database.revision(of: photo.content, photo.photo, joining: joined))
            }
            return isDryRun ? .done(receipt) : .photo(photo, keeping: kept, receipt)
        } catch let error as FileError {
            let line = Failure(error, command: "tileserve \(Self.name)").line
            return .done(PhotoReceipt(file: located.path, .failed(line)))
        } catch let error as PhotoError {
            return .done(PhotoReceipt(file: located.path, .failed("\(FileName.shown(located.path)): \(error)")))
        }
    }

    /// The pins of other files of the same photo.
    private func pins(ofParts parts: [String], _ library: Library) throws -> [PinID] {
        try parts.compactMap { path in
            // A part that cannot be read is not a pin.
            guard let file = try? PhotoFile(path: path), let digest = try? PinnedPhoto.digest(of: file) else {
                return nil
            }
            return try library.database.pins(of: person, photo: digest).first?.id
        }
    }

    /// The pictures that have to be made of a known photo. One that the library has in part is made again.
    private func missing(_ pin: Pin, _ library: Library) throws -> PinnedPhoto.StoredPictures {
        let stored = try library.database.storedPictures(ofPin: pin.id)
        if stored.incomplete.contains(.original) || keepsOriginals && !stored.complete.contains(.original) {
            return .everything
        }
        return pin.photo != nil && stored.complete.isSuperset(of: [.thumb, .screen]) ? .nothing : .small
    }

    /// Stores a photo that was prepared; for one that is not stored, its receipt.
    func storePrepared(
        _ prepared: Prepared, of file: LocatedFile, _ number: Int64?, _ library: Library
    ) throws -> PhotoReceipt {
        if case .again(let photo, let joined, var receipt) = prepared, let number {
            receipt.outcome = .again(
                try library.database.readAgain(
                    content(of: photo), pictures(of: photo), joining: joined, import: number))
            return receipt
        }
        guard case .photo(let photo, let kept, let receipt) = prepared else { return prepared.receipt }
        let (stored, added) = try store(photo, receipt, number, library)
        // The pin, or its original, was removed after the photo had been prepared: pictures are missing.
        guard kept != wanted, try added.lacksOriginal || missing(added.pin, library) > kept,
            case .photo(let whole, _, _) = try prepare(file, library, isNew: true),
            whole.photo.photo.digest == photo.photo.photo.digest
        else { return stored }
        _ = try store(whole, receipt, number, library)
        return stored
    }

    private func store(
        _ photo: PinnedPhoto, _ receipt: PhotoReceipt, _ number: Int64?, _ library: Library
    ) throws -> (receipt: PhotoReceipt, added: AddedPin) {
        let result = try library.database.addPin(content(of: photo), pictures(of: photo), import: number)
        var receipt = receipt
        receipt.outcome = result.isNew ? .stored(result.pin.id) : .duplicate(result.pin.id)
        return (receipt, result)
    }

    /// The content of a new pin.
    private func content(of photo: PinnedPhoto) -> PinContent {
        var content = photo.content
        content.category = category
        content.visibility = visibility
        return content
    }

    private func pictures(of photo: PinnedPhoto) -> PhotoContent {
        var pictures = photo.photo
        pictures.keepsOriginal = keepsOriginals
        return pictures
    }

    /// Prints receipts, and stores them with the import.
    private func report(
        _ receipts: [PhotoReceipt], _ totals: inout PhotoTotals, _ number: Int64?, _ library: Library,
        _ context: CommandEnvironment
    ) throws {
        guard !receipts.isEmpty else { return }
        for receipt in receipts { totals.add(receipt) }
        let lines = receipts.map { isJSON ? $0.json : $0.line(isDryRun: isDryRun) }
        try context.terminal.out(lines.map { $0 + "\n" }.joined())
        if let number {
            try library.database.storeReceipts(
                receipts.map { StoredReceipt(json: $0.json) }, ofImport: number)
        }
    }

    /// Time and place for a receipt.
    private static func text(_ position: PinnedPhoto.Position) -> String {
        let radius = position.radiusMetres.map { " ±\(NumberText.metres($0))" } ?? ""
        return PhotoReceipt.text(position.time, position.place) + "\(radius), \(position.method.rawValue)"
    }
}
