import Testing
import Text

@Suite struct TextLinesTests {
    @Test func `words are divided into two lines of about the same length`() {
        func lines(_ text: String) -> [String]? { text.inTwoLines().map { [$0.0, $0.1] } }
        #expect(lines("Over the Bridge") == ["Over the", "Bridge"])
        #expect(lines("a  bb\tccc") == ["a bb", "ccc"])
        #expect(lines("San Francisco") == ["San", "Francisco"])
        #expect(lines("Zürich") == nil && lines(" \n") == nil)
    }
}
