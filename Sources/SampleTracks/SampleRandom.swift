import Digest

/// Random numbers with the same results on every machine: splitmix64 and plain arithmetic without the C library.
struct SampleRandom {
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// An independent generator for one purpose, so that draws for one purpose do not affect others.
    init(seed: UInt64, stream: UInt64) {
        var mixer = SampleRandom(seed: seed ^ (stream &* 0xD1B5_4A32_D192_ED03))
        generator = SplitMix64(seed: mixer.next())
    }

    mutating func next() -> UInt64 { generator.next() }

    /// A number in 0 ..< 1.
    mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    mutating func within(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// An integer in 0 ..< `count`.
    mutating func below(_ count: Int) -> Int {
        Int(((next() >> 32) &* UInt64(count)) >> 32)
    }

    mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// Approximately normal with mean 0 and standard deviation 1: the sum of four uniform numbers from one draw.
    mutating func noise() -> Double {
        let bits = next()
        let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
        return (Double(sum) * 0x1p-16 - 2) * 1.732
    }
}

/// An approximation of the sine of an angle in turns, accurate to 0.001: two parabolas, the same on every machine.
func approximateSine(_ turns: Double) -> Double {
    // Adding and subtracting 1.5 × 2^52 rounds to the nearest integer.
    let whole = (turns + 0x1.8p52) - 0x1.8p52
    let turn = turns - whole
    let parabola = 8 * turn - 16 * turn * abs(turn)
    return 0.225 * (parabola * abs(parabola) - parabola) + parabola
}
