import Testing

@testable import Places

@Suite struct PlaceSearchTests {
    private func first(_ text: String) -> NamedPlace? {
        PlaceSearch.embedded.places(matching: text, limit: 8).first?.place
    }

    @Test(arguments: [
        ("zur", "Z\u{FC}rich", "CH"), ("Z\u{DC}RICH", "Z\u{FC}rich", "CH"), ("zu\u{308}rich", "Z\u{FC}rich", "CH"),
        ("zuerich", "Z\u{FC}rich", "CH"), ("m\u{FC}nchen", "Munich", "DE"), ("muenchen", "Munich", "DE"),
        ("\u{41C}\u{43E}\u{441}\u{43A}\u{432}\u{430}", "Moscow", "RU"), ("\u{6771}\u{4EAC}", "Tokyo", "JP"),
        ("new y", "New York City", "US"), ("l'aquila", "L'Aquila", "IT"), ("laquila", "L'Aquila", "IT"),
        ("lodz", "\u{141}\u{F3}d\u{17A}", "PL"), ("paris", "Paris", "FR"), ("paris, texas", "Paris", "US"),
        ("paris texas", "Paris", "US"), ("paris, us", "Paris", "US"), ("  Paris ,  France ", "Paris", "FR"),
        ("koenigsbrunn", "K\u{F6}nigsbrunn", "DE"), ("freiburg im b", "Freiburg", "DE"),
    ])
    func `places are found by the beginning of a name`(text: String, name: String, country: String) throws {
        let place = try #require(first(text))
        #expect(place.name.hasPrefix(name) && place.country == country, "\(place)")
    }

    @Test(arguments: ["", " ", ",", "--", ", france", "xqzvw", "paris, atlantis"])
    func `words that no place has find nothing`(text: String) {
        #expect(PlaceSearch.embedded.places(matching: text, limit: 8).isEmpty)
    }

    @Test func `another name is returned, the usual one is not`() throws {
        let other = try #require(PlaceSearch.embedded.places(matching: "m\u{FC}nchen", limit: 1).first)
        #expect(other.otherName?.lowercased().hasPrefix("m") == true && other.otherName != "Munich")
        #expect(PlaceSearch.embedded.places(matching: "munich", limit: 1).first?.otherName == nil)
    }

    @Test func `no place is found twice, and fewer places are the first of more`() {
        for text in ["san", "a", "be", "ko", "ma", "new", "saint"] {
            let many = PlaceSearch.embedded.places(matching: text, limit: 50)
            #expect(many.count == 50 && Set(many.map(\.place)).count == 50)
            #expect(PlaceSearch.embedded.places(matching: text, limit: 7) == Array(many.prefix(7)))
        }
    }

    /// Whether a place is found, decided by comparing its names as texts. The first of them is the usual one.
    private static func isFound(_ names: [String], _ text: String) -> Bool {
        let others = names.dropFirst().filter { $0.hasPrefix(text) && 2 * text.utf8.count >= $0.utf8.count }
        return (" " + names[0]).contains(" " + text) || !others.isEmpty
    }

    /// The folded names of each place.
    private static let names: [[String]] = {
        let gazetteer = Gazetteer.embedded
        func folded(_ name: String) -> String { String(decoding: gazetteer.folding.folded(name), as: UTF8.self) }
        var names = (0..<gazetteer.count).map { [folded(gazetteer[$0].name)] }
        for other in gazetteer.otherNames { names[other.place] += other.offsets.map { folded(gazetteer.text(at: $0)) } }
        return names
    }()

    @Test(arguments: [
        ("ber", ["ber"]), ("B\u{E1}d", ["bad"]), ("santa cr", ["santa cr"]), ("ue", ["ue", "u"]), ("mosk", ["mosk"]),
    ])
    func `the search finds the places that a comparison of texts finds`(text: String, folded: [String]) {
        let expected = Self.names.count { names in folded.contains { Self.isFound(names, $0) } }
        #expect(expected > 5)
        #expect(PlaceSearch.embedded.places(matching: text, limit: .max).count == expected)
    }

    @Test func `larger places and closer names are first`() throws {
        let table = PlaceTable(rows: [
            .init(name: "Bergen", longitude: 5, latitude: 60, population: 180),
            .init(name: "Berg", longitude: 6, latitude: 50, population: 120),
            .init(name: "Bad Berg", longitude: 7, latitude: 50, population: 199),
            .init(name: "Bergamo", longitude: 9, latitude: 45, population: 170, others: ["Berghem"]),
            .init(
                name: "Ulm", longitude: 10, latitude: 48, population: 170, region: 1,
                others: ["Bergst", "Bergstadt-Nord"]),
            .init(name: "Bergen (Nord)", longitude: 5, latitude: 61, population: 175),
        ])
        let search = PlaceSearch(try Gazetteer(try table.packed))
        func names(_ text: String) -> [String] { search.places(matching: text, limit: 9).map(\.place.name) }
        #expect(names("berg") == ["Bergen", "Bad Berg", "Bergamo", "Ulm", "Berg", "Bergen (Nord)"])
        #expect(names("bergs") == ["Ulm"] && names("bergstad") == ["Ulm"] && names("nord") == ["Bergen (Nord)"])
        #expect(names("bergsta") == ["Ulm"] && names("stadt") == [])
        #expect(names("berg, zuri") == ["Ulm"])
        #expect(search.places(matching: "berg", limit: 9).compactMap(\.otherName) == ["Bergst"])
        #expect(names("berghem") == ["Bergamo"])
        #expect(names("b, us") == [])
    }

    @Test func `folding keeps letters and digits, with one blank between words`() {
        let folding = NameFolding([0xFC: Array("u".utf8), 0x308: []])
        func folded(_ text: String) -> String { String(decoding: folding.folded(text), as: UTF8.self) }
        #expect(folded("  Z\u{FC}rich (Kreis 4) / Hard ") == "zurich kreis 4 hard")
        #expect(folded("zu\u{308}rich") == "zurich")
        #expect(folded("L'Aquila") == "laquila")
        #expect(folded("\u{41C}\u{41E}") == "\u{43C}\u{43E}")
        #expect(folded("!?\u{2014}") == "")
    }
}
