import Testing
import Text

private func written(_ value: JSONValue, escapes: JSONEscapes = []) -> String {
    var json = JSONWriter(escapes: escapes)
    json.add(value)
    return json.text
}

private func value(_ text: String) throws -> JSONValue { try JSONReader.value(Array(text.utf8)) }

@Suite struct JSONTests {
    @Test(arguments: [
        "{}", "[]", "{\"a\":[1,-2.50,{\"b\":null}],\"c\":\"\"}", "[true,false,\"é\\\"\\\\\"]", "0.0000001",
        "123456789012345678",
    ])
    func `A text without blanks is written as it was read`(text: String) throws {
        #expect(written(try value(text)) == text)
    }

    @Test(arguments: 1...17)
    func `Blocks of any size give the same value`(size: Int) throws {
        let text =
            #"{"names":["a\u00e9\ud83d\ude00b",-1.5e3,"\n"],"n":[12345678901,NaN,null,true],"é":{"deep":[[[0]]]}}"#
        let bytes = Array(text.utf8)
        var at = 0
        var reader = JSONReader {
            let block = Array(bytes[at..<min(at + size, bytes.count)])
            at += block.count
            return block
        }
        var whole = JSONReader(bytes)
        #expect(written(try reader.value()) == written(try whole.value()))
        #expect(try reader.peekText() == nil)
    }

    @Test(arguments: [
        "[01]", "[+1]", "[.5]", "[1.]", "[1e]", "[NaN]", "[1] 2", "", "[1", "nul", "{a:1}", "{1.0:2}", "[\"a\nb\"]",
    ])
    func `Exactly one valid value is read`(text: String) {
        #expect(throws: JSONError.self) { try value(text) }
    }

    @Test(arguments: 1...8)
    func `Numbers may be names where much is accepted`(size: Int) throws {
        let bytes = Array("{ 1.0:380.0, 22:[1] }".utf8)
        var at = 0
        var reader = JSONReader {
            let block = Array(bytes[at..<min(at + size, bytes.count)])
            at += block.count
            return block
        }
        #expect(written(try reader.value()) == "{\"1.0\":380.0,\"22\":[1]}")
        var other = JSONReader(Array("{a:1}".utf8))
        #expect(throws: JSONError.self) { try other.value() }
    }

    @Test func `A comma after the last element is ignored`() throws {
        #expect(written(try value("[1,]")) == "[1]")
        #expect(written(try value("{\"a\":1,}")) == "{\"a\":1}")
        #expect(throws: JSONError.self) { try value("[,]") }
    }

    @Test(arguments: ["1e-30", "-0", "0.123456789012345678901", "1e999"])
    func `A number that would lose something keeps its spelling`(text: String) throws {
        guard case .none(let spelling) = try value(text) else {
            Issue.record("\(text) became a number")
            return
        }
        #expect(spelling == text)
    }

    @Test func `An error has the line`() {
        #expect(throws: JSONError.syntax("a comma or a closing brace is missing", line: 3)) {
            try value("{\n\"a\": 1,\n\"b\": 2 \"c\": 3}")
        }
        let deep = String(repeating: "[", count: 100)
        #expect(throws: JSONError.tooDeep(limit: JSONReader.depthLimit, line: 1)) { try value(deep) }
    }

    @Test(arguments: 0..<16)
    func `Every character is escaped as the options say and is read back`(flags: Int) throws {
        let escapes = JSONEscapes(rawValue: UInt8(flags))
        for number in Array(0..<0x100) + [0x2027, 0x2028, 0x2029, 0x202A, 0xE000, 0x1F600] {
            guard let scalar = Unicode.Scalar(UInt32(number)) else { continue }
            let text = "é" + String(Character(scalar)) + "\u{2028}b"
            let json = written(.text(text), escapes: escapes)
            let middle = expectedEscape(scalar, escapes)
            let separator = escapes.contains(.lineSeparators) ? "\\u2028" : "\u{2028}"
            #expect(Array(json.utf8) == Array("\"é\(middle)\(separator)b\"".utf8))
            guard case .text(let back) = try value(json) else {
                Issue.record("no string")
                return
            }
            #expect(back.unicodeScalars.elementsEqual(text.unicodeScalars))
        }
    }

    private func expectedEscape(_ scalar: Unicode.Scalar, _ escapes: JSONEscapes) -> String {
        switch scalar {
        case "\"", "\\": return "\\" + String(Character(scalar))
        case "\n" where escapes.contains(.lineFeed): return "\\n"
        case "\t" where escapes.contains(.tabAndReturn): return "\\t"
        case "\r" where escapes.contains(.tabAndReturn): return "\\r"
        case "\u{0}"..."\u{1F}": break
        case "\u{7F}" where escapes.contains(.delete): break
        case "\u{2028}" where escapes.contains(.lineSeparators), "\u{2029}" where escapes.contains(.lineSeparators):
            break
        default: return String(Character(scalar))
        }
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    @Test(arguments: 0...80)
    func `A limited text begins like the whole`(limit: Int) throws {
        let value = try value(#"{"a":["é\u1f600long text, and more",-1.5,{}],"b":null,"c":[true,"x","y","z"]}"#)
        var limited = JSONWriter()
        limited.add(value, limit: limit)
        #expect(limited.bytes.prefix(limit) == Array(written(value).utf8).prefix(limit))
    }

    @Test func `An object has commas between its members only`() {
        var object = JSONObject()
        object.add("a", "{")
        object.add("b", number: 1.0)
        object.add("c", number: .nan)
        object.add("d", counts: [("y", 1), ("x", 2)])
        object.add("e", objects: [JSONObject(), JSONObject()])
        object.add("f", numbers: [0.5, 1e20])
        object.add("g", nil as String?)
        #expect(
            object.text
                == #"{"a":"{","b":1,"c":null,"d":{"x":2,"y":1},"e":[{},{}],"f":[0.5,1e+20],"g":null}"#)
    }
}
