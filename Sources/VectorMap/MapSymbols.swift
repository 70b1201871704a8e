import Foundation

/// Areas in the order in which they are drawn.
enum AreaKind: UInt8, Sendable, CaseIterable {
    case farmland, residential, industrial, institution, park, grass, wood, sand, ice, wetland, cemetery, pitch
    case pedestrian, aeroway, water, pier, building

    /// The zoom level from which it is drawn. Smaller ones would be noise below heat.
    var firstZoom: Double {
        switch self {
        case .building: 13.5
        case .pitch, .pedestrian, .pier: 13
        case .institution: 12
        case .residential, .industrial, .cemetery, .aeroway: 9
        default: 0
        }
    }
}

/// Lines in the order in which they are drawn.
enum LineKind: UInt8, Sendable, CaseIterable {
    case river, stream, ferry, pier, tram, rail, path, service, minor, tertiary, secondary, primary, trunk, motorway
    case regionBoundary, countryBoundary

    /// Whether it has a casing: roads for cars.
    var isRoad: Bool { (LineKind.service.rawValue...LineKind.motorway.rawValue).contains(rawValue) }

    /// Widths at zoom levels, in pixels of a screen; between them they grow by equal factors, and beyond the last one by
    /// half as much again for each level. Before the first zoom level it is not drawn.
    private var widths: [(zoom: Double, width: Double)] {
        switch self {
        case .river: [(6, 0.5), (10, 1), (14, 2.2), (18, 7)]
        case .stream: [(12, 0.4), (14, 0.8), (18, 3)]
        case .ferry: [(8, 0.5), (14, 0.9), (18, 1.2)]
        case .pier: [(13, 1), (16, 3), (18, 6)]
        case .tram: [(14, 0.6), (16, 1), (18, 1.6)]
        case .rail: [(9, 0.5), (12, 0.8), (14, 1.2), (18, 2.4)]
        case .path: [(14, 0.4), (15, 0.7), (16, 1.1), (18, 2.4)]
        case .service: [(14, 0.5), (15, 1.2), (16, 2.4), (18, 7)]
        case .minor: [(12, 0.5), (13, 0.9), (14, 1.8), (15, 3), (16, 5.4), (18, 12)]
        case .tertiary: [(10, 0.4), (12, 1.1), (14, 2.6), (16, 7), (18, 14)]
        case .secondary: [(9, 0.5), (11, 1), (12, 1.6), (14, 3.4), (16, 8), (18, 16)]
        case .primary: [(7, 0.5), (10, 1.2), (12, 2.2), (14, 4.2), (16, 9), (18, 18)]
        case .trunk: [(6, 0.6), (8, 1), (10, 1.6), (12, 2.6), (14, 4.6), (16, 9.5), (18, 19)]
        case .motorway: [(6, 0.8), (8, 1.2), (10, 2), (12, 3), (14, 5), (16, 10), (18, 20)]
        case .regionBoundary: [(3, 0.6), (10, 0.9), (16, 1.2)]
        case .countryBoundary: [(0, 0.8), (6, 1), (12, 1.6), (18, 2)]
        }
    }

    /// The width in pixels of a screen; nil where it is not drawn.
    func width(zoom: Double) -> Double? {
        let widths = self.widths
        guard let first = widths.first, let last = widths.last, zoom >= first.zoom else { return nil }
        guard zoom < last.zoom else { return last.width * (isRoad ? pow(1.5, zoom - last.zoom) : 1) }
        let next = widths.firstIndex { $0.zoom > zoom } ?? widths.count - 1
        let (low, high) = (widths[next - 1], widths[next])
        let part = (zoom - low.zoom) / (high.zoom - low.zoom)
        return low.width * pow(high.width / low.width, part)
    }
}

/// A line and how it is drawn.
struct LineSymbol: Hashable, Sendable {
    /// Where a road is, from below to above.
    enum Level: UInt8, Sendable, CaseIterable { case tunnel, ground, bridge }

    var kind: LineKind
    var level = Level.ground
    /// A link of two roads is narrower than they are.
    var isLink = false
}

/// What a name stands at.
enum NameKind: UInt8, Sendable, Comparable {
    case country, region, city, town, village, suburb, neighbourhood, locality, water

    static func < (left: NameKind, right: NameKind) -> Bool { left.rawValue < right.rawValue }

    /// The zoom levels at which it is shown.
    var zooms: ClosedRange<Int> {
        switch self {
        case .country: 3...7
        case .region: 5...8
        case .city: 4...15
        case .town: 8...16
        case .village: 11...17
        case .suburb: 12...17
        case .neighbourhood: 14...18
        case .locality: 14...22
        case .water: 10...22
        }
    }
}
