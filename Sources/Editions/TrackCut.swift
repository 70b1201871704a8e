internal import Digest
public import TrackQuery
public import Tracks

/// The visible part of one track, while its chunks are read.
///
/// The properties that conditions test are those of the visible part where they depend on points: a length would tell how long
/// the hidden part is, if only by whether the track is published.
public struct TrackCut: Sendable {
    private var cutter: PointCutter
    private var ruler = StepRuler()
    private var last: (longitude: Int32, latitude: Int32)?
    private var checksum = Checksum64()
    /// The number of visible points.
    public private(set) var points = 0
    private var start: Int64?
    private var end: Int64?
    private var metres = 0.0

    /// The cut of a track by a cutter of its own.
    public init(_ cutter: PointCutter) {
        self.cutter = cutter
    }

    /// The visible points of the next chunk; nil if there are none.
    public mutating func add(_ chunk: PointColumns) -> PointColumns? {
        guard let visible = cutter.cut(chunk) else { return nil }
        measure(visible)
        summarise(visible)
        return visible
    }

    private mutating func measure(_ visible: PointColumns) {
        points += visible.count
        for time in visible.times where time != PointColumns.untimed {
            start = min(start ?? time, time)
            end = max(end ?? time, time)
        }
        let converter = E7Converter(unit: visible.unit)
        var starts = visible.segmentStarts[...]
        for index in 0..<visible.count {
            let longitude = converter.e7(visible.longitudes[index])
            let latitude = converter.e7(visible.latitudes[index])
            if starts.first == index {
                starts.removeFirst()
            } else if let last {
                metres += ruler.metres(last.longitude, last.latitude, longitude, latitude)
            }
            last = (longitude, latitude)
        }
    }

    private mutating func summarise(_ visible: PointColumns) {
        switch visible.unit {
        case .decimal(let places): checksum.update(UInt64(places))
        case .semicircles: checksum.update(UInt64.max)
        }
        checksum.update(UInt64(visible.count))
        for column in [visible.longitudes, visible.latitudes, visible.times] {
            for value in column { checksum.update(UInt64(bitPattern: value)) }
        }
        checksum.update(UInt64(visible.segmentStarts.count))
        for start in visible.segmentStarts { checksum.update(UInt64(start)) }
        for field in visible.fields {
            checksum.update(Array(field.name.utf8).span)
            switch field.values {
            case .numbers(let places, let numbers):
                checksum.update(UInt64(places))
                for number in numbers { checksum.update(UInt64(bitPattern: number)) }
            case .texts(let texts):
                for text in texts { checksum.update(Array((text ?? "\0").utf8).span) }
            }
        }
    }

    /// A number that changes with the visible points, by which an edition finds out whether anything of it has changed.
    public var fingerprint: UInt64 { checksum.value }

    /// What conditions test: of the whole track, but for what its visible points give.
    public func facts(_ whole: TrackFacts) -> TrackFacts {
        var facts = whole
        facts.metres = metres
        facts.start = start
        facts.seconds = start.flatMap { start in end.map { Double($0 - start) / 1000 } } ?? 0
        return facts
    }
}
