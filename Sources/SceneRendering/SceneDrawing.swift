internal import Cairo
internal import Colors
import Foundation
internal import Scene
internal import TileMath

/// Draws what stands on the ground.
struct SceneDrawing {
    let scene: Scene
    let palette: ScenePalette

    private typealias Pixel = SceneProjection.Pixel

    private static let lineWidth = 2.5
    private static let curtainAlpha = 0.5
    /// Pixels. Within one pixel, a line is where it would be with all corners.
    private static let panelWidth = 1.5
    /// Pixels that the feet of a panel may be from a straight line.
    private static let lineTolerance = 0.25
    /// Pixels of the ground below a panel: what is longer may be partly before and partly behind another.
    private static let panelLimit = 24.0
    /// Corners of a panel after the first: each more is compared with all before it, and a track that hardly moves may have
    /// thousands on 24 pixels.
    private static let cornerLimit = 64
    private static let shadowAlpha = 0.28
    private static let letters = TextStyle(size: 11, weight: .medium)

    private var isFlat: Bool { scene.view.tilt == 90 }

    /// The lines on the ground.
    func shadows(on context: borrowing Context) {
        // From above it would be the line itself, only darker.
        guard !isFlat else { return }
        context.setSource(palette.ink, alpha: Self.shadowAlpha)
        context.setLine(width: Self.lineWidth + 1, cap: .round, join: .round)
        for segment in scene.tracks.flatMap(\.segments) {
            for (index, vertex) in segment.enumerated() {
                let pixel = scene.projection.pixel(vertex.place)
                if index == 0 { context.move(x: pixel.x, y: pixel.y) }
                context.line(x: pixel.x, y: pixel.y)
            }
        }
        context.stroke()
    }

    // MARK: Curtains

    /// A corner of a track in the picture.
    private struct Corner {
        let depth: Double
        let foot: Pixel
        let head: Pixel
    }

    /// Corners of a track whose feet lie on a straight line, so that the area below them is one outline.
    private struct Panel {
        let depth: Double
        let track: Int
        let corners: ArraySlice<Corner>
    }

    /// The areas between tracks and ground with the tracks on top, from far to near.
    func curtains(on context: borrowing Context) {
        var panels: [Panel] = []
        for (number, track) in scene.tracks.enumerated() {
            for segment in track.segments {
                let corners = seen(segment)
                guard !corners.isEmpty else { continue }
                var first = 0
                repeat {
                    let last = lastOnLine(from: first, corners)
                    let depth = corners[first].depth + corners[last].depth
                    panels.append(Panel(depth: depth, track: number, corners: corners[first...last]))
                    first = last
                } while first < corners.count - 1
            }
        }
        // A stable order, so that equal scenes give equal pictures.
        let order = panels.indices.sorted {
            let (one, other) = (panels[$0].depth, panels[$1].depth)
            return one != other ? one > other : $0 < $1
        }
        for index in order { draw(panels[index], on: context) }
    }

    /// The corners of a segment that can be told apart in the picture. Narrow panels would show their edges.
    private func seen(_ segment: [Scene.Vertex]) -> [Corner] {
        var kept: [Corner] = []
        for (index, vertex) in segment.enumerated() {
            let corner = Corner(
                depth: scene.projection.depth(vertex.place), foot: scene.projection.pixel(vertex.place),
                head: scene.projection.pixel(vertex.place, height: vertex.height))
            if let last = kept.last, index < segment.count - 1, Self.isWithin(Self.panelWidth, last.foot, corner.foot),
                Self.isWithin(Self.panelWidth, last.head, corner.head)
            {
                continue
            }
            kept.append(corner)
        }
        return kept
    }

    private static func isWithin(_ distance: Double, _ one: Pixel, _ other: Pixel) -> Bool {
        let (x, y) = (other.x - one.x, other.y - one.y)
        return x * x + y * y < distance * distance
    }

    /// The last corner of the panel that begins with one. To draw an outline costs more than the corners in it.
    private func lastOnLine(from first: Int, _ corners: [Corner]) -> Int {
        var last = min(first + 1, corners.count - 1)
        while last + 1 < corners.count, last - first < Self.cornerLimit, isLine(corners[first...(last + 1)]) {
            last += 1
        }
        return last
    }

    /// Whether the feet of corners lie on a line that is short enough to be sorted by its depth.
    private func isLine(_ corners: ArraySlice<Corner>) -> Bool {
        guard let from = corners.first?.foot, let to = corners.last?.foot else { return false }
        let (x, y) = (to.x - from.x, to.y - from.y)
        let length = (x * x + y * y).squareRoot()
        guard length > 0, length <= Self.panelLimit else { return false }
        var passed = 0.0
        for corner in corners {
            let (ownX, ownY) = (corner.foot.x - from.x, corner.foot.y - from.y)
            let along = (ownX * x + ownY * y) / length
            guard abs(ownX * y - ownY * x) <= Self.lineTolerance * length, along >= passed else { return false }
            passed = along
        }
        return true
    }

