import HTTPCore
import HeatGrid
import RequestHandling
import Testing
import TileLog
import TileMath

@testable import TileDrawing

@Suite struct TileTargetTests {
    private func read(_ target: String) throws -> TileTarget { try TileTarget(RequestTarget(target)) }

    private func status(_ target: String) -> Int {
        do {
            _ = try TileTarget(RequestTarget(target))
            return 200
        } catch {
            return error.status.code
        }
    }

    private func tile(_ z: Int, _ x: Int, _ y: Int) throws -> TileCoordinate {
        let zoom = try #require(ZoomLevel(z))
        return try #require(TileCoordinate(zoom: zoom, x: x, y: y))
    }

    @Test func `every tile of zoom levels 0 to 5 is parsed, and no others`() throws {
        for z in 0...5 {
            let side = 1 << z
            for x in 0...side {
                for y in 0...side {
                    let target = "/tiles/\(z)/\(x)/\(y).png"
                    if x < side, y < side {
                        #expect(try read(target).request == TileRequest(tile: tile(z, x, y)))
                    } else {
                        #expect(status(target) == 404, "\(target)")
                    }
                }
            }
        }
    }

    @Test func `style, scale and the deepest tile are read`() throws {
        #expect(
            try read("/tiles/fire-2/1/0/1@2x.png").request
                == TileRequest(style: "fire-2", tile: tile(1, 0, 1), scale: .double))
        let last = (1 << 22) - 1
        #expect(try read("/tiles/22/\(last)/\(last).png").request.tile == tile(22, last, last))
        #expect(try read("/tiles/%68eat/1/0/%31.png").request == TileRequest(tile: tile(1, 0, 1)))
    }

    @Test(arguments: [
        "/tiles/23/0/0.png", "/tiles/22/4194304/0.png", "/tiles/1/2/0.png", "/tiles/-1/0/0.png", "/tiles/+1/0/0.png",
        "/tiles/01/0/0.png", "/tiles/1/00/0.png", "/tiles/1.0/0/0.png", "/tiles/1/0/0.0.png", "/tiles/1/0/.png",
        "/tiles/1//0.png", "/tiles//1/0/0.png", "/tiles/a/b/1/0/0.png", "/tiles/1/0.png", "/tiles/0.png", "/tiles/.png",
        "/tiles/1/0/0.jpg", "/tiles/1/0/0", "/tiles/1/0/0.png/", "/tiles/1/0/0@3x.png", "/tiles/1/0/0@2x@2x.png",
        "/tiles/1/0/@2x.png", "/tiles/1/0/0.PNG", "/tiles/1/0/99999999999999999999999999.png", "/tiles/1/0/0x1.png",
        "/tiles/1/0/ 0.png", "/tiles/1/0/%300.png", "/tiles/a%2Fb/1/0/0.png", "/tiles/%/1/0/0.png",
        "/tiles/1e0/0/0.png",
        "/tiles/1/0/18446744073709551616.png", "/tiles/1/0/\u{0661}.png", "tiles/1/0/0.png",
    ])
    func `a path of no tile is not found`(target: String) {
        #expect(status(target) == 404)
    }

    @Test func `windows are whole days, including the last`() throws {
        #expect(
            try read("/tiles/0/0/0.png?from=1970-01-02&to=1970-01-31").request.selection.window
                == TimeWindow(DayWindow(from: 1, to: 30)))
        #expect(
            try read("/tiles/0/0/0.png?asof=1970-01-01").request.selection.window
                == TimeWindow(DayWindow(from: nil, to: 0)))
        #expect(
            try read("/tiles/0/0/0.png?from=1969-12-31").request.selection.window
                == TimeWindow(DayWindow(from: -1, to: nil)))
        #expect(try read("/tiles/0/0/0.png?").request.selection.window == .allTime)
    }

    @Test func `layer and revision are parsed, and unknown parameters ignored`() throws {
        let target = try read("/tiles/heat/0/0/0.png?layer=activity%3Dride&v=12&utm=1&utm=2&key=secret")
        #expect(target.request.layer == "activity=ride" && target.revision == "12")
        let plain = try read("/tiles/0/0/0.png")
        #expect(plain.request == (try read("/tiles/heat/0/0/0.png?layer=all&x=1")).request)
    }

    @Test func `a ramp must exist, and is part of the request`() throws {
        #expect(try read("/tiles/0/0/0.png?ramp=ember").request.ramp == "ember")
        #expect(try read("/tiles/0/0/0.png?ramp=ember").request != (try read("/tiles/0/0/0.png").request))
        let problem = #expect(throws: Problem.self) { try read("/tiles/0/0/0.png?ramp=embers") }
        #expect(problem?.status.code == 400)
        #expect(problem?.detail?.contains("did you mean ember?") == true)
    }

    @Test(arguments: [
        "minus=", "minus=/", "minus=2023-01-01", "minus=2023-02-01/2023-01-01", "minus=a/b", "ramp=", "ramp=Ember",
        "ramp=ember&ramp=ember", "from=2024-02-30", "from=2024-13-01", "from=2024-1-1", "from=",
        "from=now", "from=2024-01-01x", "from=20240101",
        "to=2024-05-31T10:00:00", "asof=2024-05-31T10", "from=2024-01-02&to=2024-01-01", "from=1&from=2",
        "to=2024-01-01&asof=2024-01-01", "layer=", "layer=a&layer=b", "track=abc,", "v=1&v=2", "layer=%zz",
        "from=+024-01-01", "from=2024-01-01&from=2024-01-01",
    ])
    func `parameters that are malformed or repeated are bad requests`(query: String) {
        #expect(status("/tiles/0/0/0.png?\(query)") == 400)
    }

    @Test func `instants are read with offsets and fractions, a plus sign as it is or encoded`() throws {
        let noon = TimeWindow.End.instant(1_717_156_800_000)
        for text in ["12:00:00Z", "14:00:00%2B02:00", "14:00:00+02:00", "10:30:00-01:30", "12:00:00.000z"] {
            #expect(try read("/tiles/0/0/0.png?to=2024-05-31T\(text)").request.selection.window.to == noon, "\(text)")
        }
        let window = try read("/tiles/0/0/0.png?from=2024-05-31T12:00:00.25Z&to=2024-06-01").request.selection.window
        #expect(window == TimeWindow(from: .instant(1_717_156_800_250), to: .day(19_875)))
        let minus = try read("/tiles/0/0/0.png?minus=/2024-05-31T12:00:00Z").request.minus
        #expect(minus == TimeWindow(from: nil, to: noon))
    }
}
