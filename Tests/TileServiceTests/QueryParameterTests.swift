import HTTPCore
import Pins
import RequestHandling
import Styling
import Testing
import TileMath

@testable import TileService

@Suite struct QueryParameterTests {
    private func read(_ query: String, _ names: Set<String>? = nil) throws(Problem) -> QueryParameters {
        try QueryParameters(RequestTarget("/?\(query)"), names)
    }

    @Test func `a parameter that is not given is nil, and a valid one is read`() throws {
        let parameters = try read(
            "n=007&word=dark&flag=1&day=2024-05-31&lon=13.4&lat=-5&box=1,2,3,4&z=22&track=b,a&text=a+b")
        #expect(try parameters.number("n", in: 0...9) == 7 && parameters.number("m", in: 0...9) == nil)
        let theme: Theme? = try parameters.choice("word")
        let none: Theme? = try parameters.choice("theme")
        #expect(theme == .dark && none == nil)
        #expect(try parameters.flag("flag") && !parameters.flag("other"))
        #expect(try parameters.date("day") != nil && parameters.date("from") == nil)
        #expect(try parameters.position().latitude == -5)
        #expect(try parameters.box("box")?.north == 4 && parameters.box("bbox") == nil)
        #expect(try parameters.zoom("z")?.number == 22 && parameters.zoom("zoom") == nil)
        #expect(try parameters.trackIDs("track", limit: 2) == ["b", "a"])
        #expect(parameters["text"] == "a b" && parameters["none"] == nil)
    }

    @Test func `only the parameters of the list are read, and a repeated one is refused`() throws {
        let problem = #expect(throws: Problem.self) { try read("a=1&b=2&a=1") }
        #expect(problem?.detail == "a is given twice")
        #expect(try read("a=1&b=2&a=1", ["b"])["b"] == "2")
        #expect(try read("a=1&b=2", ["b"])["a"] == nil)
    }

    @Test func `the words of an enumeration are listed`() {
        #expect(QueryParameters.words(of: PinPhoto.Size.self) == "thumb, screen or original")
        #expect(QueryParameters.words(of: Theme.self) == "light or dark")
    }

    /// A sign, a fraction, an exponent, a blank and a digit of another script.
    @Test(arguments: ["%2B14", "-14", "14.0", "1e1", "%2014", "\u{0661}", "", "99999999999999999999"])
    func `a number has decimal digits only`(text: String) throws {
        let town = try Town()
        for target in [
            "/legend/heat.json?z=", "/v1/poster?bbox=13,52,14,53&dpi=", "/v1/places?q=a&limit=",
            "/v1/explorer?zoom=", "/v1/stats.svg?size=400x", "/v1/at?lon=1&lat=2&z=", "/v1/at?lon=1&lat=2&z=3&radius=",
            "/v1/tracks?limit=", "/v1/calendar?year=", "/v1/replay?fps=", "/tiles.json?scale=", "/v1/imports?limit=",
        ] {
            #expect(town.get(target + text).status == .badRequest, "\(target)\(text)")
        }
        #expect(town.get("/v1/stats/year/+202").status == .notFound)
        #expect(town.get("/v1/stats/year/%2B202").status == .notFound)
    }

    /// Routes that know the parameter, with a valid value.
    @Test(arguments: [
        "/tiles/0/0/0.png?layer=all", "/tiles/base/0/0/0.png?show=all", "/tiles.json?scale=2", "/legend/heat.json?z=3",
        "/v1/poster?bbox=13,52,14,53", "/v1/places?q=a", "/v1/at?lon=1&lat=2&z=3", "/v1/pins?limit=1",
        "/v1/stats?by=year", "/v1/explorer?zoom=14", "/v1/countries?view=iso", "/v1/export?format=csv",
        "/v1/calendar?year=2019", "/v1/replay?speed=max",
    ])
    func `a parameter that is given twice is refused`(target: String) throws {
        let last = try #require(target.split(separator: "?").last?.split(separator: "&").last)
        #expect(try Town().get("\(target)&\(last)").status == .badRequest)
    }

    /// Whether an unknown parameter may be given twice depends on the route, as it always has.
    @Test func `an unknown parameter is ignored, also twice where a route reads only its own`() throws {
        let town = try Town()
        for target in [
            "/tiles/0/0/0.png", "/tiles/base/0/0/0.png", "/tiles.json", "/legend/heat.json", "/v1/places?q=a",
            "/v1/at?lon=13.4&lat=52.5&z=14",
        ] {
            let more = target.contains("?") ? "&" : "?"
            #expect(town.get("\(target)\(more)utm=1&utm=2").status == .ok, "\(target)")
        }
        for target in ["/v1/tracks", "/v1/stats", "/v1/stays", "/v1/pins", "/v1/imports"] {
            #expect(town.get("\(target)?utm=1").status == .ok, "\(target)")
            #expect(town.get("\(target)?utm=1&utm=2").status == .badRequest, "\(target)")
        }
    }

    @Test func `ids of tracks are read in the same way by tiles and exports`() throws {
        let town = try Town()
        let id = try town.firstRide
        for (ids, isValid) in [
            ("\(id)", true), ("\(id),\(id)", false), ("\(id),", false), (",\(id)", false), ("", false),
        ] {
            for target in ["/tiles/0/0/0.png?track=", "/v1/export?format=csv&track="] {
                #expect(town.get(target + ids).status == (isValid ? .ok : .badRequest), "\(target)\(ids)")
            }
        }
    }
}
