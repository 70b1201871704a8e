import Foundation

/// Joins the pieces of roads with the same name: archives cut them at crossings and at the edges of tiles, and a piece
/// alone is too short for a name.
struct RoadChains {
    private struct Key: Hashable {
        let x: Int
        let y: Int

        /// Ends of pieces in neighbouring tiles are a fraction of a pixel apart.
        init(_ point: MapPoint) { (x, y) = (Int((point.x * 2).rounded()), Int((point.y * 2).rounded())) }
    }

    /// A road does not turn more than this at a crossing, in radians.
    private static let sharpest = Double.pi / 3

    private var pieces: [[MapPoint]]
    private var isUsed: [Bool]
    private var ends: [Key: [Int]] = [:]

    /// The pieces joined to lines that are as long as possible.
    static func joined(_ pieces: [[MapPoint]]) -> [[MapPoint]] {
        var chains = RoadChains(pieces)
        return chains.pieces.indices.compactMap { chains.chain(from: $0) }
    }

    private init(_ pieces: [[MapPoint]]) {
        self.pieces = pieces
        isUsed = Array(repeating: false, count: pieces.count)
        for (index, piece) in pieces.enumerated() {
            guard let first = piece.first, let last = piece.last else { continue }
            ends[Key(first), default: []].append(index)
            ends[Key(last), default: []].append(index)
        }
    }

    private mutating func chain(from index: Int) -> [MapPoint]? {
        guard !isUsed[index] else { return nil }
        isUsed[index] = true
        var line = pieces[index]
        extend(&line)
        line.reverse()
        extend(&line)
        line.reverse()
        return line
    }

    /// Goes on at the end of a line with the piece that turns least.
    private mutating func extend(_ line: inout [MapPoint]) {
        while line.count > 1 {
            let (last, before) = (line[line.count - 1], line[line.count - 2])
            let direction = before.angle(to: last)
            var best: (turn: Double, index: Int, piece: [MapPoint])?
            for index in ends[Key(last)] ?? [] where !isUsed[index] {
                var piece = pieces[index]
                if Key(piece[0]) != Key(last) { piece.reverse() }
                let turn = abs((piece[0].angle(to: piece[1]) - direction).remainder(dividingBy: 2 * .pi))
                if turn < best?.turn ?? Self.sharpest { best = (turn, index, piece) }
            }
            guard let best else { return }
            isUsed[best.index] = true
            line += best.piece.dropFirst()
        }
    }
}
