/// Names by which exports give the person and the device of a track in formats that have no place for them, so that an
/// import finds them again.
public enum ExportedNames {
    /// The creator of our GPX files.
    public static let creator = "tileserve"
    /// The person, among the data of a KML placemark.
    public static let person = "tileserve:person"
    /// The device, among the data of a KML placemark.
    public static let device = "tileserve:device"
    /// The array of a KML track that flags points without a time, because KML requires a time of every point.
    public static let untimedPoint = "tileserve:untimed"
    /// The person, in an element or attribute of our namespace.
    public static let personElement = "SessionPerson"
    /// The device, in an element or attribute of our namespace.
    public static let deviceElement = "SessionDevice"
}