    private func draw(_ panel: Panel, on context: borrowing Context) {
        guard let from = panel.corners.first, let to = panel.corners.last else { return }
        let color = palette.track(panel.track)
        if !isFlat {
            // As if light came from the left.
            let run = hypot(to.foot.x - from.foot.x, to.foot.y - from.foot.y)
            let light = run > 0 ? 0.72 + 0.28 * abs(to.foot.x - from.foot.x) / run : 0.86
            context.setSource(color.shaded(light), alpha: Self.curtainAlpha)
            context.move(x: to.foot.x, y: to.foot.y)
            context.line(x: from.foot.x, y: from.foot.y)
            for corner in panel.corners { context.line(x: corner.head.x, y: corner.head.y) }
            context.closePath()
            context.fill()
        }
        context.setSource(color)
        context.setLine(width: Self.lineWidth, cap: .round, join: .round)
        context.move(x: from.head.x, y: from.head.y)
        // A single corner is a dot: a line to itself.
        for corner in panel.corners.count > 1 ? panel.corners.dropFirst() : panel.corners {
            context.line(x: corner.head.x, y: corner.head.y)
        }
        context.stroke()
    }

    // MARK: Hours and posts

    private struct Label {
        let depth: Double
        let foot: Pixel
        let head: Pixel
        let text: String?
        let color: Color
        let radius: Double
    }

    /// Full hours and posts with their labels; a label that would cover one nearer is left out.
    func posts(on context: borrowing Context) {
        var labels: [Label] = []
        for mark in scene.hours {
            let text = (mark.hour < 10 ? "0" : "") + "\(mark.hour):00"
            labels.append(label(mark.vertex.place, mark.vertex.height, text, palette.track(mark.track), radius: 2.5))
        }
        for post in scene.posts {
            labels.append(
                label(
                    post.post.place, post.height, post.post.label, palette.ink,
                    radius: post.post.kind == .photo ? 5 : 3.5))
        }
        let order = labels.indices.sorted { (-labels[$0].depth, $0) < (-labels[$1].depth, $1) }
        for index in order { drawPost(labels[index], on: context) }
        var taken: [(x: Double, y: Double, width: Double, height: Double)] = []
        for index in order.reversed() {
            let label = labels[index]
            guard let text = label.text, !text.isEmpty else { continue }
            let size = context.size(of: text, Self.letters)
            let box = (
                x: label.head.x - size.width / 2 - 2, y: label.head.y - label.radius - size.height - 4,
                width: size.width + 4, height: size.height + 2
            )
            let isFree = taken.allSatisfy {
                box.x + box.width < $0.x || $0.x + $0.width < box.x || box.y + box.height < $0.y
                    || $0.y + $0.height < box.y
            }
            guard isFree else { continue }
            taken.append(box)
            let (x, y) = (box.x + 2, box.y + 1 + size.baseline)
            context.addOutlines(of: text, Self.letters, x: x, y: y)
            context.setSource(palette.halo, alpha: 0.85)
            context.setLine(width: 3, join: .round)
            context.stroke()
            context.setSource(palette.ink)
            context.show(text, Self.letters, x: x, y: y)
        }
    }

    private func label(_ place: WorldPoint, _ height: Double, _ text: String?, _ color: Color, radius: Double) -> Label
    {
        Label(
            depth: scene.projection.depth(place), foot: scene.projection.pixel(place),
            head: scene.projection.pixel(place, height: height), text: text, color: color, radius: radius)
    }

    private func drawPost(_ label: Label, on context: borrowing Context) {
        context.setSource(palette.ink, alpha: 0.7)
        context.setLine(width: 1)
        context.move(x: label.foot.x, y: label.foot.y)
        context.line(x: label.head.x, y: label.head.y)
        context.stroke()
        context.circle(x: label.head.x, y: label.head.y, radius: label.radius)
        context.setSource(palette.halo)
        context.fill()
        context.circle(x: label.head.x, y: label.head.y, radius: label.radius)
        context.setSource(label.color)
        context.setLine(width: 1.5)
        context.stroke()
    }

    /// An arrow to the north on the ground, in the upper right corner.
    func north(on context: borrowing Context) {
        let matrix = scene.projection.groundMatrix(from: scene.projection.centre)
        let unit = 18 / max(hypot(matrix.xy, matrix.yy), hypot(matrix.xx, matrix.yx))
        let (x, y) = (Double(scene.view.width) - 34, 34.0)
        // North is against the map's y.
        func pixel(_ east: Double, _ north: Double) -> Pixel {
            Pixel(
                x: x + (matrix.xx * east - matrix.xy * north) * unit,
                y: y + (matrix.yx * east - matrix.yy * north) * unit)
        }
        let corners = [pixel(0, 1), pixel(0.55, -0.8), pixel(0, -0.45), pixel(-0.55, -0.8)]
        for (index, corner) in corners.enumerated() {
            if index == 0 { context.move(x: corner.x, y: corner.y) } else { context.line(x: corner.x, y: corner.y) }
        }
        context.closePath()
        context.setSource(palette.ink, alpha: 0.75)
        context.fill()
        let size = context.size(of: "N", Self.letters)
        let place = pixel(0, 1.75)
        context.show("N", Self.letters, x: place.x - size.width / 2, y: place.y - size.height / 2 + size.baseline)
    }
}
