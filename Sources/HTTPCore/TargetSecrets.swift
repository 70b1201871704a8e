/// Where apps put a token in a URL.
extension RequestTarget {
    /// Parameters that carry a token: our own, those of Dawarich's and Reitti's apps, and in the URL of OpenGTS, to
    /// which its apps add nothing else that their user can choose, the account.
    var secretParameters: [String] {
        path.suffix(Self.openGTSPath.count).elementsEqual(Self.openGTSPath)
            ? Self.everywhere + ["acct"] : Self.everywhere
    }

    private static let everywhere = [secretParameter, "api_key", "token"]
    private static let openGTSPath = Array("/gprmc/Data".utf8)

    /// The segment of the path that is a token, as indices of `bytes`; nil if there is none.
    ///
    /// PhoneTrack's app calls `/index.php/apps/phonetrack/logPost/TOKEN/DEVICE`, other apps
    /// `/apps/phonetrack/log/APP/TOKEN/DEVICE`. A proxy may have put a prefix before it.
    var secretSegment: Range<Int>? {
        let segments = path.split(separator: Characters.slash, omittingEmptySubsequences: false)
        guard segments.count > 3,
            let start = segments.indices.dropLast().first(where: { index in
                segments[index].elementsEqual(Self.phoneTrack[0])
                    && segments[index + 1].elementsEqual(Self.phoneTrack[1])
            })
        else { return nil }
        let rest = segments[(start + 2)...]
        guard let first = rest.first, first.starts(with: "log".utf8) else { return nil }
        let index = rest.startIndex + (first.count == 3 ? 2 : 1)
        return index < rest.endIndex ? rest[index].indices : nil
    }

    private static let phoneTrack = ["apps", "phonetrack"].map { Array($0.utf8) }

    /// The path for logs, with `-` instead of a token.
    var redactedPath: String {
        guard let secret = secretSegment else { return String(decoding: path, as: UTF8.self) }
        let (before, after) = (bytes[path.startIndex..<secret.lowerBound], bytes[secret.upperBound..<path.endIndex])
        return String(decoding: before, as: UTF8.self) + "-" + String(decoding: after, as: UTF8.self)
    }
}
