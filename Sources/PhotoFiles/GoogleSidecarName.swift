import Foundation

/// The names that Google Takeout gives to the sidecars of photos.
///
/// Sources: the matching rules and tests of immich-go (`adapters/googlePhotos`), GooglePhotosTakeoutHelper and ente
/// (pull request 4956).
public enum GoogleSidecarName {
    /// Since 2024 this is between the name of the photo and `.json`, cut so that the whole has a limited length.
    private static let supplement = ".supplemental-metadata"
    /// The number of UTF-16 units before `.json` (and before the number of a duplicate, in brackets).
    private static let unitLimit = 46
    /// What Google Photos appends to the name of an edited photo, in the languages of its users, in lower case.
    private static let editedWords = [
        "edited", "effects", "smile", "mix", "collage", "animation", "bearbeitet", "modifié", "modificato", "bewerkt",
        "editado", "editada", "ha editado", "editat", "ha editat", "edytowane", "edytowany", "redigeret", "redigerad",
        "redigert", "muokattu", "upravené", "upraveno", "szerkesztett", "düzenlendi", "отредактировано",
        "відредаговано", "редактирано", "επεξεργασμένο", "編集済み", "编辑", "已修改", "已編輯", "편집됨", "編輯",
        "diedit", "đã chỉnh sửa", "แก้ไขแล้ว",
    ].map(\.precomposedStringWithCanonicalMapping)
    private static let stills = ["jpg", "jpeg", "heic", "heif", "png", "webp", "dng"]
    private static let movies: Set<String> = ["mov", "mp4", "mp", "m4v"]

    /// The sidecar of a photo among the names of JSON files in its folder; nil if there is none.
    ///
    /// The best of several: that of the photo itself, then that of the photo of which it is an edited version, then that
    /// of the still of a Live Photo.
    public static func sidecar(of photo: String, among names: [String: String]) -> String? {
        candidates(photo).lazy.compactMap { names[$0] }.first
    }

    /// A name as it is compared: letter case and the composition of accents do not matter.
    public static func key(_ name: String) -> String { name.precomposedStringWithCanonicalMapping.lowercased() }

    /// The keys of possible names, the best first.
    private static func candidates(_ photo: String) -> [String] {
        let name = key(photo)
        let own = keys(ofNamed: name)
        let (stem, ext, number) = parts(name)
        let original = withoutEdited(stem)
        let edited = original.map { number.isEmpty ? keys(ofNamed: $0 + ext) : keys(of: $0 + ext, number) } ?? []
        // The still of a Live Photo; an edited version may also have another format than the photo.
        var still: [String] = []
        if original != nil || movies.contains(String(ext.dropFirst())) {
            let base = original ?? stem
            for ext in stills { still += keys(of: "\(base).\(ext)", number) + keys(of: "\(name).\(ext)", "") }
        }
        // The second copy of a photo with a long name has no sidecar of its own.
        let duplicate = number.isEmpty ? [] : cut(stem + ext).map { $0 + ".json" }
        return own + edited + still + duplicate
    }

    private static func keys(ofNamed name: String) -> [String] {
        let (stem, ext, number) = parts(name)
        let withNumber = number.isEmpty ? [] : keys(of: stem + ext, number)
        // A photo may have been uploaded without an extension.
        return keys(of: name, "") + withNumber + keys(of: stem, number)
    }

    /// The names for a photo without the number of a duplicate, and the number, which is before `.json`.
    private static func keys(of photo: String, _ number: String) -> [String] {
        let full = photo + supplement
        let supplemented = supplement.indices.reversed().map { index in
            photo + supplement[...index]
        }
        return ([photo] + supplemented + cut(full) + cut(photo)).map { "\($0)\(number).json" }
    }

    /// A name that is too long, as it is cut; empty if it is not too long.
    private static func cut(_ name: String) -> [String] {
        let units = Array(name.utf16.prefix(unitLimit + 1))
        guard units.count > unitLimit else { return [] }
        let ofUnits = String(decoding: units.dropLast(), as: UTF16.self).filter { $0 != "\u{FFFD}" }
        return [ofUnits, String(String.UnicodeScalarView(name.unicodeScalars.prefix(unitLimit)))]
    }

    /// The name without extension and number, the extension with its point, and the number of a duplicate: `(1)`.
    private static func parts(_ name: String) -> (stem: String, ext: String, number: String) {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        var stem = String(name[..<dot])
        guard stem.hasSuffix(")"), let open = stem.lastIndex(of: "("), open > stem.startIndex else {
            return (stem, String(name[dot...]), "")
        }
        let digits = stem[stem.index(after: open)...].dropLast()
        guard !digits.isEmpty, digits.count <= 6, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return (stem, String(name[dot...]), "")
        }
        let number = String(stem[open...])
        stem.removeSubrange(open...)
        return (stem, String(name[dot...]), number)
    }

    /// The name of the photo that was edited; nil if the name is not that of an edited one.
    private static func withoutEdited(_ stem: String) -> String? {
        guard let dash = stem.lastIndex(of: "-"), dash > stem.startIndex else { return nil }
        let word = stem[stem.index(after: dash)...]
        // A long name is cut within the word.
        let isCut = stem.utf16.count >= unitLimit
        let isEdited = editedWords.contains { $0 == word || isCut && !word.isEmpty && $0.hasPrefix(word) }
        return isEdited ? String(stem[..<dash]) : nil
    }
}
