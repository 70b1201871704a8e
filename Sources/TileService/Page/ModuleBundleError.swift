/// Why modules cannot be joined.
package enum ModuleBundleError: Error, Equatable {
    /// An import or export is written in a way that is not understood: the statement, and the module.
    case unsupported(String, String)
    /// A module imports another one that does not exist.
    case noSuchModule(String)
    /// A module imports a name that the other one does not export: the name, and the other module.
    case noSuchExport(String, String)
    /// A module imports itself, perhaps through others.
    case circle(String)
    /// A module is loaded when it is needed, but a module that is always loaded imports it, too.
    case isAlwaysLoaded(String)
}
