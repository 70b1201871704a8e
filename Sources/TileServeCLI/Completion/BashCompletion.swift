import Manual

/// The completions for bash 4 and later.
enum BashCompletion {
    static func text(_ list: CommandList) -> String {
        let first = list.firstWords.map(\.word).joined(separator: " ")
        let groups = list.groups.map { group in
            "        \(group)) echo \"\(list.secondWords(of: group).map(\.word).joined(separator: " "))\" ;;"
        }
        var options: [String] = []
        var values: [String] = []
        var operands: [String] = []
        for command in list.commands {
            options.append(
                "        '\(command.name)') echo \"\(command.options.map(\.flag).joined(separator: " "))\" ;;")
            for option in command.options {
                guard let value = option.completedValue else { continue }
                values.append("        '\(command.name) \(option.flag)') echo \"\(word(for: value))\" ;;")
            }
            operands.append("        '\(command.name)') echo \"\(word(for: command.completedOperand))\" ;;")
        }
        return """
            # Completions of tileserve for bash, made from its table of commands by 'tileserve completions bash'.

            _tileserve_group() {
                case $1 in
            \(groups.joined(separator: "\n"))
                esac
            }

            _tileserve_options() {
                case $1 in
            \(options.joined(separator: "\n"))
                esac
            }

            # What the value of an option is: @files, @folders, words, or nothing; a status of 1 if it takes no value.
            _tileserve_value() {
                case $1 in
            \(values.joined(separator: "\n"))
                    *) return 1 ;;
                esac
            }

            _tileserve_operand() {
                case $1 in
            \(operands.joined(separator: "\n"))
                esac
            }

            _tileserve_offer() {
                local line
                COMPREPLY=()
                case $1 in
                    @files|@folders)
                        compopt -o filenames 2>/dev/null
                        local kind=-f
                        [[ $1 == @folders ]] && kind=-d
                        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen $kind -- "$2")
                        ;;
                    *)
                        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$1" -- "$2")
                        ;;
                esac
            }

            _tileserve() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                # bash separates --option=value into three words.
                if [[ $current == "=" ]]; then
                    current=
                elif [[ $previous == "=" ]]; then
                    previous=${COMP_WORDS[COMP_CWORD-2]}
                fi
                local command=${COMP_WORDS[1]} group value
                if (( COMP_CWORD == 1 )); then
                    _tileserve_offer "\(first) --help --version" "$current"
                    return
                fi
                if [[ $command == help ]]; then
                    if (( COMP_CWORD == 2 )); then
                        _tileserve_offer "\(first) \(Manual.pages.map(\.topic).joined(separator: " "))" "$current"
                    else
                        _tileserve_offer "$(_tileserve_group "${COMP_WORDS[2]}")" "$current"
                    fi
                    return
                fi
                group=$(_tileserve_group "$command")
                if [[ -n $group ]]; then
                    if (( COMP_CWORD == 2 )); then
                        _tileserve_offer "$group --help" "$current"
                        return
                    fi
                    command="$command ${COMP_WORDS[2]}"
                fi
                if [[ $previous == --* ]] && value=$(_tileserve_value "$command $previous"); then
                    _tileserve_offer "$value" "$current"
                elif [[ $current == -* ]]; then
                    _tileserve_offer "$(_tileserve_options "$command")" "$current"
                else
                    _tileserve_offer "$(_tileserve_operand "$command")" "$current"
                fi
            }

            complete -F _tileserve tileserve

            """
    }

    private static func word(for value: CompletedValue) -> String {
        switch value {
        case .nothing: ""
        case .words(let words): words.joined(separator: " ")
        case .files: "@files"
        case .folders: "@folders"
        }
    }
}
