/// Who reads. Every read of tracks and tiles names one, so that rights have one place to be asked.
public enum Viewer: Hashable, Sendable {
    /// The library's owner, who may see everything.
    case owner
}

/// Who may see a layer or a track; to others it is as if it were not there.
public enum Audience: Hashable, Sendable {
    /// The owner alone.
    case owner

    /// Whether the viewer belongs to it.
    public func admits(_ viewer: Viewer) -> Bool {
        switch (self, viewer) {
        case (.owner, .owner): true
        }
    }
}
