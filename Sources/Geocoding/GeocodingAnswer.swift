import Foundation
public import HTTPCore
import Text
import TileMath

/// What a service has answered for a cell.
public enum GeocodingAnswer: Hashable, Sendable {
    case address(PostalAddress)
    /// The service knows no address there.
    case none
    /// The service cannot answer now; it may say after how many seconds it can. The reason is for the operator.
    case busy(String, retryAfterSeconds: Int?)
    /// The service cannot answer for this cell; the reason is for the operator.
    case failed(String)
    /// The service refuses this program: nothing else will be answered either.
    case refused(String)
}

extension GeocodingService {
    /// The meaning of a response. A redirect that may be followed has to be followed before.
    public func answer(_ response: HTTPClientResponse) -> GeocodingAnswer {
        switch response.status {
        case 200: read(response.body)
        case 204: .none
        // Some services answer so where they know no address, but most often the URL is wrong.
        case 404 where read(response.body) == GeocodingAnswer.none: .none
        case 408, 425, 429, 502, 503, 504:
            .busy(reason(response), retryAfterSeconds: response.retryAfterSeconds)
        case 401, 402, 403, 404, 407, 410, 451, 300..<400:
            .refused(reason(response))
        default: .failed(reason(response))
        }
    }

    private func reason(_ response: HTTPClientResponse) -> String {
        "\(host) has answered with status \(response.status)"
    }

    private func read(_ body: [UInt8]) -> GeocodingAnswer {
        let answer: GeocodingAnswer? =
            switch interface {
            case .nominatim: JSONCoding.value(NominatimAnswer.self, from: body)?.answer(source: source)
            case .photon: JSONCoding.value(Features<PhotonProperties>.self, from: body)?.answer(source: source)
            case .pelias: JSONCoding.value(Features<PeliasProperties>.self, from: body)?.answer(source: source)
            }
        return answer ?? .failed("\(host) has answered with something other than an address")
    }

    /// The source of addresses that do not name one. Photon is a search over OpenStreetMap.
    private var source: String {
        interface == .photon ? "\(host), © OpenStreetMap contributors" : host
    }
}

/// A text, also if a service sends it as a number.
private struct LenientText: Decodable {
    var text: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = (try? container.decode(String.self)) ?? (try? container.decode(Int.self)).map(String.init)
    }
}

/// The format `jsonv2` of Nominatim.
private struct NominatimAnswer: Decodable {
    var error: LenientText?
    var licence: LenientText?
    var lat: LenientText?
    var lon: LenientText?
    var name: LenientText?
    var displayName: LenientText?
    var address: [String: LenientText]?

    private enum CodingKeys: String, CodingKey {
        case error, licence, lat, lon, name, displayName = "display_name", address
    }

    private static let placeKeys = ["city", "town", "village", "municipality", "hamlet", "suburb", "county"]
    private static let roadKeys = ["road", "pedestrian", "footway", "cycleway", "path", "square", "place"]

    func answer(source: String) -> GeocodingAnswer? {
        // Other errors are those of the service, such as that of a key.
        guard let address else {
            return error?.text?.hasPrefix("Unable to geocode") == true ? GeocodingAnswer.none : nil
        }
        func value(_ keys: [String]) -> String? {
            keys.lazy.compactMap { address[$0]?.text }.first { !$0.isEmpty }
        }
        let parts = AddressParts(
            name: name?.text, street: value(Self.roadKeys), number: value(["house_number"]),
            place: value(Self.placeKeys), region: value(["state", "province", "region"]),
            country: value(["country_code"]))
        // "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright"
        let credit = licence?.text?.split(separator: ". http").first.map(String.init)
        let position = (lon?.text.flatMap(Double.init)).flatMap { lon in
            (lat?.text.flatMap(Double.init)).flatMap { GeoPoint(longitude: lon, latitude: $0) }
        }
        let made = parts.address(at: position, otherwise: displayName?.text, source: credit ?? source)
        return made.map { .address($0) } ?? GeocodingAnswer.none
    }
}

