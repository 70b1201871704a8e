public import PhotoLocating
public import TileMath
public import TrackStore
public import Tracks

/// Finds out when and where some photos were taken: learns the clocks of their cameras, and then locates each.
public struct PhotoMatcher {
    /// A photo, and what the user says about it.
    public struct Photo: Sendable {
        public var metadata: PhotoMetadata
        /// The place, as the user says.
        public var givenPlace: GeoPoint?

        public init(_ metadata: PhotoMetadata, givenPlace: GeoPoint? = nil) {
            self.metadata = metadata
            self.givenPlace = givenPlace
        }
    }

    private let locator: PhotoLocator
    /// Milliseconds that all clocks are ahead of UTC, as the user says.
    private let givenAhead: Int64?

    /// A matcher without tracks: only what the photos themselves say is known.
    public init(zone: DayCalendar, zones: PlaceZones, givenAhead: Int64? = nil) {
        self.givenAhead = givenAhead
        locator = PhotoLocator(libraryZone: zone, zone: { zones.calendar(at: $0) }, timelines: { _ in [] })
    }

    /// A matcher with the tracks of a library.
    public init(
        _ library: Library, _ timelines: LibraryTimelines, zones: PlaceZones, givenAhead: Int64? = nil
    ) throws {
        self.givenAhead = givenAhead
        locator = PhotoLocator(
            libraryZone: try library.calendar(), zone: { zones.calendar(at: $0) },
            timelines: { try timelines.timelines(in: $0) })
    }

    /// Locates each photo, in the same order. `progress` is called with the number of photos that are done.
    public func locate(_ photos: [Photo], progress: (Int) throws -> Void = { _ in }) throws -> [LocatedPhoto] {
        let anchors = try photos.map { photo in try self.anchors(of: photo) }
        var ofCameras: [CameraKey: [ClockAnchor]] = [:]
        for (photo, anchors) in zip(photos, anchors) {
            guard let camera = photo.metadata.camera else { continue }
            ofCameras[camera, default: []] += anchors
        }
        let clocks = ofCameras.compactMapValues { CameraClock($0) }
        var located: [LocatedPhoto] = []
        for (photo, anchors) in zip(photos, anchors) {
            // A photo that names no camera gives information only about itself.
            let clock = photo.metadata.camera.map { clocks[$0] } ?? CameraClock(anchors)
            var found = try locator.locate(
                PhotoLocator.Question(
                    photo.metadata, clock: clock, givenAhead: givenAhead, givenPlace: photo.givenPlace))
            if givenAhead == nil {
                let all = photo.metadata.camera.flatMap { ofCameras[$0] } ?? anchors
                found.unconfirmedAhead = anchors.first { !$0.isGiven && CameraClock.unusable(all).contains($0) }?.ahead
            }
            located.append(found)
            try progress(located.count)
        }
        return located
    }

    private func anchors(of photo: Photo) throws -> [ClockAnchor] {
        guard let reading = PhotoLocator.reading(photo.metadata), reading.meaning != .utc else { return [] }
        var anchors = [PhotoLocator.anchor(photo.metadata)].compactMap { $0 }
        if let place = photo.givenPlace, let anchor = try locator.anchor(shown: reading.shown, at: place) {
            anchors.append(anchor)
        }
        return anchors
    }
}
