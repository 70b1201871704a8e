/// What the operands of a command name, and the exit code of a command that works on it.
struct NamedItems<Item> {
    /// Each item once, although it may have several names, in the order of the operands.
    private(set) var found: [Item] = []
    /// `noInput` if no operand names anything, `incomplete` if some do not: as for the files of an import.
    let code: ExitCode

    /// Finds what `names` stand for, and reports each name of nothing with the message `noSuch`.
    init(
        _ names: [String], id: (Item) -> some Hashable, _ terminal: Terminal, noSuch: (String) -> String,
        find: (String) throws -> Item?
    ) throws {
        var isMissing = false
        var ids: Set<AnyHashable> = []
        var seen: Set<String> = []
        for name in names where seen.insert(name).inserted {
            if let item = try find(name) {
                if ids.insert(AnyHashable(id(item))).inserted { found.append(item) }
            } else {
                terminal.report(noSuch(name))
                isMissing = true
            }
        }
        code = !isMissing ? .done : found.isEmpty ? .noInput : .incomplete
    }

    /// As the other initializer, for things of a kind that has a command `list`.
    init(
        _ names: [String], _ kind: String, id: (Item) -> some Hashable, _ terminal: Terminal,
        find: (String) throws -> Item?
    ) throws {
        try self.init(
            names, id: id, terminal, noSuch: { TextTable.noSuch(kind, $0) }, find: find)
    }
}
