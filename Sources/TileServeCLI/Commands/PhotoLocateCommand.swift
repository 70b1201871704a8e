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
            the library. A FILE can be a folder. Wrong clocks of cameras are learned from photos that contain GPS \
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
