internal import CPlaces
import Digest
public import Text
public import TileMath

/// A place with a name, such as a town or a district.
public struct NamedPlace: Sendable, Hashable {
    /// The name, as GeoNames has it.
    public let name: String
    /// The name of the state, province or canton; nil if it is not known.
    public let region: String?
    /// The country: two letters of ISO 3166-1, or `XK`.
    public let country: String
    /// The centre.
    public let position: GeoPoint
    /// The number of inhabitants, rounded to two digits; nil if it is not known.
    public let population: Int?
}

/// The places of the world with at least 1,000 inhabitants, from GeoNames. `PLACES.md` describes the table.
public struct Gazetteer: Sendable {
    /// The name of the source, to be named with everything that comes from it (CC BY 4.0).
    public static let source = "GeoNames"

    /// The table, decompressed. Names are read from it when they are needed.
    let bytes: [UInt8]
    let folding: NameFolding
    let countries: [GazetteerCountry]
    let regions: [GazetteerRegion]
    /// The Morton codes of the positions, ascending.
    let codes: [UInt64]
    let populations: [UInt8]
    /// The index of each place in `regions`.
    let placeRegions: [UInt16]
    /// Where the name of each place is in `bytes`.
    let nameOffsets: [UInt32]
    let otherNames: [OtherNames]
    /// Where the time zones are in `bytes`, for `ZoneFinder`.
    let zoneBytes: Range<Int>
    /// The country of each region, without its name: compared often.
    private let regionCountries: [Int]
    private let tree: BoxTree

    /// What the program contains; read at the first use.
    public static let embedded: Gazetteer = {
        let packed = unsafe Array(UnsafeBufferPointer(start: places_bytes(), count: places_length()))
        do {
            return try Gazetteer(packed)
        } catch {
            preconditionFailure("places.bin: \(error)")
        }
    }()

    /// Reads the layout that `PLACES.md` describes.
    public init(_ packed: [UInt8]) throws(TableError) {
        var reader = GazetteerReader(try GazetteerReader.unpacked(packed))
        try reader.readSignature()
        folding = NameFolding(try reader.readFolding())
        countries = try reader.readCountries()
        regions = try reader.readRegions(countries: countries.count)
        regionCountries = regions.map(\.country)
        let count = try reader.readCount()
        codes = try reader.readCodes(count)
        populations = try reader.readPopulations(count)
        placeRegions = try reader.readPlaceRegions(count, regions: regions.count)
        nameOffsets = try reader.readNames(count)
        otherNames = try reader.readOtherNames(places: count)
        zoneBytes = try reader.skipZones()
        try reader.expectEnd()
        bytes = reader.bytes
        tree = BoxTree(codes.map { SpacePoint(GazetteerUnits.position(of: $0)) })
    }

    /// The number of places; at least one.
    public var count: Int { codes.count }

    /// The place with an index below `count`.
    public subscript(index: Int) -> NamedPlace {
        let region = regions[Int(placeRegions[index])]
        return NamedPlace(
            name: text(at: nameOffsets[index]), region: region.name.isEmpty ? nil : region.name,
            country: countries[region.country].code, position: position(of: index),
            population: GazetteerUnits.population(populations[index]))
    }

    /// The centre of the place with an index below `count`.
    public func position(of index: Int) -> GeoPoint { GazetteerUnits.position(of: codes[index]) }

    /// The place whose centre is nearest, and its distance in metres on a sphere; takes some microseconds.
    public func nearest(to position: GeoPoint) -> (index: Int, metres: Double) {
        let (index, squared) = tree.nearest(to: SpacePoint(position))
        return (index, SpacePoint.metres(squared))
    }

    /// The nearest of the places that `admits` returns true for, and its squared distance; nil if none is within `limit`,
    /// a squared distance.
    func nearest(
        to point: SpacePoint, within limit: Double, where admits: (Int) -> Bool
    ) -> (index: Int, squaredDistance: Double)? {
        tree.nearest(to: point, within: limit, where: admits)
    }

    /// A checksum of the embedded table.
    public static let embeddedChecksum: UInt64 = {
        var checksum = Checksum64()
        unsafe checksum.update(UnsafeRawBufferPointer(start: places_bytes(), count: places_length()))
        return checksum.value
    }()

    /// The index of a country with two letters of ISO 3166-1, for `region(nearest:inCountry:)`; nil if it has no place.
    public func countryIndex(_ code: String) -> Int? { countries.firstIndex { $0.code == code } }

    /// The index of the country of the place with an index below `count`, as `countryIndex` returns it.
    public func countryIndex(ofPlace index: Int) -> Int { regionCountries[Int(placeRegions[index])] }

    /// The index of the region of the nearest place in a country; nil if the region has no name, or the country no
    /// place. Takes some microseconds, and longer far away from the country.
    public func region(nearest position: GeoPoint, inCountry country: Int) -> Int? {
        let point = SpacePoint(position)
        var place = tree.nearest(to: point).index
        if regionCountries[Int(placeRegions[place])] != country {
            let other = tree.nearest(to: point) { regionCountries[Int(placeRegions[$0])] == country }
            guard let other else { return nil }
            place = other.index
        }
        let region = Int(placeRegions[place])
        return regions[region].name.isEmpty ? nil : region
    }

    /// The name of a region; nil if there is no region with this index.
    public func regionName(_ index: Int) -> String? {
        regions.indices.contains(index) ? regions[index].name : nil
    }

    /// The text at an offset of `bytes`.
    func text(at offset: UInt32) -> String {
        String(decoding: textBytes(at: offset), as: UTF8.self)
    }

    /// The bytes of the text at an offset of `bytes`, which was checked when the table was read.
    func textBytes(at offset: UInt32) -> ArraySlice<UInt8> {
        let (start, count) = GazetteerReader.extent(of: bytes, at: Int(offset))
        return bytes[start..<start + count]
    }
}
