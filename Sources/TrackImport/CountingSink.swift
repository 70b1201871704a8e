public import Tracks

/// A sink that counts points and recordings without storing them, for a dry run.
///
/// It has no library, so it finds no duplicates.
public final class CountingSink: RecordingSink {
    private struct Counted {
        var detector: OutlierDetector
        var cleaned: [CleanedPoint] = []
        var outcome = RecordingOutcome()

        mutating func countExclusions() {
            for point in cleaned {
                if let exclusion = point.exclusion { outcome.excluded[exclusion, default: 0] += 1 }
            }
            cleaned.removeAll(keepingCapacity: true)
        }
    }

    private let gap: GapRule
    private let cleaning: CleaningRule
    private var openRecordings: [Int: Counted] = [:]
    private var next = 0

    /// Creates a sink that applies these rules for gaps and outliers.
    public init(gap: GapRule = .standard, cleaning: CleaningRule = .standard) {
        self.gap = gap
        self.cleaning = cleaning
    }

    /// Begins a recording.
    public func open() -> OpenRecording {
        next += 1
        openRecordings[next] = Counted(detector: OutlierDetector(gap: gap, kind: .unmeasuredFile, cleaning: cleaning))
        return OpenRecording(number: next)
    }

    /// Counts points.
    public func append(_ chunk: PointChunk, to recording: OpenRecording) {
        guard var counted = openRecordings.removeValue(forKey: recording.number) else { return }
        counted.detector.add(chunk, into: &counted.cleaned)
        counted.countExclusions()
        counted.outcome.points += chunk.count
        counted.outcome.untimed += chunk.times.count { $0 == PointChunk.untimed }
        openRecordings[recording.number] = counted
    }

    /// Ends a recording.
    public func close(_ recording: OpenRecording, header: RecordingHeader) -> RecordingOutcome {
        guard var counted = openRecordings.removeValue(forKey: recording.number), counted.outcome.points > 0 else {
            return RecordingOutcome()
        }
        counted.detector.finish(into: &counted.cleaned)
        counted.countExclusions()
        counted.outcome.newTracks = 1
        return counted.outcome
    }

    /// Discards a recording.
    public func abandon(_ recording: OpenRecording) {
        openRecordings[recording.number] = nil
    }
}
