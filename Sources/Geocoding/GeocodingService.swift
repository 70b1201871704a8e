import Foundation
import TileMath

/// A service that answers with the address of a place: an interface and its URL.
public struct GeocodingService: Hashable, Sendable {
    /// The interface.
    public enum Interface: String, CaseIterable, Sendable {
        case nominatim, photon, pelias
    }

    public let interface: Interface
    /// The URL of reverse geocoding, without the place.
    private let path: String
    /// Other parameters, such as a key, that the URL was given with; empty or with `&` at the end.
    private let parameters: String
    /// The host, and the port if the URL has one, as they may be shown: the URL can contain a key.
    public let host: String

    /// Reads `INTERFACE=URL`; nil if that is not one. The URL is that of the service, such as
    /// `https://nominatim.openstreetmap.org`, or that of reverse geocoding itself, which ends in `/reverse`.
    public init?(_ text: String) {
        guard let equals = text.firstIndex(of: "="), let interface = Interface(rawValue: String(text[..<equals])) else {
            return nil
        }
        let url = text[text.index(after: equals)...]
        guard
            url.unicodeScalars.allSatisfy({
                $0.value > 0x20 && $0.value < 0x7F && !"\"<>\\#".unicodeScalars.contains($0)
            }),
            let host = URLHost(url), host.scheme == "https" || host.scheme == "http"
        else { return nil }
        self.interface = interface
        self.host = host.authority
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = String(parts[0])
        while path.hasSuffix("/") { path.removeLast() }
        if !path.hasSuffix("/reverse") { path += interface == .pelias ? "/v1/reverse" : "/reverse" }
        self.path = path
        parameters = parts.count == 2 && !parts[1].isEmpty ? parts[1] + "&" : ""
    }

    /// The URL to ask for the address of a cell: of its centre.
    public func url(for cell: GeocodingCell) -> String {
        let longitude = Self.degrees(cell.centre.longitude)
        let latitude = Self.degrees(cell.centre.latitude)
        let query =
            switch interface {
            case .nominatim: "format=jsonv2&addressdetails=1&zoom=18&lat=\(latitude)&lon=\(longitude)"
            case .photon: "limit=1&lat=\(latitude)&lon=\(longitude)"
            case .pelias: "size=1&point.lat=\(latitude)&point.lon=\(longitude)"
            }
        return "\(path)?\(parameters)\(query)"
    }

    /// Whether a redirect may be followed: only to the same host, and not from `https` to `http`.
    public func follows(_ redirect: String) -> Bool {
        guard let from = URLHost(path[...]), let to = URLHost(redirect[...]) else { return false }
        if from.scheme == "http" && to.scheme == "https" { return from.name == to.name }
        return from == to
    }

    /// A millionth of a degree is 11 cm.
    private static func degrees(_ value: Double) -> String {
        String(format: "%.6f", locale: nil, value)
    }
}

/// Where a URL leads.
private struct URLHost: Equatable {
    let scheme: String
    /// Without the port.
    let name: String
    /// The default one of the scheme if the URL has none.
    let port: Int
    /// The name, and the port as it is written.
    let authority: String

    init?(_ url: Substring) {
        guard let parts = URLComponents(string: String(url)), let scheme = parts.scheme?.lowercased(),
            let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil
        else { return nil }
        self.scheme = scheme
        name = host
        port = parts.port ?? (scheme == "https" ? 443 : 80)
        authority = parts.port == nil ? host : "\(host):\(port)"
    }

    static func == (left: Self, right: Self) -> Bool {
        (left.scheme, left.name, left.port) == (right.scheme, right.name, right.port)
    }
}
