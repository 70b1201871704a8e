internal import CGeography
import Digest

extension Geography {
    /// What the program contains; read at the first use.
    public static let embedded: Geography = {
        let bytes = unsafe Array(UnsafeBufferPointer(start: geography_bytes(), count: geography_length()))
        do {
            return try Geography(bytes)
        } catch {
            preconditionFailure("geography.bin: \(error)")
        }
    }()

    /// The countries of the embedded map data, and their outlines in degrees: what finding countries needs, in a fraction
    /// of the time that the whole takes.
    static let embeddedOutlines: (countries: [Country], arcs: [Arc], vertices: MapVertices) = {
        let bytes = unsafe Array(UnsafeBufferPointer(start: geography_bytes(), count: geography_length()))
        do {
            var reader = GeographyReader(bytes, isProjecting: false)
            try reader.readSignature()
            let countries = try reader.readCountries()
            return (countries, try reader.readArcs(countries: countries.count), reader.vertices)
        } catch {
            preconditionFailure("geography.bin: \(error)")
        }
    }()

    /// The countries of the embedded map data.
    public static let embeddedCountries = embeddedOutlines.countries

    /// A checksum of the embedded map data.
    public static let embeddedChecksum: UInt64 = {
        var checksum = Checksum64()
        unsafe checksum.update(UnsafeRawBufferPointer(start: geography_bytes(), count: geography_length()))
        return checksum.value
    }()
}
