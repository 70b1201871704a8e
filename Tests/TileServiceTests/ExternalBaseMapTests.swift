import Testing
import TileService

@Suite struct ExternalBaseMapTests {
    @Test(arguments: [
        ("Roads=https://tile.example.org/{z}/{x}/{y}.png", "https://tile.example.org"),
        ("Two words = https://{s}.tile.example.org/{z}/{x}/{y}{r}.png?key=a", "https://*.tile.example.org"),
        ("Local=http://127.0.0.1:8081/{z}/{y}/{x}", "http://127.0.0.1:8081"),
    ])
    func `A name and the URL of tiles are read, and the origin of their images is known`(text: String, origin: String) {
        #expect(ExternalBaseMap(text.replacing("= h", with: "=h"))?.origin == origin)
    }

    @Test(arguments: [
        "", "Roads", "=https://a.org/{z}/{x}/{y}.png", "Roads=ftp://a.org/{z}/{x}/{y}.png",
        "Roads=https://a.org/{z}/{x}.png",
        "Roads=https://a.org/{z}/{x}/{y}/{q}.png", "Roads=https://a.org/{z}/{x}/{y}.png; script-src *",
        "Roads=https://a.org/{z}/{x}/{y}.png 'unsafe-inline'", "Roads=https:///{z}/{x}/{y}.png",
        "Roads=https://a.{s}.org/{z}/{x}/{y}.png", "Roads=https://a.org/{s}/{z}/{x}/{y}.png",
        "Roads=https://*/{z}/{x}/{y}.png",
    ])
    func `Anything else is refused, so that nothing else gets into the Content-Security-Policy`(text: String) {
        #expect(ExternalBaseMap(text) == nil)
    }
}