/// A GeoJSON collection with at most one feature that matters.
private struct Features<Properties: Decodable & AddressProperties>: Decodable {
    struct Feature: Decodable {
        struct Geometry: Decodable {
            var coordinates: [Double]?
        }

        var geometry: Geometry?
        var properties: Properties
    }

    struct Geocoding: Decodable {
        var attribution: LenientText?
    }

    var features: [Feature]
    var geocoding: Geocoding?

    func answer(source: String) -> GeocodingAnswer? {
        guard let feature = features.first else { return GeocodingAnswer.none }
        let place = feature.geometry?.coordinates ?? []
        let position = place.count >= 2 ? GeoPoint(longitude: place[0], latitude: place[1]) : nil
        let made = feature.properties.parts.address(
            at: position, otherwise: feature.properties.label, source: geocoding?.attribution?.text ?? source)
        return made.map { .address($0) } ?? GeocodingAnswer.none
    }
}

private protocol AddressProperties {
    var parts: AddressParts { get }
    /// The whole address in one line, if the service makes one.
    var label: String? { get }
}

private struct PhotonProperties: Decodable, AddressProperties {
    var name: LenientText?
    var street: LenientText?
    var housenumber: LenientText?
    var city: LenientText?
    var district: LenientText?
    var county: LenientText?
    var state: LenientText?
    var countrycode: LenientText?

    var label: String? { nil }
    var parts: AddressParts {
        AddressParts(
            name: name?.text, street: street?.text, number: housenumber?.text,
            place: city?.text ?? district?.text ?? county?.text, region: state?.text, country: countrycode?.text)
    }
}

private struct PeliasProperties: Decodable, AddressProperties {
    var name: LenientText?
    var wholeLabel: LenientText?
    var street: LenientText?
    var housenumber: LenientText?
    var locality: LenientText?
    var localadmin: LenientText?
    var county: LenientText?
    var region: LenientText?
    var countryCode: LenientText?

    private enum CodingKeys: String, CodingKey {
        case name, wholeLabel = "label", street, housenumber, locality, localadmin, county, region
        case countryCode = "country_code"
    }

    var label: String? { wholeLabel?.text }
    var parts: AddressParts {
        AddressParts(
            name: name?.text, street: street?.text, number: housenumber?.text,
            place: locality?.text ?? localadmin?.text ?? county?.text, region: region?.text,
            country: countryCode?.text)
    }
}

/// The parts of an address, which make its label.
private struct AddressParts {
    var name: String?
    var street: String?
    var number: String?
    var place: String?
    var region: String?
    var country: String?

    /// Where the number of a house comes before the street.
    private static let numberFirst: Set<String> = [
        "AU", "CA", "FR", "GB", "HK", "IE", "IL", "IN", "KE", "LK", "LU", "MC", "MY", "NG", "NZ", "PH", "PK", "SG",
        "TH",
        "TN", "US", "VN", "ZA",
    ]

    /// nil if nothing is known. `otherwise` is the label if the parts make none.
    func address(at position: GeoPoint?, otherwise: String?, source: String) -> PostalAddress? {
        let isFirst = country.map { Self.numberFirst.contains($0.uppercased()) } ?? false
        let line = (isFirst ? [number, street] : [street, number]).compactMap { $0 }.joined(separator: " ")
        let street = self.street == nil ? "" : line
        // Pelias names a house by its address, and Nominatim a road by its name.
        let building = name.flatMap { $0 == self.street || $0 == line || $0 == place || $0 == number ? nil : $0 }
        let isSame =
            building.map {
                !street.isEmpty
                    && ($0.contains(street) || $0 == [number, self.street].compactMap { $0 }.joined(separator: " "))
            } ?? false
        let made = [isSame ? nil : building, street, place].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: ", ")
        return PostalAddress(
            label: made.isEmpty ? otherwise ?? "" : made, place: place, region: region, country: country,
            position: position, source: source)
    }
}
