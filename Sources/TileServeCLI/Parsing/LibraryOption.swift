import TrackStore

/// The path of the library: from `--library`, else from the environment.
enum LibraryOption {
    static let option = Option(
        "library", "DIR",
        "the library's folder, or a URI of PostgreSQL (default: $TILESERVE_LIBRARY; see 'tileserve --help')")
    static let inbox = Option("inbox", "uses the library's inbox, which holds shared tracks until they are accepted")

    /// The path of the library's folder. Empty variables count as unset; a relative `XDG_DATA_HOME` does, too, as its
    /// specification requires.
    static func path(_ given: CommandLineArguments, _ environment: [String: String]) throws(UsageError) -> String {
        let folder = try folder(of: libraryPath(given, environment), environment)
        return given.has(inbox) ? Library.inboxFolder(of: folder) : folder
    }

    /// The folder of a library: of one in PostgreSQL, that of its files on this machine.
    static func folder(of place: String, _ environment: [String: String]) throws(UsageError) -> String {
        guard ServerLocation.isLocation(place) else { return place }
        let state: String
        if let given = environment["XDG_STATE_HOME"], given.hasPrefix("/") {
            state = given
        } else if let home = environment["HOME"], !home.isEmpty {
            state = home + "/.local/state"
        } else {
            throw .noHome
        }
        do {
            return try ServerLocation.folder(for: place, below: state + "/tileserve")
        } catch {
            throw .badLocation("\(error)")
        }
    }

    private static func libraryPath(
        _ given: CommandLineArguments, _ environment: [String: String]
    ) throws(UsageError) -> String {
        if let path = try given.text(option) { return path }
        if let path = environment["TILESERVE_LIBRARY"], !path.isEmpty { return path }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/tileserve" }
        guard let home = environment["HOME"], !home.isEmpty else { throw .noHome }
        return home + "/.local/share/tileserve"
    }
}
