import Cairo
import Foundation
import TileMath

/// A square of tiles of one zoom level, whose labels are placed together.
///
/// Two rules keep labels whole at the edges of tiles and blocks. The name of a place is shown unless it touches one that is
/// more important, shown or not: that can be told from the places around it alone, so that each block that it touches decides
/// alike. Names of roads and numbers stay within their block.
struct LabelBlock: Hashable, Sendable {
    let zoom: Int
    /// Counted in blocks.
    let column: Int
    let row: Int
    /// The tiles of 256 pixels along a side, as a power of two.
    let sideBits: Int

    static let tilePixels = 256.0
    /// Places from so far away decide about names in a block: twice the widest name's half, for its own reach and for that
    /// of a more important one.
    static let reach = 256.0
    static let widestName = 160.0
    static let wrapWidth = 110.0

    /// The block's pixels.
    var core: MapBox {
        let side = Self.tilePixels * Double(1 << sideBits)
        return MapBox(
            minX: Double(column) * side, minY: Double(row) * side, maxX: Double(column + 1) * side,
            maxY: Double(row + 1) * side)
    }

    var outer: MapBox { core.grown(Self.reach) }
}

/// Names around and in a block, in pixels of its zoom level. The lines are within the block.
struct LabelCandidates {
    var places: [(name: PlaceName, at: MapPoint)] = []
    var roads: [(name: RoadName, line: [MapPoint])] = []
}

/// Places the labels of a block.
struct LabelPlacement: ~Copyable {
    private let block: LabelBlock
    private var typesetter: LabelTypesetter
    private var labels: [MapLabel] = []
    /// Boxes that are taken.
    private var taken: [MapBox] = []
    /// Where texts of roads are.
    private var roadTexts: [String: [MapPoint]] = [:]

    /// Pixels between names.
    private static let padding = 3.0
    /// Pixels between two occurrences of the name or the number of a road.
    private static let repetition = 260.0
    /// Pixels along a road for each occurrence.
    private static let roadStep = 360.0
    private static let shieldZooms = 7...14

    static func labels(
        of block: LabelBlock, _ candidates: LabelCandidates, _ texts: LaidOutTexts
    ) throws(CairoError) -> [MapLabel] {
        var placement = LabelPlacement(block: block, typesetter: try LabelTypesetter(texts))
        try placement.placeNames(candidates.places)
        if shieldZooms.contains(block.zoom) { try placement.placeShields(candidates.roads) }
        try placement.placeRoadNames(candidates.roads)
        return placement.labels
    }

    private init(block: LabelBlock, typesetter: consuming LabelTypesetter) {
        self.block = block
        self.typesetter = typesetter
    }

    // MARK: Places

    private static func style(_ name: PlaceName, zoom: Int) -> TextStyle {
        switch name.kind {
        case .country: TextStyle(size: 12, weight: .medium)
        case .region: TextStyle(size: 10.5)
        case .city:
            TextStyle(size: (name.rank <= 4 ? 14 : name.rank <= 8 ? 13 : 12) + (zoom >= 10 ? 1.5 : 0), weight: .medium)
        case .town: TextStyle(size: zoom >= 12 ? 12.5 : 11.5, weight: zoom >= 12 ? .medium : .regular)
        case .village: TextStyle(size: zoom >= 14 ? 11.5 : 10.5)
        case .suburb: TextStyle(size: zoom >= 14 ? 12 : 11)
        case .neighbourhood, .locality: TextStyle(size: 10.5)
        case .water: TextStyle(size: 10.5)
        }
    }

    private mutating func placeNames(_ candidates: [(name: PlaceName, at: MapPoint)]) throws(CairoError) {
        let sorted = candidates.filter { $0.name.kind.zooms.contains(block.zoom) }.sorted { one, other in
            let (left, right) = (one.name, other.name)
            if left.kind != right.kind { return left.kind < right.kind }
            if left.rank != right.rank { return left.rank < right.rank }
            if left.text != right.text { return left.text < right.text }
            return (one.at.x, one.at.y) < (other.at.x, other.at.y)
        }
        var boxes: [MapBox] = []
        for (name, place) in sorted {
            let text = try typesetter.block(
                name.text, Self.style(name, zoom: block.zoom), widest: LabelBlock.wrapWidth)
            guard text.width + 2 * Self.padding <= LabelBlock.widestName else { continue }
            let box = MapBox(around: place, width: text.width, height: text.height).grown(Self.padding)
            let isFree = !boxes.contains { $0.intersects(box) }
            boxes.append(box)
            guard isFree, box.intersects(block.core) else { continue }
            taken.append(box)
            labels.append(
                MapLabel(text: name.text, style: .place(name.kind), anchor: place, outline: text.outline, box: box))
        }
    }

