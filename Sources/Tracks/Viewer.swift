/// The user on whose behalf data is read. Every read of tracks and tiles takes a viewer, so that permissions are
/// checked in one place.
public enum Viewer: Hashable, Sendable {
    /// The library's owner, who may see everything.
    case owner
}

/// Who may see a layer or a track; for all others it does not exist.
public enum Audience: Hashable, Sendable {
    /// Only the owner.
    case owner

    /// Whether the viewer belongs to the audience.
    public func admits(_ viewer: Viewer) -> Bool {
        switch (self, viewer) {
        case (.owner, .owner): true
        }
    }
}
