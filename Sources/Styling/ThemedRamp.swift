import Colors

extension NamedRamp {
    /// The ramp for a background: its colours move away from the lightness of the background as values grow.
    ///
    /// It is the ramp itself if that is made for such a background. Otherwise the hues run in the other direction if
    /// they have to, and the lightness is spread evenly over the range that can be seen on the background.
    public func ramp(for theme: Theme) -> Ramp {
        switch (scheme, background, theme) {
        case (.cyclic, _, _), (.sequential, .light, .light), (.sequential, .dark, .dark), (.sequential, .any, .dark):
            ramp
        case (.diverging, _, .light): ramp
        case (.diverging, _, .dark): Ramp(blend: ramp.blend, stops: ramp.stops.map { Self.onDark($0) })
        case (.sequential, _, _): ramp.reversed(lightness: Self.lightness(on: theme))
        }
    }

    /// The lightness (in Oklab) of the lowest and of the highest value of derived ramps.
    private static func lightness(on theme: Theme) -> (lowest: Double, highest: Double) {
        switch theme {
        case .light: (0.68, 0.24)
        case .dark: (0.46, 0.95)
        }
    }

    /// A stop of a diverging ramp for dark backgrounds: its ends are lighter than its middle.
    private static func onDark(_ stop: Ramp.Stop) -> Ramp.Stop {
        let (middle, end) = (0.5, 0.78)
        let lightness = middle + (end - middle) * abs(stop.at - 0.5) * 2
        return Ramp.Stop(at: stop.at, color: stop.color.with(lightness: lightness))
    }
}

extension Ramp {
    /// How many stops a derived ramp has.
    private static let derivedStops = 17

    /// The colours in reverse, with a lightness in Oklab that changes evenly.
    func reversed(lightness: (lowest: Double, highest: Double)) -> Ramp {
        let last = Self.derivedStops - 1
        return Ramp(
            blend: blend,
            stops: (0...last).map { place in
                let share = Double(place) / Double(last)
                let wanted = lightness.lowest + (lightness.highest - lightness.lowest) * share
                return Stop(at: share, color: color(at: 1 - share).with(lightness: wanted))
            })
    }
}

extension Color {
    /// The same hue and alpha with another lightness in Oklab; less colourful if sRGB has no such colour.
    func with(lightness: Double) -> Color {
        let own = oklab
        func light(_ share: Double) -> LinearLight {
            LinearLight(Oklab(lightness: lightness, a: own.a * share, b: own.b * share))
        }
        // Bisection between grey, which is in sRGB, and the full colourfulness.
        var (low, high) = (0.0, 1.0)
        if light(1).isInSRGB { low = 1 }
        while high - low > 1e-4 {
            let middle = (low + high) / 2
            if light(middle).isInSRGB { low = middle } else { high = middle }
        }
        return light(low).color(alpha: Double(alpha) / 255)
    }
}

extension LinearLight {
    fileprivate var isInSRGB: Bool {
        // Rounding errors of the conversion are smaller than a step of a channel.
        [red, green, blue].allSatisfy { (-1e-5...1 + 1e-5).contains($0) }
    }
}
