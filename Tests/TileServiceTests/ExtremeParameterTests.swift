import HTTPCore
import Testing

@testable import TileService

/// Values at the limits of integers, instants, doubles and days.
private let extremes = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "18446744073709551616", "8640000000000000",
    "-8640000000000000", "8640000000000001", "-8640000000000001", "0", "-0", "-1", "1e308", "-1e999", "NaN", "nan",
    "inf", "-Infinity",
    "0x7fffffffffffffff", "2147483648", "4294967296", "99999999999999999999999999", "9999-12-31", "0000-01-01",
    "9999-12-31T23:59:60.999-23:59", "0000-01-01T00:00:00+23:59", "180.00000000000001", "1.7976931348623157e308", "",
    "٣",
]

/// Extreme parameters on one server that all tests share.
@Suite struct ExtremeParameterTests {
    private let town: Town

    init() throws {
        town = try Town()
    }

    private func check(_ target: String, _ headers: [(HeaderName, String)] = []) {
        let response = town.get(target, headers)
        #expect(response.status.code < 500 && response.status.code >= 200, "\(target)")
        if case .events(let channel) = response.body { channel.close() }
    }

    @Test(arguments: extremes) func `Any time, place, number and page parameter is answered`(value: String)
        throws
    {
        let value = value.utf8.map { "%\(String($0, radix: 16).count == 1 ? "0" : "")\(String($0, radix: 16))" }
            .joined()
        for path in [
            "/tiles/16/35207/21493.png", "/tiles/lines/16/35207/21493.png", "/tiles/dots/22/2253300/1375553.png",
            "/tiles.json", "/legend/heat.json",
        ] {
            for name in ["from", "to", "asof", "z", "minus", "v"] { check("\(path)?\(name)=\(value)") }
            check("\(path)?minus=\(value)/\(value)")
            check("\(path)?from=\(value)&to=2019-06-01")
            check("\(path)?from=2019-06-01&to=\(value)")
        }
        for path in [
            "/v1/tracks", "/v1/export", "/v1/calendar", "/v1/imports", "/v1/imports/1", "/v1/imports/1/outdated",
            "/v1/imports/\(value)",
        ] {
            for name in ["from", "to", "limit", "after", "year", "bbox", "format", "cursor"] {
                check("\(path)?\(name)=\(value)")
            }
            check("\(path)?bbox=\(value),\(value),\(value),\(value)")
        }
        for name in ["lon", "lat", "z", "radius"] {
            let others = ["lon=13.4", "lat=52.5", "z=16"].filter { !$0.hasPrefix(name + "=") }.joined(separator: "&")
            check("/v1/at?\(others)&\(name)=\(value)")
            check("/v1/at?\(others)&\(name)=\(value)&from=\(value)")
        }
        for name in ["t", "at", "from"] { check("/v1/position?\(name)=\(value)") }
        for path in ["/tiles/\(value)/0/0.png", "/tiles/0/\(value)/0.png", "/tiles/22/0/\(value)@2x.png"] {
            check(path)
        }
    }

    @Test(arguments: extremes) func `Any replay request is answered`(value: String) {
        let escaped = value.utf8.map { "%\(String($0, radix: 16).count == 1 ? "0" : "")\(String($0, radix: 16))" }
            .joined()
        for path in ["/v1/replay", "/v1/replay/manifest"] {
            for name in ["from", "to", "seek", "speed", "fps", "tiles", "gap", "together", "cursor"] {
                check("\(path)?\(name)=\(escaped)")
                check("\(path)?together=1&\(name)=\(escaped)&tiles=22")
            }
            check("\(path)?speed=100000&fps=60&seek=\(escaped)&together=1")
            check("\(path)?speed=0.1&fps=60&from=\(escaped)&gap=hold")
            check(path, [(HeaderName("Last-Event-ID"), value)])
        }
    }

    @Test(arguments: [
        "bytes=0-9223372036854775807", "bytes=-9223372036854775808", "bytes=18446744073709551615-", "bytes=a-b",
    ]) func `Any range has an answer`(range: String) {
        check("/tiles/16/35207/21493.png", [(HeaderName("Range"), range)])
        check("/v1/export?format=gpx", [(HeaderName("Range"), range)])
    }
}
