/// The limits of files of routes.
public enum RouteFileLimits {
    /// A line of a million points with heights and times has less.
    public static let bytes = 128 << 20
    /// Routes of a file.
    public static let routes = 1000
}
