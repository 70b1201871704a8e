private import CMalloc

/// What the C library keeps of the memory that this process has freed.
///
/// By default glibc gives each thread an arena of its own, up to eight a core, and what was freed in one is of no use to the
/// others: a process whose threads come and go keeps several times what it ever used at once. Other C libraries do without
/// all of this; there the functions do nothing.
public enum Malloc {
    /// Threads share so many arenas. Small blocks come from a cache of each thread's own, so that they seldom meet.
    static let arenaLimit: Int32 = 2
    /// Bytes from which on a block is mapped on its own. Smaller than that are nearly all blocks; a mapping costs a few µs,
    /// beside which filling a block of this size takes longer.
    static let mappedBytes: Int32 = 1 << 20
    /// Free bytes that may stay at the end of an arena, so that it is not cut and extended by turns.
    static let keptBytes: Int32 = 4 << 20

    /// Bounds what is kept, for the whole process: to be called once, before there are threads. A user's own
    /// `MALLOC_ARENA_MAX` gives way.
    ///
    /// Gives whether the C library took it.
    @discardableResult
    public static func bound() -> Bool {
        [tileserve_bound_arenas(arenaLimit), tileserve_map_from(mappedBytes), tileserve_keep_free(keptBytes)]
            .allSatisfy { $0 == 1 }
    }

    /// Gives free pages back to the system, behind work that took much memory: some ms, during which threads that allocate
    /// may wait.
    ///
    /// Gives whether there were any.
    @discardableResult
    public static func releaseFreePages() -> Bool {
        tileserve_release_free_pages() == 1
    }
}
