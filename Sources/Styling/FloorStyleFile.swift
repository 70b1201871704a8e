internal import CStyles

/// The built-in colours of indoor floors: the file `Styles/floors/floors.json`, which is compiled into the program.
public enum FloorStyleFile {
    /// The text of the file: JSON, an object for each theme.
    public static let builtIn: [UInt8] = {
        let file = unsafe UnsafeBufferPointer(start: floor_style_bytes(), count: floor_style_length())
        return unsafe Array(file)
    }()
}
