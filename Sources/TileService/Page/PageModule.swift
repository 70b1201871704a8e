import Foundation

/// A JavaScript module of the page: what it imports and exports, and the code between.
///
/// Understands how our own modules are written: imports and exports begin a line, imports name files beside the module
/// in single quotes, and declarations are exported where they are.
struct PageModule {
    /// A module that is imported.
    struct Import: Hashable {
        /// The file name.
        let module: String
        /// What is declared for it: a name, or a pattern of names in braces; empty if it is only exported again.
        let pattern: String
        /// The exported names that are used; none if all may be.
        let names: [String]
    }

    /// The file name.
    let name: String
    private(set) var imports: [Import] = []
    /// The names of modules that are loaded when the code needs them.
    let lazyImports: [String]
    /// Exported names, each with the expression for its value.
    private(set) var exports: [(name: String, value: String)] = []
    /// The code without imports and without the word `export`.
    private(set) var body = ""

    init(name: String, text: String) throws(ModuleBundleError) {
        self.name = name
        lazyImports = Self.lazyImports(in: text)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var index = 0
        while index < lines.count {
            var line = lines[index]
            index += 1
            if line.hasPrefix("import ") || line.hasPrefix("export {") {
                // The list of names may have several lines.
                var statement = String(line)
                while !statement.hasSuffix(";"), index < lines.count {
                    statement += " " + lines[index]
                    index += 1
                }
                try add(statement)
                continue
            }
            if line.hasPrefix("export ") {
                line = line.dropFirst("export ".count)
                exports.append(try declaration(line))
            }
            body += line
            body += "\n"
        }
    }

    /// The name under which the modules of a bundle know the module.
    static func identifier(of name: String) -> String {
        "$" + String(name.prefix { $0 != "." }.map { $0 == "-" ? "_" : $0 })
    }

    /// The module as an expression: a function that is called at once, so that its own names stay its own.
    var joined: String {
        let declarations = imports.filter { !$0.pattern.isEmpty }
            .map { "const \($0.pattern) = \(Self.identifier(of: $0.module));\n" }.joined()
        let values = exports.map { $0.name == $0.value ? $0.name : "\($0.name): \($0.value)" }.joined(separator: ", ")
        return "const \(Self.identifier(of: name)) = (() => {\n\(declarations)\(body)return { \(values) };\n})();\n"
    }

    /// Reads an import, or names of another module that are exported again.
    private mutating func add(_ statement: String) throws(ModuleBundleError) {
        let parts = statement.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == ";", parts[1].hasPrefix("./"), parts[1].hasSuffix(".js"),
            let from = parts[0].range(of: " from ", options: .backwards), from.upperBound == parts[0].endIndex
        else { throw .unsupported(statement, name) }
        let module = String(parts[1].dropFirst(2))
        let isExport = parts[0].hasPrefix("export ")
        let list = parts[0][..<from.lowerBound].dropFirst(isExport ? "export ".count : "import ".count)
            .trimmingCharacters(in: .whitespaces)
        if list.hasPrefix("* as "), !isExport {
            imports.append(Import(module: module, pattern: String(list.dropFirst("* as ".count)), names: []))
            return
        }
        guard list.hasPrefix("{"), list.hasSuffix("}") else { throw .unsupported(statement, name) }
        let names = list.dropFirst().dropLast().split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        guard isExport else {
            // `a as b` of an import is `a: b` of a pattern.
            let pattern = names.map { $0.replacing(" as ", with: ": ") }.joined(separator: ", ")
            let exported = names.map { String($0.prefix { $0 != " " }) }
            imports.append(Import(module: module, pattern: "{ \(pattern) }", names: exported))
            return
        }
        guard names.allSatisfy({ !$0.contains(" ") }) else { throw .unsupported(statement, name) }
        imports.append(Import(module: module, pattern: "", names: names))
        exports += names.map { ($0, "\(Self.identifier(of: module)).\($0)") }
    }

    /// The name that a line declares.
    private func declaration(_ line: Substring) throws(ModuleBundleError) -> (name: String, value: String) {
        for keyword in ["const ", "function ", "async function ", "class "] where line.hasPrefix(keyword) {
            let declared = line.dropFirst(keyword.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if !declared.isEmpty { return (String(declared), String(declared)) }
        }
        // A variable could change after the function of the module has returned its value.
        throw .unsupported(String(line), name)
    }

    /// The modules that the code names in `import('./NAME')`, which loads them when it needs them.
    private static func lazyImports(in text: String) -> [String] {
        let call = Array("import('./".utf8)
        let bytes = Array(text.utf8)
        var names: [String] = []
        var index = 0
        while let first = bytes[index...].firstIndex(of: call[0]) {
            index = first + 1
            guard bytes[first...].starts(with: call) else { continue }
            let name = bytes[(first + call.count)...].prefix { $0 != UInt8(ascii: "'") }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names
    }
}
