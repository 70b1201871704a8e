private import CMalloc

/// Limits the freed memory that the C library keeps in this process.
///
/// By default glibc uses one arena per thread, up to eight per core, and memory freed in one arena cannot be used by
/// another: a process with many short-lived threads keeps several times the memory that it needs at once. With another
/// C library the functions do nothing.
public enum Malloc {
    /// The number of arenas. Blocks of up to 1 KiB come from a cache per thread; for larger ones threads of the same arena
    /// wait for each other. With two arenas, two workers that prerender and the threads beside them made 38,000–105,000
    /// calls of futex in 40,000 tiles; with eight, 21,000.
    static let arenaLimit: Int32 = 8
    /// Blocks of at least so many bytes are mapped separately. Nearly all blocks are smaller; a mapping costs a few µs,
    /// less than filling a block of this size.
    static let mappedBytes: Int32 = 1 << 20
    /// Free bytes that stay at the end of an arena, so that it does not shrink and grow repeatedly.
    static let keptBytes: Int32 = 4 << 20

    /// Sets the limits of the whole process; call once, before threads are started. Overrides `MALLOC_ARENA_MAX`.
    ///
    /// Returns whether the C library accepted them.
    @discardableResult
    public static func bound() -> Bool {
        [tileserve_bound_arenas(arenaLimit), tileserve_map_from(mappedBytes), tileserve_keep_free(keptBytes)]
            .allSatisfy { $0 == 1 }
    }

    /// Returns free pages to the system; call it after work that used much memory. Takes some ms, during which threads
    /// that allocate may wait.
    ///
    /// Returns whether any page was released.
    @discardableResult
    public static func releaseFreePages() -> Bool {
        tileserve_release_free_pages() == 1
    }
}
