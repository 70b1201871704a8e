import Pins

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
    private static let dryRun = Option("dry-run", "reports what would be stored, but stores nothing")

    static let screen = HelpScreen(
        usage: "[OPTION]… PATH…",
        summary: "makes pins of photos at the places where they were taken",
        about: """
            Finds out when and where each photo was taken, as 'tileserve photos locate' does, and stores it as a pin \
            with two small pictures. A PATH is a file or a folder, which is searched recursively; the clocks of \
            cameras are learned from all photos of the command. The same photo of the same person is stored once. \
            The receipt says for each photo what was stored, or why it was not. Originals are never changed. Undo it \
            with 'tileserve imports undo'. 'tileserve help photos' describes it.
            """,
        options: [
            LibraryOption.option, person, category, visibility, keepOriginals, PhotoSelection.offset, PhotoSelection.at,
            dryRun, CommonOptions.json,
        ],
        examples: [
            ("tileserve photos import --dry-run DCIM/", "reports where each photo of a folder would be"),
            ("tileserve photos import --person ada --category holiday DCIM/", "makes pins of Ada's photos"),
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
    let isDryRun: Bool
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        selection = try PhotoSelection(given, command: Self.name)
        person = try given.text(Self.person)
        category = try given.value(Self.category, .notEmpty) { PinText.category($0) }
        let kinds = PinVisibility.allCases.map(\.rawValue)
        visibility =
            try given.value(Self.visibility, .oneOf(kinds)) { PinVisibility(rawValue: $0.lowercased()) } ?? .open
        keepsOriginals = given.has(Self.keepOriginals)
        isDryRun = given.has(Self.dryRun)
        isJSON = given.has(CommonOptions.json)
    }
}
