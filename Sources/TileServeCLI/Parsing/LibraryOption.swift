import TrackStore

/// The path of the library: from `--library`, else from the environment.
enum LibraryOption {
    static let option = Option(
        "library", "DIR", "the library's folder (default: $TILESERVE_LIBRARY; see 'tileserve --help')")
    static let inbox = Option("inbox", "uses the library's inbox, which holds shared tracks until they are accepted")

    /// The path of the library's folder. Empty variables count as unset; a relative `XDG_DATA_HOME` does, too, as its
    /// specification requires.
    static func path(_ given: CommandLineArguments, _ environment: [String: String]) throws(UsageError) -> String {
        let folder = try libraryPath(given, environment)
        return given.has(inbox) ? Library.inboxFolder(of: folder) : folder
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
