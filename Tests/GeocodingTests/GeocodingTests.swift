import Geocoding
import HTTPCore
import TestSupport
import Testing
import TileMath

/// Answers in the formats of the services, as their documentation shows them.
private enum Answers {
    static let nominatim = """
        {"place_id":100149,"licence":"Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright",
         "osm_type":"node","osm_id":107775,"lat":"51.5156","lon":"-0.1230","category":"place","type":"house",
         "place_rank":30,"importance":4.9e-05,"addresstype":"place","name":"","display_name":
         "12, High Holborn, Camden, London, England, WC1V, United Kingdom",
         "address":{"house_number":"12","road":"High Holborn","suburb":"Camden","city":"London","state":"England",
                    "postcode":"WC1V","country":"United Kingdom","country_code":"gb"}}
        """
    static let photon = """
        {"features":[{"geometry":{"coordinates":[13.438596,52.519854],"type":"Point"},"type":"Feature","properties":
        {"osm_type":"W","city":"Berlin","country":"Deutschland","name":"Berlin","street":"Karl-Marx-Allee",
         "housenumber":99,"countrycode":"DE","state":"Berlin"}}],"type":"FeatureCollection"}
        """
    static let pelias = """
        {"geocoding":{"version":"0.2","attribution":"https://geocode.example/attribution","engine":{"name":"Pelias"}},
         "type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[3.40,51.37]},
         "properties":{"id":"1","layer":"address","name":"Boulevard de Wielingen 12","housenumber":"12",
         "street":"Boulevard de Wielingen","distance":0.02,"country_a":"NLD","country_code":"NL","region":"Zeeland",
         "locality":"Cadzand-Bad","label":"Boulevard de Wielingen 12, Cadzand-Bad, Netherlands"}}]}
        """
}

@Suite struct GeocodingTests {
    private func service(_ interface: String) throws -> GeocodingService {
        try #require(GeocodingService("\(interface)=https://geo.example"))
    }

    private func answer(_ interface: String, _ body: String, status: Int = 200) throws -> GeocodingAnswer {
        try service(interface).answer(HTTPClientResponse(status: status, retryAfterSeconds: 7, body: Array(body.utf8)))
    }

