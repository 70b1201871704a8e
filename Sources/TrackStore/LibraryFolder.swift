internal import Files

/// The files of a library's folder, which earlier versions made for everybody to read.
enum LibraryFolder {
    private static let databases = ["tracks.sqlite", "grid.sqlite", "pictures.sqlite"]
    private static let files = ["grid.lock", "grid.lock.layers", "access.json", "access.lock", "watched.json"]
    private static let folders = ["", "/serving", "/importing", "/recording", "/refused"]

    /// Takes the rights of group and others from what is this user's. Other files that lie in the folder stay as they are.
    static func tighten(_ folder: String) {
        for name in databases.flatMap({ name in ["", "-wal", "-shm"].map { name + $0 } }) + files {
            OwnerOnly.tighten(folder + "/" + name)
        }
        for name in folders { OwnerOnly.tighten(folder + name) }
    }
}
