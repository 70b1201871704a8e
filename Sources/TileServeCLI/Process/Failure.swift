import Database
import EditionService
import Files
import LibraryBackup
import Links
import MicroHTTPD
import PlaceService
import PrimaryStore
import RecordingStore
import Styling
import TileArchive
import Tokens
import TrackStore

/// Why a command failed: one line and an exit code. All errors are converted here.
struct Failure: Error, Equatable {
    /// The message: *where: what; what to do*.
    var line: String
    var code: ExitCode

    /// A failure detected by the command itself.
    init(_ code: ExitCode, _ line: String) {
        self.line = line
        self.code = code
    }

    /// Converts any error; `command` is the command as typed (`tileserve import`).
    init(_ error: any Error, command: String) {
        switch error {
        case let failure as Failure: self = failure
        case let fault as UsageError: self.init(.usage, "\(command): \(fault.sentence(command: command))")
        case let error as ListenError: self.init(Self.code(of: error), error.description)
        case let error as FileError: self.init(file: error)
        case let error as LibraryError: self.init(library: error)
        case let refusal as FirstRefusal: self.init(.badData, "\(command): \(refusal.description)")
        case let error as MigrationError: self.init(error.code, error.description)
        case let error as BackupError: self.init(error.code, error.description)
        case let error as LayerError: self.init(.usage, error.description)
        case let error as EditionError: self.init(.usage, error.description)
        case let error as LinkSubjectError: self.init(.noInput, error.description)
        case let error as RecordListError: self.init(.badData, error.description)
        case let error as LinkError: self.init(.badData, error.description)
        // A bare error of a database comes from data that can be rebuilt; errors of the library are a `LibraryError`.
        case let error as StoreError: self.init(database: error, path: command)
        case let error as TokenError: self.init(error.code, error.description)
        case SelectionError.noSuchLayer(let name):
            self.init(.noInput, "layer '\(name.singleLine)': no such layer; 'all' contains every track")
        case SelectionError.noSuchPerson(let name):
            self.init(.noInput, "person '\(name.singleLine)': no track belongs to this person")
        case let error as AddressServiceError: self.init(.unavailable, "\(command): \(error)")
        case let error as ArchiveError: self.init(error.isInUse ? .incomplete : .badData, error.description)
        case let error as StyleError: self.init(.badData, "\(error)")
        default: self.init(.software, "\(command): internal error (\(error)); please report it")
        }
        line = line.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private init(file error: FileError) {
        let advice =
            if error.isMissing {
                "check the path"
            } else if error.isPermissionDenied {
                "check its permissions"
            } else if error.isDiskError {
                "free disk space, or check the disk"
            } else {
                "check the disk"
            }
        self.init(error.isMissing ? .noInput : .disk, "\(error.description); \(advice)")
    }

    private init(library error: LibraryError) {
        switch error {
        case .file(let error): self.init(file: error)
        case .missing, .tracksMissing: self.init(.noInput, error.description)
        case .readOnly: self.init(.disk, error.description)
        case .newerVersion, .olderVersion, .incomplete, .notALibrary, .damaged, .gridDamaged:
            self.init(.badData, error.description)
        case .database(let path, let error): self.init(database: error, path: path)
        }
    }

    private init(database error: StoreError, path: String) {
        self.init(
            error.kind == .damaged ? .badData : .disk,
            "\(path): \(error.message) (\(error.code)); \(error.advice)"
        )
    }

    private static func code(of error: ListenError) -> ExitCode {
        switch error {
        case .noSuchHost: .usage
        case .portInUse, .notAllowed, .system, .notInherited, .notStarted: .unavailable
        }
    }
}

extension MigrationError {
    fileprivate var code: ExitCode {
        switch self {
        case .sameLibrary, .targetNotEmpty: .usage
        case .targetInUse, .sourceInUse, .recordedNotMoved, .stopped: .incomplete
        case .damaged, .different: .badData
        }
    }
}

extension BackupError {
    fileprivate var code: ExitCode {
        switch self {
        case .exists, .folderNotEmpty: .usage
        case .inUse: .incomplete
        case .notABackup, .newerFormat, .damaged: .badData
        }
    }
}

extension TokenError {
    fileprivate var code: ExitCode {
        switch self {
        case .damaged: .badData
        case .nameTaken: .usage
        }
    }
}
