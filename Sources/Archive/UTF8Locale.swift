internal import Glibc

/// libarchive converts names that an archive has in Unicode to the character set of the locale. The program has the
/// locale "C", which would lose all but ASCII.
@safe
enum UTF8Locale {
    /// Never released; nil if the system has no such locale.
    nonisolated(unsafe) private static let locale: locale_t? = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil)

    /// Calls `body` with UTF-8 as the character set of this thread.
    static func using<Result>(_ body: () -> Result) -> Result {
        guard let locale = unsafe locale else { return body() }
        let previous = unsafe uselocale(locale)
        defer { _ = unsafe uselocale(previous) }
        return body()
    }
}
