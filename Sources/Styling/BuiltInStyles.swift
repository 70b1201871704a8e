internal import CStyles

extension Style {
    /// The built-in styles: the files of the folder `Styles`, which are compiled into the program.
    public static let builtIn: [Style] = {
        let files = unsafe UnsafeBufferPointer(start: styles_bytes(), count: styles_length())
        return unsafe files.split(separator: 0).map { text in
            do throws(StyleError) {
                return unsafe try StyleReader.style(file: "built-in", text: Array(text))
            } catch {
                preconditionFailure("\(error.problems)")
            }
        }
    }()
}
