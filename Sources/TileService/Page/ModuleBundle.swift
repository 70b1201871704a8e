import Foundation

/// Joins the JavaScript modules of the page that are always loaded together, so that the page takes few requests.
///
/// A module has a file of its own if the page names it, if it is loaded only when it is needed, or if several files
/// need it. All others are part of the one file that needs them. Each module is evaluated once, as without bundles.
package struct ModuleBundle {
    private let modules: [String: PageModule]
    /// For each module the name of the file that contains it: that of one of its modules.
    private var homes: [String: String] = [:]
    /// For each file its modules, each after those that it imports.
    private var members: [String: [String]] = [:]

    /// Joins `sources`, the texts of modules by name, for a page that names the module `entry`.
    package init(_ sources: [String: String], entry: String) throws(ModuleBundleError) {
        var modules: [String: PageModule] = [:]
        for (name, text) in sources { modules[name] = try PageModule(name: name, text: text) }
        self.modules = modules
        let roots = Set(modules.values.flatMap(\.lazyImports) + [entry])
        if let missing = roots.filter({ modules[$0] == nil }).min() { throw .noSuchModule(missing) }

        let sorted = try Self.sorted(modules)
        // The files that need a module, known when all modules that import it have their file.
        var needing: [String: Set<String>] = [:]
        for name in sorted.reversed() {
            let files = needing[name] ?? []
            if roots.contains(name), files.contains(entry) { throw .isAlwaysLoaded(name) }
            let only = files.contains(entry) ? entry : files.count == 1 ? files.first : nil
            let home = roots.contains(name) ? name : only ?? name
            homes[name] = home
            for use in modules[name]?.imports ?? [] { needing[use.module, default: []].insert(home) }
        }
        for name in sorted { members[homes[name] ?? name, default: []].append(name) }
    }

    /// The names of the files.
    package var files: [String] { members.keys.sorted() }

    /// The text of a file, which exports what its own module exports; nil if there is none of this name.
    package func text(of file: String) -> String? {
        guard let members = members[file], let own = modules[file] else { return nil }
        var needed: [String: Set<String>] = [:]
        for use in members.flatMap({ modules[$0]?.imports ?? [] }) {
            guard let home = homes[use.module], home != file else { continue }
            needed[home, default: []].insert(PageModule.identifier(of: use.module))
        }
        let imports = needed.sorted { $0.key < $1.key }.map { home, names in
            "import { \(names.sorted().joined(separator: ", ")) } from './\(home)';\n"
        }
        let exports = members.map(PageModule.identifier).joined(separator: ", ")
        let names = own.exports.map(\.name).joined(separator: ", ")
        return imports.joined() + members.compactMap { modules[$0]?.joined }.joined()
            + "export { \(exports) };\n"
            + (names.isEmpty ? "" : "export const { \(names) } = \(PageModule.identifier(of: file));\n")
    }

    /// The modules, each after those that it imports; the same each time.
    private static func sorted(_ modules: [String: PageModule]) throws(ModuleBundleError) -> [String] {
        var sorted: [String] = []
        var isDone: [String: Bool] = [:]
        func visit(_ name: String) throws(ModuleBundleError) {
            if let isDone = isDone[name] {
                // A function of a module is called before its values are used: circles cannot be joined.
                guard isDone else { throw .circle(name) }
                return
            }
            guard let module = modules[name] else { throw .noSuchModule(name) }
            isDone[name] = false
            for use in module.imports {
                try visit(use.module)
                let exported = modules[use.module]?.exports.map(\.name) ?? []
                if let missing = use.names.first(where: { !exported.contains($0) }) {
                    throw .noSuchExport(missing, use.module)
                }
            }
            isDone[name] = true
            sorted.append(name)
        }
        for name in modules.keys.sorted() { try visit(name) }
        return sorted
    }
}
