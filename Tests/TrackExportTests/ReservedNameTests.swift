import Testing
import Tracks

@testable import TrackExport
@testable import TrackImport

@Suite struct ReservedNameTests {
    /// All words that importers of tables and properties interpret.
    private static let words: [String] = {
        let times = CSVTimeName.dates.union(CSVTimeName.timesOfDay).union(CSVTimeName.elapsed)
        return Set(CSVRole.aliases.keys).union(times).union(companions).sorted()
    }()

    /// Names of columns that change the meaning of others.
    private static let companions = CSVColumns.latitudeHemispheres.union(CSVColumns.longitudeHemispheres)
        .union(CSVColumns.offsets)

    @Test func `A field with a name that importers interpret is exported under a name that means itself`() {
        #expect(Self.words.count > 300)
        for word in Self.words {
            for name in [word, word.uppercased(), word.prefix(1).uppercased() + word.dropFirst()] {
                let label = FieldNameEncoding.label(name)
                let isText = name == FieldName.address || name == FieldName.pointName
                #expect(CSVColumns.roles(of: [label]) == [.field(name, isText: isText)], "\(name)")
                #expect(CSVTimeName(label) == nil, "\(name)")
                #expect(!Self.companions.contains(FieldVocabulary.normalised(label)), "\(name)")
            }
        }
    }
}
