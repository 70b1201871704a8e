/// A ZIP archive with stored files, as APPNOTE.TXT 6.3 describes it.
public func zip(_ members: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    for member in members {
        let name = Array(member.name.utf8)
        // Version 2.0, UTF-8 names, stored, 1980-01-01.
        let facts =
            little(20, 2) + little(0x800, 2) + little(0, 2) + little(0, 2) + little(0x21, 2)
            + little(crc32(member.bytes), 4)
            + little(member.bytes.count, 4) + little(member.bytes.count, 4) + little(name.count, 2) + little(0, 2)
        directory += little(0x0201_4B50, 4) + little(20, 2) + facts + little(0, 10) + little(bytes.count, 4) + name
        bytes += little(0x0403_4B50, 4) + facts + name + member.bytes
    }
    let end =
        little(0x0605_4B50, 4) + little(0, 4) + little(members.count, 2) + little(members.count, 2)
        + little(directory.count, 4) + little(bytes.count, 4) + little(0, 2)
    return bytes + directory + end
}

private func crc32(_ bytes: [UInt8]) -> Int {
    let table = (0..<256).map { start in
        (0..<8).reduce(UInt32(start)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
    return Int(~bytes.reduce(UInt32.max) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] })
}
