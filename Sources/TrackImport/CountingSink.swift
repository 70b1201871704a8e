public import Tracks

/// A sink that counts points and recordings without storing them, for a dry run.
///
/// It has no library, so it finds no duplicates.
public final class CountingSink: RecordingSink {
    private struct Counted {
        var walk: OutlierDetector
        var walked: [CleanedPoint] = []
        var outcome = RecordingOutcome()

        mutating func takeMarks() {
            for point in walked {
                if let mark = point.mark { outcome.marked[mark, default: 0] += 1 }
            }
            walked.removeAll(keepingCapacity: true)
        }
    }

    private let gap: GapRule
    private let cleaning: CleaningRule
    private var underWay: [Int: Counted] = [:]
    private var next = 0

    /// Creates a sink that applies these rules for gaps and outliers.
    public init(gap: GapRule = .standard, cleaning: CleaningRule = .standard) {
        self.gap = gap
        self.cleaning = cleaning
    }

    /// Begins a recording.
    public func open() -> OpenRecording {
        next += 1
        underWay[next] = Counted(walk: OutlierDetector(gap: gap, kind: .unmeasuredFile, cleaning: cleaning))
        return OpenRecording(number: next)
    }

    /// Counts points.
    public func append(_ chunk: PointChunk, to recording: OpenRecording) {
        guard var counted = underWay.removeValue(forKey: recording.number) else { return }
        counted.walk.walk(chunk, into: &counted.walked)
        counted.takeMarks()
        counted.outcome.points += chunk.count
        counted.outcome.untimed += chunk.times.count { $0 == PointChunk.untimed }
        underWay[recording.number] = counted
    }

    /// Ends a recording.
    public func close(_ recording: OpenRecording, header: RecordingHeader) -> RecordingOutcome {
        guard var counted = underWay.removeValue(forKey: recording.number), counted.outcome.points > 0 else {
            return RecordingOutcome()
        }
        counted.walk.finish(into: &counted.walked)
        counted.takeMarks()
        counted.outcome.newTracks = 1
        return counted.outcome
    }

    /// Discards a recording.
    public func abandon(_ recording: OpenRecording) {
        underWay[recording.number] = nil
    }
}