    // MARK: Roads

    /// Lines of one text within the block, the most important and longest first.
    private struct RoadText {
        let text: String
        let kind: LineKind
        let line: MeasuredLine
    }

    private func roadTexts(
        _ roads: [(name: RoadName, line: [MapPoint])], _ text: (RoadName) -> String?
    ) -> [RoadText] {
        var pieces: [String: (kind: LineKind, lines: [[MapPoint]])] = [:]
        for road in roads {
            guard let text = text(road.name) else { continue }
            var known = pieces[text] ?? (road.name.kind, [])
            if road.name.kind.rawValue > known.kind.rawValue { known.kind = road.name.kind }
            known.lines.append(road.line)
            pieces[text] = known
        }
        let found = pieces.flatMap { text, piece in
            RoadChains.joined(piece.lines).map { RoadText(text: text, kind: piece.kind, line: MeasuredLine($0)) }
        }
        return found.sorted { one, other in
            if one.kind != other.kind { return one.kind.rawValue > other.kind.rawValue }
            if one.line.length != other.line.length { return one.line.length > other.line.length }
            if one.text != other.text { return one.text < other.text }
            let (first, second) = (one.line.points[0], other.line.points[0])
            return (first.x, first.y) < (second.x, second.y)
        }
    }

    private func isFree(_ boxes: [MapBox]) -> Bool {
        boxes.allSatisfy { box in block.core.contains(box) && !taken.contains { $0.intersects(box) } }
    }

    /// Whether the text is not near already.
    private func isFar(_ text: String, _ place: MapPoint) -> Bool {
        !(roadTexts[text] ?? []).contains { $0.distance(to: place) < Self.repetition }
    }

    /// Distances along a line at which something may be placed, the best first: each stretch of the line has its own.
    private static func stretches(of length: Double) -> [[Double]] {
        let count = max(1, Int(length / roadStep))
        return (0..<count).map { index in
            let middle = (Double(index) + 0.5) / Double(count) * length
            return [0, 24, -24, 48, -48, 80, -80, 120, -120].map { middle + $0 }
        }
    }

    private mutating func placeShields(_ roads: [(name: RoadName, line: [MapPoint])]) throws(CairoError) {
        let numbered = roadTexts(roads) { name in
            [.motorway, .trunk, .primary].contains(name.kind) ? name.reference : nil
        }
        for road in numbered where road.line.length > 40 {
            let text = try typesetter.line(road.text, TextStyle(size: 9, weight: .medium))
            let (width, height) = (text.width + 8, 14.0)
            for stretch in Self.stretches(of: road.line.length) {
                for distance in stretch where distance > 0 && distance < road.line.length {
                    let place = road.line.point(at: distance)
                    let box = MapBox(around: place, width: width, height: height).grown(Self.padding)
                    guard isFree([box]), isFar("#" + road.text, place) else { continue }
                    taken.append(box)
                    roadTexts["#" + road.text, default: []].append(place)
                    labels.append(
                        MapLabel(
                            text: road.text, style: .shield(width: width, height: height), anchor: place,
                            outline: text.outline, box: box))
                    break
                }
            }
        }
    }

    /// The zoom level from which roads have names.
    private static func firstZoom(_ kind: LineKind) -> Int? {
        switch kind {
        case .motorway, .trunk, .primary: 13
        case .secondary: 13
        case .tertiary: 14
        case .minor: 15
        case .service: 16
        case .path: 16
        default: nil
        }
    }

