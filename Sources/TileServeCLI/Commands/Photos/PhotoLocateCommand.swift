import Files
import PhotoFiles
import PhotoLocating

/// `tileserve photos locate`: when and where photos were taken.
struct PhotoLocateCommand: Command {
    static let name = "photos locate"
    static let operands = Operands.some("FILE")

    private static let person = Option("person", "NAME", "uses only the tracks of this person (default: all)")
    private static let csv = Option("csv", "writes a table, one row for each possible time and place")
    private static let geoJSON = Option("geojson", "writes GeoJSON, one feature for each photo")
    private static let xmp = Option("xmp", "also writes a sidecar FILE.xmp beside each photo that has a place")
    private static let replace = Option("replace", "with --xmp: replaces sidecars of other programs")
    static let screen = HelpScreen(
        usage: "[OPTION]… FILE…",
        summary: "shows when and where photos were taken",
        about: """
            Tells for each photo or video when and where it was taken, from the time of the camera and the tracks of \
            the library. Without a library, only the times and places in the files are used. A FILE can be a folder. Wrong clocks of cameras are learned from photos that contain GPS \
            time, and from --at; a missing time zone follows from the place. Photos are never changed. 'tileserve \
            help photos' describes the rules.
            """,
        options: [
            LibraryOption.option, person, csv, geoJSON, xmp, replace, PhotoSelection.offset, PhotoSelection.at,
        ],
        examples: [
            ("tileserve photos locate DCIM/", "shows where each photo of a folder was taken"),
            ("tileserve photos locate --xmp *.jpg", "writes sidecars for photo programs"),
            (
                "tileserve photos locate --at IMG_7.jpg=8.5417,47.3769 --csv *.jpg",
                "learns the clock of the camera from a photo whose place is known"
            ),
        ])

    let folder: String
    let selection: PhotoSelection
    let person: String?
    let output: LocatedFile.Output
    let writesSidecars: Bool
    let replacesSidecars: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        selection = try PhotoSelection(given, command: Self.name)
        person = try given.text(Self.person)
        if given.has(Self.csv), given.has(Self.geoJSON) { throw .conflict(Self.csv, Self.geoJSON) }
        output = given.has(Self.csv) ? .csv : given.has(Self.geoJSON) ? .geoJSON : .text
        writesSidecars = given.has(Self.xmp)
        replacesSidecars = given.has(Self.replace)
    }
}

extension PhotoLocateCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let terminal = context.terminal
        let library = try OpenedLibrary.ifExists(in: folder)
        if library == nil {
            terminal.report(
                "\(FileName.shown(folder)): there is no library, so there are no tracks; only the times and places in the files are used"
            )
        }
        let zones = selection.zones(terminal)
        var code = ExitCode.done
        let photos = try selection.read(context) { _, line in
            terminal.report(line)
            code = .incomplete
        }
        let number = try library.flatMap { try selection.personNumber(person, $0) }
        guard let results = try selection.locate(photos, person: number, zones: zones, library, context) else {
            return context.stopped(writesSidecars ? "no sidecar was written" : nil)
        }
        try terminal.out(LocatedFile.text(results, as: output))
        if !results.contains(where: { $0.photo.best?.estimate != nil }) { code = .incomplete }
        guard writesSidecars else { return code }
        for result in results {
            if context.stop.isRequested { return context.stopped("some sidecars were not written; repeat the command") }
            if let refusal = try writeSidecar(result) {
                terminal.report(refusal)
                code = .incomplete
            }
        }
        return code
    }

    // MARK: Sidecars

    /// Writes the sidecar of a photo that has a place; returns why it did not.
    private func writeSidecar(_ result: LocatedFile) throws -> String? {
        guard let best = result.photo.best, let estimate = best.estimate else { return nil }
        let path = PhotoSidecar.path(of: result.path)
        let isForeign =
            FileStatus.ifExists(of: path) != nil
            && !(PhotoReader.sidecar(of: result.path).map(PhotoSidecar.isOwn) ?? false)
        if isForeign, !replacesSidecars {
            return
                "\(FileName.shown(path)): another program wrote this sidecar, so it was kept; add '--replace' to replace it"
        }
        let bytes = PhotoSidecar.bytes(
            place: estimate.place, radiusMetres: estimate.radiusMetres, instant: best.instant,
            zoneAhead: best.zoneAhead)
        do {
            try AtomicFile.write(bytes, to: path, access: .shared)
            return isForeign ? "\(FileName.shown(path)): replaced the sidecar of another program" : nil
        } catch {
            return Failure(error, command: "tileserve \(Self.name)").line
        }
    }
}
