import Foundation
import Replay
import TestSupport
import Testing
import TileMath

/// All events of a replay, or those after a cursor.
func events(
    _ query: ReplayQuery, _ library: SyntheticLibrary, after id: String? = nil
) throws -> [ReplayEvent] {
    let cursor = try id.map { try #require(ReplayCursor($0)) }
    var sequence = try ReplaySequence(query, source: library, after: cursor)
    var events: [ReplayEvent] = []
    while let event = try sequence.next() { events.append(event) }
    return events
}

/// Some of many indices, different ones each time; all if there are few.
func sample(_ count: Int, _ random: inout SeededRandom) -> [Int] {
    let most = 15
    guard count > most else { return Array(0..<count) }
    return Array(stride(from: random.below(count / most), to: count, by: count / most))
}

extension ReplayEvent {
    var text: String { String(decoding: data, as: UTF8.self) }
    /// With its name, as a reader receives it.
    var line: String { "\(name.rawValue) \(text)" }
    /// With its name and id.
    var whole: String { "\(id) \(line)" }

    func value(_ key: String) -> Any? {
        (try? JSONSerialization.jsonObject(with: Data(data)) as? [String: Any])?[key]
    }

    func number(_ key: String) -> Int64? { (value(key) as? NSNumber)?.int64Value }
    var trackID: String? { value("track") as? String }
    var isQ1: Bool { number("q") == 1 }
    var degrees: [Double] { (value("p") as? [NSNumber])?.map(\.doubleValue) ?? [] }
}

extension ReplayQuery {
    static let everything = Scope.window(from: nil, to: nil, layer: ReplayQuery.everyTrack)

    static func steady(_ speedThousandths: Int, fps: Int = 10) throws -> Pace {
        .steady(try #require(FrameRate(speedThousandths: speedThousandths, framesPerSecond: fps)))
    }

    /// Queries of all kinds for a random library.
    static func varied(seed: Int) throws -> [ReplayQuery] {
        var random = SeededRandom(seed: seed + 77)
        let day: Int64 = 86_400_000
        var from = SyntheticLibrary.noon + Int64(random.below(3)) * day + Int64(random.below(10_000))
        if random.once(in: 3) { from = SyntheticLibrary.noon }
        let to = from + day * Int64(1 + random.below(5))
        let scopes = [
            everything, .window(from: from, to: to, layer: "all"), .window(from: from, to: nil, layer: "all"),
            .track(id: "t\(1 + random.below(3))"),
        ]
        let paces = [Pace.max, try steady(1_200_000), try steady(3_600_000, fps: 7)]
        return scopes.flatMap { scope in
            paces.flatMap { pace in
                [false, true].map { isTogether in
                    ReplayQuery(
                        scope, pace: pace, gaps: random.once(in: 2) ? .skip : .hold,
                        seek: random.once(in: 2) ? from + Int64(random.below(100_000_000)) : nil,
                        isTogether: isTogether,
                        tiles: random.once(in: 2) ? ZoomLevel(8 + random.below(15)) : nil)
                }
            }
        }
    }
}
