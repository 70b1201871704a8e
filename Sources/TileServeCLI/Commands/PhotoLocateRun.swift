import Files
import PhotoFiles
import PhotoLocating
import PhotoMatching
import Text
import Tracks

extension PhotoLocateCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        let zones = selection.zones(terminal)
        var code = ExitCode.done
        let photos = try selection.read(context) { _, line in
            terminal.report(line)
            code = .incomplete
        }
        let number = try selection.personNumber(person, library)
        guard let results = try selection.locate(photos, person: number, zones: zones, library, context) else {
            return .incomplete
        }
        try terminal.out(LocatedFile.text(results, as: output))
        if !results.contains(where: { $0.photo.best?.estimate != nil }) { code = .incomplete }
        guard writesSidecars else { return code }
        for result in results where !context.stop.isRequested {
            if let refusal = try writeSidecar(result) {
                terminal.report(refusal)
                code = .incomplete
            }
        }
        return code
    }

    // MARK: Sidecars

    /// Writes the sidecar of a photo that has a place; returns why it did not.
    private func writeSidecar(_ result: LocatedFile) throws -> String? {
        guard let best = result.photo.best, let estimate = best.estimate else { return nil }
        let path = PhotoSidecar.path(of: result.path)
        let isForeign =
            FileStatus.ifExists(of: path) != nil
            && !(PhotoSelection.sidecar(of: result.path).map(PhotoSidecar.isOwn) ?? false)
        if isForeign, !replacesSidecars {
            return
                "\(FileName.shown(path)): another program wrote this sidecar, so it was kept; add '--replace' to replace it"
        }
        let bytes = PhotoSidecar.bytes(
            place: estimate.place, radiusMetres: estimate.radiusMetres, instant: best.instant,
            zoneAhead: best.zoneAhead)
        do {
            try AtomicFile.write(bytes, to: path, access: .shared)
            return isForeign ? "\(FileName.shown(path)): replaced the sidecar of another program" : nil
        } catch {
            return Failure(error, command: "tileserve \(Self.name)").line
        }
    }
}
