import CSodium

/// Argon2id hashes of passwords (RFC 9106), with their salt and parameters in one text.
public enum PasswordHash {
    /// The hash of a password with a new salt; nil if there is not enough memory.
    ///
    /// Takes about a tenth of a second and 64 MiB: whoever has stolen the hashes tries few passwords a second. These are
    /// libsodium's parameters for interactive use.
    public static func hash(_ password: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let bytes = Array(password.utf8)
        // Passed as arrays: they are pointers for the time of the call.
        let password = bytes.map { CChar(bitPattern: $0) }
        let status = unsafe crypto_pwhash_str(
            &text, password, UInt64(password.count), UInt64(crypto_pwhash_opslimit_interactive()),
            crypto_pwhash_memlimit_interactive())
        guard status == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a password has this hash; takes as long as making it.
    public static func isValid(_ password: String, for hash: String) -> Bool {
        let bytes = Array(password.utf8)
        // libsodium reads 128 bytes, up to the zero.
        let text = Array(hash.utf8).prefix(Int(crypto_pwhash_STRBYTES) - 1)
        var padded = text.map { CChar(bitPattern: $0) }
        padded += [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES) - padded.count)
        return unsafe crypto_pwhash_str_verify(padded, bytes.map { CChar(bitPattern: $0) }, UInt64(bytes.count)) == 0
    }
}