    @Test func `Answers of the services become addresses`() throws {
        guard case .address(let london) = try answer("nominatim", Answers.nominatim),
            case .address(let berlin) = try answer("photon", Answers.photon),
            case .address(let cadzand) = try answer("pelias", Answers.pelias)
        else { return #expect(Bool(false), "no address") }
        #expect(london.label == "12 High Holborn, London")
        #expect((london.place, london.region, london.country) == ("London", "England", "GB"))
        #expect(london.source == "Data © OpenStreetMap contributors, ODbL 1.0")
        #expect(london.position == GeoPoint(longitude: -0.1230, latitude: 51.5156))
        #expect(berlin.label == "Karl-Marx-Allee 99, Berlin" && berlin.country == "DE")
        #expect(berlin.source == "geo.example, © OpenStreetMap contributors")
        #expect(cadzand.label == "Boulevard de Wielingen 12, Cadzand-Bad" && cadzand.country == "NL")
        #expect(cadzand.source == "https://geocode.example/attribution")
    }

    @Test func `A named place is given before its street, and a place without a street by its whole label`() throws {
        let museum = """
            {"licence":"©","lat":"1","lon":"2","name":"Musée","display_name":"Musée, Rue A","address":
            {"tourism":"Musée","road":"Rue A","house_number":"3","village":"Bex","country_code":"ch"}}
            """
        guard case .address(let found) = try answer("nominatim", museum) else { return #expect(Bool(false)) }
        #expect(found.label == "Musée, Rue A 3, Bex")
        let lake = "{\"lat\":\"1\",\"lon\":\"2\",\"display_name\":\"Lake Tana, Ethiopia\",\"address\":{\"x\":\"y\"}}"
        guard case .address(let water) = try answer("nominatim", lake) else { return #expect(Bool(false)) }
        #expect(water.label == "Lake Tana, Ethiopia" && water.source == "geo.example" && water.country == nil)
    }

    @Test(arguments: [
        ("nominatim", "{\"error\":\"Unable to geocode\"}"), ("photon", "{\"features\":[]}"),
        ("pelias", "{\"features\":[],\"type\":\"FeatureCollection\"}"),
    ]) func `A service may know no address`(_ interface: String, _ body: String) throws {
        #expect(try answer(interface, body) == .none)
        #expect(try answer(interface, body, status: 404) == .none)
        // A wrong URL must not use up the queue.
        guard case .refused = try answer(interface, "<h1>Not Found</h1>", status: 404) else {
            return #expect(Bool(false), "a wrong URL counts as an answer")
        }
    }

    @Test(arguments: ["\"Rate limited\"", "{\"code\":404,\"message\":\"no such page\"}", "7"])
    func `An error of the service does not mean that there is no address`(_ error: String) throws {
        guard case .failed = try answer("nominatim", "{\"error\":\(error)}") else {
            return #expect(Bool(false), "an error counts as an answer")
        }
    }

    @Test(arguments: GeocodingService.Interface.allCases) func `Anything else is a failure, never a crash`(
        _ interface: GeocodingService.Interface
    ) throws {
        var random = SeededRandom(seed: 3)
        let all = [Answers.nominatim, Answers.photon, Answers.pelias]
        for body in ["", "{}", "[]", "null", "<html>", "{\"features\":[{}]}", "{\"features\":7}"] {
            let answer = try answer(interface.rawValue, body)
            guard case .failed = answer else {
                #expect(answer == .none, "\(body)")
                continue
            }
        }
        for _ in 0..<2_000 {
            var bytes = Array(all.randomElement(using: &random)!.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = bytes.indices.randomElement(using: &random)!
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = .random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.removeSubrange(index...)
                }
                if bytes.isEmpty { break }
            }
            let answer = try service(interface.rawValue).answer(HTTPClientResponse(status: 200, body: bytes))
            guard case .address(let address) = answer else { continue }
            #expect(!address.label.isEmpty && address.label.count <= 300)
            #expect(address.label.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        }
    }

    @Test func `Statuses decide whether to wait, to continue or to stop`() throws {
        let host = try service("photon").host
        for status in [408, 429, 502, 503, 504] {
            #expect(
                try answer("photon", "", status: status)
                    == .busy("\(host) has answered with status \(status)", retryAfterSeconds: 7))
        }
        for status in [301, 302, 401, 403] {
            guard case .refused = try answer("photon", "", status: status) else { return #expect(Bool(false)) }
        }
        for status in [400, 418, 500] {
            guard case .failed = try answer("photon", "", status: status) else { return #expect(Bool(false)) }
        }
    }

    @Test func `URLs are those of reverse geocoding, with the parameters given`() throws {
        let cell = try #require(GeoPoint(longitude: 13.4, latitude: 52.5).flatMap { GeocodingCell($0) })
        let place = (cell.centre.longitude, cell.centre.latitude)
        #expect(abs(place.0 - 13.4) < 0.0002 && abs(place.1 - 52.5) < 0.0002)
        func url(_ text: String) throws -> String { try #require(GeocodingService(text)).url(for: cell) }
        #expect(try url("nominatim=https://a.example/").hasPrefix("https://a.example/reverse?format=jsonv2&"))
        #expect(
            try url("photon=http://127.0.0.1:2322/reverse").hasPrefix("http://127.0.0.1:2322/reverse?limit=1&lat=52."))
        #expect(
            try url("pelias=https://b.example/geo?api_key=k").hasPrefix(
                "https://b.example/geo/v1/reverse?api_key=k&size=1&point.lat=52."))
        for wrong in [
            "", "nominatim", "google=https://x.example", "photon=ftp://x", "photon=https://", "photon=x y",
            "photon=https://user:secret@x.example", "photon=https://x.example/#a", "photon=file:///etc/passwd",
        ] {
            #expect(GeocodingService(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `Redirects lead to the same host only`() throws {
        let service = try #require(GeocodingService("photon=https://a.example/x"))
        #expect(service.follows("https://a.example/y?lat=1"))
        #expect(service.follows("https://A.example/y") && service.follows("https://a.example:443/y"))
        for other in [
            "http://a.example/y", "https://b.example/", "https://a.example.b.example/", "https://a.example:8443/",
            "https://a@b.example/", "//a.example/", "file:///", "",
        ] {
            #expect(!service.follows(other), "\(other)")
        }
        let plain = try #require(GeocodingService("photon=http://a.example/x"))
        #expect(plain.follows("https://a.example/y") && !plain.follows("https://b.example/y"))
        #expect(plain.follows("http://a.example:80/y") && !plain.follows("http://a.example:443/y"))
    }

    @Test func `A cell has a key, and its centre is in it`() throws {
        var random = SeededRandom(seed: 9)
        for _ in 0..<2_000 {
            let place = try #require(
                GeoPoint(
                    longitude: .random(in: -180...180, using: &random), latitude: .random(in: -85...85, using: &random))
            )
            let cell = try #require(GeocodingCell(place))
            #expect(GeocodingCell(key: cell.key) == cell)
            #expect(GeocodingCell(cell.centre) == cell)
        }
        #expect(GeocodingCell(key: -1) == nil && GeocodingCell(key: 1 << 40) == nil)
        #expect(GeoPoint(longitude: 0, latitude: 86).flatMap { GeocodingCell($0) } == nil)
    }

    @Test func `The pace slows down while a service fails`() {
        let pace = GeocodingPace()
        #expect(pace.delay(failures: 0) == 1_000)
        #expect((1...4).map { pace.delay(failures: $0) } == [2_000, 4_000, 8_000, 16_000])
        #expect(pace.delay(failures: 60) == 3_600_000)
        #expect(pace.delay(failures: 60, isOfCell: true) == 60_000)
        #expect(pace.delay(failures: 1, retryAfterSeconds: 90) == 90_000)
        #expect(pace.delay(failures: 1, retryAfterSeconds: .max) == 86_400_000)
        #expect((1...5).map { pace.retryDelay(tries: $0) } == [60_000, 600_000, 6_000_000, 60_000_000, nil])
    }

    @Test func `Addresses of files are normalized`() {
        #expect(PostalAddress(label: "n/a", source: "x") == nil)
        #expect(PostalAddress(label: " \n\u{0} ", source: "x") == nil)
        #expect(PostalAddress(label: "12 Main St,\nSapporo\u{0}", source: "x")?.label == "12 Main St, Sapporo")
        #expect(PostalAddress(label: String(repeating: "a", count: 9_999), source: "x")?.label.count == 300)
        #expect(PostalAddress(label: "a", country: "deu", source: "x")?.country == nil)
        // One character of many scalars.
        let tall = PostalAddress(label: "a" + String(repeating: "\u{301}", count: 500_000), source: "x")
        #expect(tall?.label.unicodeScalars.count == 300)
        #expect(PostalAddress(label: String(repeating: "a", count: 299) + " b", source: "x")?.label.count == 299)
    }
}
