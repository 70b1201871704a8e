import BaseMap
import TileService
import VectorMap

/// A value of `serve --basemap`: a map of another server, or the name of an archive.
enum BaseMapChoice {
    case external(ExternalBaseMap)
    case archive(String)

    /// Parses `NAME=URL` or `NAME`; nil if it is neither.
    init?(_ text: String) {
        if let external = ExternalBaseMap(text) {
            self = .external(external)
        } else if !text.isEmpty, !text.contains("=") {
            self = .archive(text)
        } else {
            return nil
        }
    }
}

extension ServedArchive {
    /// The map with the streets of the archive that is called so, or of the first one that has any; without such an archive that
    /// of Natural Earth. `report` is told if the archive is damaged.
    static func baseMap(
        of archives: [ServedArchive], named name: String?, command: String,
        report: @escaping @Sendable (any Error) -> Void
    ) throws -> any MapBackground {
        guard let name else {
            return archives.lazy.compactMap { $0.map(report: report) }.first ?? BaseMap.embedded
        }
        guard let archive = archives.first(where: { $0.name == name }) else {
            throw Failure(.usage, "\(command): no --archive is called '\(name)'")
        }
        guard let map = archive.map(report: report) else {
            throw Failure(
                .usage,
                "\(command): the archive '\(name)' has no vector tiles in the schema of OpenMapTiles or Protomaps; "
                    + "its pictures can be chosen on the page")
        }
        return map
    }

    private func map(report: @escaping @Sendable (any Error) -> Void) -> VectorMap? {
        VectorMap(reader, stamp: stamp, report: report)
    }
}
