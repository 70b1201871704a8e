struct GeoJSONReader {
    init(_ reading: FileReading) {}
    func read(_ source: any ByteSource) throws { throw ImportFailure.unrecognised("GeoJSON") }
}
