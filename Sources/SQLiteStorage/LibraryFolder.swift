internal import Files

/// The files of a library's folder. Earlier versions created them readable for everybody.
enum LibraryFolder {
    private static let databases = ["tracks.sqlite", "grid.sqlite", "pictures.sqlite"]
    private static let files = [
        "grid.lock", "grid.lock.layers", "copy.lock", "access.json", "access.lock", "watched.json",
    ]
    private static let folders = ["", "/serving", "/importing", "/recording", "/recording/refused"]

    /// Removes the permissions of group and others from the files of this user. Other files in the folder are not
    /// changed.
    static func restrict(_ folder: String) {
        for name in databases.flatMap({ name in ["", "-wal", "-shm"].map { name + $0 } }) + files {
            OwnerOnly.restrict(folder + "/" + name)
        }
        for name in folders { OwnerOnly.restrict(folder + name) }
    }
}
