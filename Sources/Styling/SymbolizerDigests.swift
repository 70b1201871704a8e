import Colors
import Digest

// The parts of a symbolizer that can change a picture, for its digest.

extension Ramp {
    func update(_ digester: inout Digester) {
        digester.update(blend.rawValue)
        digester.update(stops.count)
        for stop in stops {
            digester.update(stop.at.bitPattern)
            digester.update(stop.color.description)
        }
    }
}

extension ZoomNumbers {
    func update(_ digester: inout Digester) {
        digester.update(stops.count)
        for stop in stops {
            digester.update(stop.zoom)
            digester.update(stop.value.bitPattern)
        }
    }
}

extension Casing? {
    func update(_ digester: inout Digester) {
        digester.update(self == nil ? 0 : 1)
        guard let self else { return }
        digester.update(self.color.description)
        self.width.update(&digester)
    }
}

extension LineSymbolizer.Coloring {
    func update(_ digester: inout Digester) {
        switch self {
        case .fixed(let color, let dense):
            digester.update("fixed")
            digester.update(color.description)
            // Added only if set, so that the digests of styles without it, and their ETags, stay as they were.
            if let dense {
                digester.update("dense")
                digester.update(dense.description)
            }
        case .activity(let colors):
            digester.update("activity")
            digester.update(colors.count)
            for (name, color) in colors.sorted(by: { $0.key < $1.key }) {
                digester.update(name)
                digester.update(color.description)
            }
        case .age(let ramp):
            digester.update("age")
            ramp.update(&digester)
        case .speed(let ramp, let limits):
            digester.update("speed")
            limits.update(&digester)
            ramp.update(&digester)
        case .elevation(let ramp, let limits):
            digester.update("elevation")
            limits.update(&digester)
            ramp.update(&digester)
        case .direction(let ramp):
            digester.update("direction")
            ramp.update(&digester)
        }
    }
}

extension ClosedRange<Double> {
    fileprivate func update(_ digester: inout Digester) {
        digester.update(lowerBound.bitPattern)
        digester.update(upperBound.bitPattern)
    }
}
