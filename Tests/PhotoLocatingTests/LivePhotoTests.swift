import Testing
import TileMath

@testable import PhotoLocating

/// Files that are one photo.
struct LivePhotoTests {
    private static let shown: Int64 = 1_751_715_000_000

    private func file(
        _ path: String, _ shown: Int64? = shown, _ meaning: ClockReading.Meaning = .offset(seconds: -14_400),
        id: String? = nil, seconds: Double? = 3
    ) -> LivePhotos.File {
        var metadata = PhotoMetadata()
        if let shown { metadata.readings = [ClockReading(shown: shown, meaning: meaning, field: "test")] }
        metadata.contentIdentifier = id
        let isMovie = [".MOV", ".mp4", ".MP"].contains { path.hasSuffix($0) }
        if isMovie { metadata.durationSeconds = seconds }
        return LivePhotos.File(path: path, metadata: metadata, isMovie: isMovie)
    }

    /// The names of each group, in every order of the files.
    private func groups(_ files: [LivePhotos.File]) -> [[String]] {
        func named(_ files: [LivePhotos.File]) -> [[String]] {
            LivePhotos.groups(files).map { $0.map { files[$0].path } }.sorted { $0[0] < $1[0] }
        }
        let found = named(files)
        for start in files.indices {
            let rotated = Array(files[start...] + files[..<start])
            #expect(named(rotated) == found && named(rotated.reversed()) == found)
        }
        return found
    }

    @Test("A still and a movie with the same identifier are one photo, whatever their names, times and durations")
    func identifiers() {
        #expect(
            groups([
                file("d/IMG_1.HEIC", id: "A"), file("d/other.MOV", 0, .utc, id: "A", seconds: 60),
                file("d/IMG_1.MOV", id: "B"),
            ]) == [["d/IMG_1.HEIC", "d/other.MOV"]])
        // Copies in albums belong together in each folder.
        #expect(
            groups([
                file("a/1.HEIC", id: "A"), file("a/1.MOV", id: "A"), file("b/1.HEIC", id: "A"),
                file("b/1.MOV", id: "A"),
            ]) == [["a/1.HEIC", "a/1.MOV"], ["b/1.HEIC", "b/1.MOV"]])
    }

    @Test("Without an identifier, the same name in the same folder and the same time make one photo")
    func names() {
        let still = file("d/IMG_0001.JPG")
        func isOne(_ movie: LivePhotos.File) -> Bool { groups([still, movie]) == [["d/IMG_0001.JPG", movie.path]] }
        #expect(isOne(file("d/IMG_0001.MOV", Self.shown + 1000, id: "A")))
        #expect(isOne(file("d/img_0001.mp4", Self.shown + 14_400_000, .utc)))
        #expect(isOne(file("d/IMG_0001.MOV", Self.shown + 2000, .local)))
        #expect(isOne(file("d/IMG_0001.MOV", nil)))
        #expect(isOne(file("d/IMG_0001.MOV", seconds: nil)))
        #expect(!isOne(file("e/IMG_0001.MOV")))
        #expect(!isOne(file("d/IMG_0002.MOV")))
        #expect(!isOne(file("d/IMG_0001.MOV", Self.shown + 60_000)))
        #expect(!isOne(file("d/IMG_0001.MOV", Self.shown + 14_460_000, .utc)))
        #expect(!isOne(file("d/IMG_0001.MOV", seconds: 20)))
        #expect(!isOne(file("d/IMG_0001.MOV", nil, seconds: nil)))
        #expect(groups([file("PXL_1.MP.jpg"), file("PXL_1.MP")]) == [["PXL_1.MP.jpg", "PXL_1.MP"]])
    }

    @Test("The edited version of a photo is shown, and the movies of both are parts of it")
    func edited() {
        #expect(
            groups([
                file("IMG_0001.HEIC"), file("IMG_0001.MOV"), file("IMG_E0001.HEIC"), file("IMG_E0001.MOV"),
                file("IMG_0002.HEIC"), file("IMG_E0002.HEIC", Self.shown + 86_400_000),
            ]) == [["IMG_E0001.HEIC", "IMG_0001.HEIC", "IMG_E0001.MOV", "IMG_0001.MOV"]])
        #expect(groups([file("IMG_0001.HEIC"), file("IMG_E0001.MOV")]) == [["IMG_0001.HEIC", "IMG_E0001.MOV"]])
        #expect(groups([file("IMG_E001.HEIC"), file("IMG_001.HEIC")]) == [])
    }

    @Test("The small picture that a camera writes beside a video is a part of the video")
    func thumbnails() {
        #expect(groups([file("MVI_1.THM"), file("MVI_1.MOV", seconds: 600)]) == [["MVI_1.MOV", "MVI_1.THM"]])
    }

    @Test("The still keeps its time and place, and has from the movie what it lacks: also the zone")
    func merged() throws {
        let place = try #require(GeoPoint(longitude: -73.95, latitude: 40.7243))
        var movie = file("a.MOV", Self.shown + 1000)
        movie.metadata.stamp.place = place
        movie.metadata.size = PixelSize(width: 9, height: 9)
        let still = file("a.JPG", Self.shown + 250, .local)
        var merged = LivePhotos.merged(still, with: [movie])
        #expect(PhotoLocator.reading(merged)?.shown == Self.shown + 250)
        #expect(PhotoLocator.reading(merged)?.meaning == .offset(seconds: -14_400))
        #expect(merged.stamp.place == place && merged.size == nil)
        movie = file("a.MOV", Self.shown + 14_401_000, .utc)
        merged = LivePhotos.merged(still, with: [movie])
        #expect(PhotoLocator.reading(merged)?.meaning == .offset(seconds: -14_400))
        merged = LivePhotos.merged(file("a.JPG", nil), with: [movie])
        #expect(merged.readings == movie.metadata.readings)
    }
}
