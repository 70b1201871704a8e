import Colors
import Foundation
import Styling
import Testing
import TileMath
import Venues

@testable import FloorRendering

@Suite struct LabelTests {
    private func texts(_ scene: FloorScene, _ zoom: Int) -> Set<String> {
        Set(
            scene.marks(zoom: zoom).compactMap { mark in
                guard case .text(let text) = mark.content else { return nil }
                return text.lines.map(\.text).joined(separator: " ")
            })
    }

    @Test func `No mark covers another`() throws {
        var scenes = [try Campus().scene([0]), try Campus(seed: 5).scene([0, 1, 2])]
        if let building = try Campus.realBuilding() { scenes += try (0..<7).map { try building.scene([$0]) } }
        for scene in scenes {
            for zoom in FloorScene.zooms {
                let marks = scene.marks(zoom: zoom)
                for (index, mark) in marks.enumerated() {
                    for other in marks[..<index] {
                        #expect(!mark.box.intersects(other.box), "\(zoom): \(mark) \(other)")
                    }
                }
            }
        }
    }

    @Test func `Names are in their rooms, and none is lost at the deepest zoom level`() throws {
        let campus = try Campus()
        let level = campus.levels(0)[0]
        let scene = try campus.scene([level])
        let names = Set(campus.venue.units.filter { $0.level == level }.compactMap { $0.name?.text() })
        #expect(texts(scene, 22).isSuperset(of: names))
        #expect(texts(scene, 16).isDisjoint(with: names.filter { $0.hasPrefix("C-") }))
        // A room of 6 by 6 metres is 120 pixels wide at zoom level 20: names are at most a few pixels wider than their room.
        let projection = WorldProjection(campus.venue.frame)
        for zoom in 17...22 {
            let worldPixels = Double(256 << zoom)
            for mark in scene.marks(zoom: zoom) {
                guard case .text(let text) = mark.content else { continue }
                let name = text.lines.map(\.text).joined(separator: " ")
                guard let unit = campus.venue.units.first(where: { $0.name?.text() == name && $0.level == level })
                else { continue }
                let shape = WorldShape(unit.shape.polygons.map { $0.map { $0.map(projection.world) } })
                let margin = Double(LabelText.margin)
                #expect(Double(mark.box.x) + margin > shape.box.low.x * worldPixels - 6, "\(name) at \(zoom)")
                #expect(
                    Double(mark.box.x + mark.box.width) - margin < shape.box.high.x * worldPixels + 6,
                    "\(name) at \(zoom)")
            }
        }
    }

    @Test func `Stairs, lifts and toilets have symbols`() throws {
        let campus = try Campus()
        let level = campus.levels(1)[0]
        var symbols: Set<FloorSymbol> = []
        for mark in try campus.scene([level]).marks(zoom: 20) {
            if case .symbol(let symbol) = mark.content { symbols.insert(symbol) }
        }
        #expect(symbols.isSuperset(of: [.stairs]))
        let all = try campus.scene(Array(campus.venue.levels.indices)).marks(zoom: 20)
        #expect(all.contains { if case .symbol(.toilet) = $0.content { true } else { false } })
    }

    @Test func `A language that a venue does not have is no language`() throws {
        let campus = try Campus()
        #expect(FloorScene.language("xx", of: campus.venue) == nil)
        #expect(FloorScene.language(nil, of: campus.venue) == nil)
        let known = campus.venue.units.compactMap(\.name).flatMap { $0.texts.map(\.language) }.first { !$0.isEmpty }
        if let known {
            #expect(FloorScene.language(known, of: campus.venue) == known)
            #expect(FloorScene.language(known + "-AT", of: campus.venue) == known)
        }
    }

    @Test(arguments: Theme.allCases) func `Names have enough contrast to what is below them`(theme: Theme) {
        let style = FloorStyle.builtIn(theme)
        func luminance(_ role: FloorStyle.Role) -> Double {
            // WCAG 2, relative luminance.
            let channels = [style[role].red, style[role].green, style[role].blue].map { channel in
                let part = Double(channel) / 255
                return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
        }
        func contrast(_ one: FloorStyle.Role, _ other: FloorStyle.Role) -> Double {
            let pair = [luminance(one), luminance(other)].sorted()
            return (pair[1] + 0.05) / (pair[0] + 0.05)
        }
        let fills: [FloorStyle.Role] = [
            .floor, .room, .corridor, .connector, .restroom, .restricted, .outdoor, .fixture,
        ]
        for fill in fills { #expect(contrast(.label, fill) >= 4.5, "\(fill)") }
        #expect(contrast(.symbol, .halo) >= 3)
    }

    @Test func `Styles that lack a colour are refused`() {
        #expect(FloorStyle(.light, json: Array("{}".utf8)) == nil)
        #expect(FloorStyle(.light, json: Array("{\"light\":{\"floor\":\"#ffffff\"}}".utf8)) == nil)
        #expect(FloorStyle.builtIn(.light) != FloorStyle.builtIn(.dark))
    }
}
