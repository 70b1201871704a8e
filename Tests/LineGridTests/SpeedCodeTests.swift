import LineGrid
import Testing

@Suite("Speeds as bytes")
struct SpeedCodeTests {
    @Test("every code except 0 decodes to a speed that encodes to the same code")
    func codesComeBack() {
        #expect(SpeedCode.metresPerSecond(0) == nil)
        for code in UInt8(1)...255 {
            let speed = SpeedCode.metresPerSecond(code)
            #expect(speed.map { SpeedCode.code(metresPerSecond: $0) } == code)
        }
    }

    @Test("a speed is decoded within 2 per cent; slower speeds become the slowest one, invalid speeds unknown")
    func speedsComeBack() {
        for speed in [0.1, 0.5, 1.4, 5, 13.9, 36, 250, 350] {
            let back = SpeedCode.metresPerSecond(SpeedCode.code(metresPerSecond: speed)) ?? 0
            #expect(abs(back - speed) <= 0.02 * speed)
        }
        #expect(SpeedCode.code(metresPerSecond: 0) == 1)
        #expect(SpeedCode.code(metresPerSecond: -1) == 0)
        #expect(SpeedCode.code(metresPerSecond: .nan) == 0)
        #expect(SpeedCode.code(metresPerSecond: .infinity) == 0)
        #expect(SpeedCode.code(metresPerSecond: 1e9) == 255)
    }
}
