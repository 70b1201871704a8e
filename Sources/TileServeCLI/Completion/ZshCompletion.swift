import Manual

/// The completions for zsh.
enum ZshCompletion {
    static func text(_ list: CommandList) -> String {
        let groups = list.groups.map { group in
            """
                    \(group))
                        if (( CURRENT == 3 )); then
                            local -a words=(
            \(described(list.secondWords(of: group)))
                            )
                            _describe -t commands '\(group) command' words
                            return
                        fi
                        command="$command $words[3]"
                        shift=2
                        ;;
            """
        }
        let commands = list.commands.map { command in
            let rows = command.options.map { "            \(quoted(specification(of: $0)))" } + operands(of: command)
            return
                "        \(quoted(command.name)))\n            arguments=(\n\(rows.joined(separator: "\n"))\n            )\n            ;;"
        }
        let topics = Manual.pages.map(\.topic).joined(separator: " ")
        return """
            #compdef tileserve
            # Completions of tileserve for zsh, made from its table of commands by 'tileserve completions zsh'.

            _tileserve() {
                local command=$words[2] shift=1
                local -a arguments first=(
            \(described(list.firstWords))
                )
                if (( CURRENT == 2 )); then
                    _describe -t commands 'command' first
                    _arguments '--help[shows help]' '--version[shows the version]'
                    return
                fi
                case $command in
                    help)
                        _describe -t commands 'command' first
                        compadd -- \(topics)
                        return
                        ;;
            \(groups.joined(separator: "\n"))
                esac
                case $command in
            \(commands.joined(separator: "\n"))
                    *) return 1 ;;
                esac
                # The words of the command become one.
                words=("$command" "${(@)words[shift+2,-1]}")
                (( CURRENT -= shift ))
                _arguments -S $arguments
            }

            if [[ $funcstack[1] == _tileserve ]]; then
                _tileserve "$@"
            else
                compdef _tileserve tileserve
            fi

            """
    }

    /// Words with descriptions, as `_describe` reads them.
    private static func described(_ words: [(word: String, about: String)]) -> String {
        words.map { "            \(quoted("\($0.word):\($0.about.replacing(":", with: "\\:"))"))" }.joined(
            separator: "\n")
    }

    /// An option, as `_arguments` reads it; every option may be given several times.
    private static func specification(of option: Option) -> String {
        let about = option.text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        let head = "*\(option.flag)[\(about)]"
        guard let value = option.completedValue, let placeholder = option.value else { return head }
        let message = placeholder.filter { $0.isLetter || $0.isNumber || " ,=-|".contains($0) }
        return "\(head):\(message):\(action(for: value))"
    }

    private static func operands(of command: DescribedCommand) -> [String] {
        guard command.completedOperand != .nothing else { return [] }
        return ["            \(quoted("*:operand:\(action(for: command.completedOperand))"))"]
    }

    private static func action(for value: CompletedValue) -> String {
        switch value {
        case .nothing: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files: "_files"
        case .folders: "_files -/"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