    private mutating func placeRoadNames(_ roads: [(name: RoadName, line: [MapPoint])]) throws(CairoError) {
        let zoom = block.zoom
        let named = roadTexts(roads) { name in
            guard let first = Self.firstZoom(name.kind), zoom >= first else { return nil }
            return name.text
        }
        let size = zoom >= 17 ? 11.5 : zoom >= 15 ? 10.5 : 9.5
        for road in named {
            // An estimate first: most pieces are far too short.
            guard road.line.length > Double(road.text.count) * size * 0.4 else { continue }
            let text = try typesetter.line(road.text, TextStyle(size: size))
            guard road.line.length > text.width + 8 else { continue }
            for stretch in Self.stretches(of: road.line.length) {
                for distance in stretch {
                    guard let bent = BentText(text, size: size, along: road.line, at: distance) else { continue }
                    guard isFree(bent.boxes), isFar(road.text, bent.anchor) else { continue }
                    taken += bent.boxes
                    roadTexts[road.text, default: []].append(bent.anchor)
                    labels.append(
                        MapLabel(
                            text: road.text, style: .road, anchor: bent.anchor, outline: bent.outline, box: bent.box))
                    break
                }
            }
        }
    }
}

/// A text that is bent along a line.
private struct BentText {
    let anchor: MapPoint
    private let smooth: MeasuredLine
    private let text: LaidOutText
    /// Boxes along the letters.
    let boxes: [MapBox]
    let box: MapBox

    /// Pixels between the places of the smoothed line.
    private static let step = 2.0
    /// Places on both sides of which the mean is taken: corners would cut letters in two.
    private static let smoothing = 4
    /// How much a line may turn over the length of a letter, and over the whole text, in radians.
    private static let sharpest = (letter: 0.45, text: 1.4)

    /// nil if the text does not fit around the place at a distance, or the line turns too much there.
    init?(_ text: LaidOutText, size: Double, along line: MeasuredLine, at distance: Double) {
        let half = text.width / 2 + 3
        guard distance - half >= 0, distance + half <= line.length else { return nil }
        let count = Int((2 * half / Self.step).rounded(.up)) + 1
        let margin = Self.smoothing
        let raw = (-margin..<count + margin).map { line.point(at: distance - half + Double($0) * Self.step) }
        var points = (0..<count).map { index -> MapPoint in
            let window = raw[index...index + 2 * margin]
            let sum = window.reduce(MapPoint(x: 0, y: 0), +)
            return MapPoint(x: sum.x / Double(window.count), y: sum.y / Double(window.count))
        }
        guard let first = points.first, let last = points.last else { return nil }
        if first.x > last.x { points.reverse() }
        let letterSteps = max(1, Int(size / Self.step))
        let angles = zip(points, points.dropFirst()).map { $0.angle(to: $1) }
        guard let start = angles.first else { return nil }
        for (index, angle) in angles.enumerated() {
            let turned = abs((angle - start).remainder(dividingBy: 2 * .pi))
            let letter = angles[max(0, index - letterSteps)]
            let turn = abs((angle - letter).remainder(dividingBy: 2 * .pi))
            guard turned <= Self.sharpest.text, turn <= Self.sharpest.letter else { return nil }
        }
        let smooth = MeasuredLine(points)
        let middle = smooth.length / 2
        let anchor = smooth.point(at: middle)
        self.anchor = anchor
        (self.smooth, self.text) = (smooth, text)
        let boxes = stride(from: -text.width / 2, through: text.width / 2, by: size).map { x in
            MapBox(around: smooth.point(at: middle + x), width: size * 1.3, height: size * 1.3)
        }
        self.boxes = boxes
        box = boxes.dropFirst().reduce(boxes[0]) { whole, part in
            MapBox(
                minX: min(whole.minX, part.minX), minY: min(whole.minY, part.minY), maxX: max(whole.maxX, part.maxX),
                maxY: max(whole.maxY, part.maxY))
        }
    }

    /// The letters along the line, from the anchor. Computed for those only that are placed.
    var outline: TextOutline {
        let middle = smooth.length / 2
        return text.outline.mapped { x, y in
            let place = smooth.point(at: middle + x)
            let (before, after) = (smooth.point(at: middle + x - 1.5), smooth.point(at: middle + x + 1.5))
            let length = max(1e-6, before.distance(to: after))
            let (dx, dy) = ((after.x - before.x) / length, (after.y - before.y) / length)
            return (place.x - dy * y - anchor.x, place.y + dx * y - anchor.y)
        }
    }
}
