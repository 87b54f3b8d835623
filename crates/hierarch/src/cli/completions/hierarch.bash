# Completes hierarch in bash: the program is asked for commands, flags, nodes, keys, levels, environments and revisions.
_hierarch() {
    local IFS=$'\013'
    # bash cuts words at ':' and '=', and keys are full of them: what no blank parts is put together again.
    local rest=${COMP_LINE:0:COMP_POINT} piece blanks i
    local -a words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        blanks=${rest%%[![:blank:]]*}
        rest=${rest#"$blanks"}
        piece=${COMP_WORDS[i]}
        ((i < COMP_CWORD)) || piece=$rest
        rest=${rest#"$piece"}
        if ((i == 0)) || [[ -n $blanks ]]; then
            words+=("$piece")
        else
            words[${#words[@]} - 1]+=$piece
        fi
    done
    local last=$((${#words[@]} - 1))
    local current=${words[last]} cut= quote= breaks=
    case $current in
    [\'\"]*)
        quote=yes
        words[last]=${current:1}
        ;;
    *)
        # bash replaces only what stands behind the last cut.
        [[ $COMP_WORDBREAKS != *:* ]] || breaks+=:
        [[ $COMP_WORDBREAKS != *=* ]] || breaks+='='
        [[ -z $breaks || $current != *[$breaks]* ]] || cut=${current%"${current##*[$breaks]}"}
        words[last]=${current//\\/}
        ;;
    esac
    COMPREPLY=($(COMPLETE=bash _CLAP_IFS=$IFS _CLAP_COMPLETE_INDEX=$last "HIERARCH" -- "${words[@]}" 2>/dev/null))
    for i in "${!COMPREPLY[@]}"; do
        piece=${COMPREPLY[i]}
        [[ -n $quote ]] || printf -v piece %q "$piece"
        COMPREPLY[i]=${piece#"$cut"}
    done
    if [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *[=/:] ]]; then
        compopt +o nospace 2>/dev/null || true
    fi
}
complete -o nospace -o bashdefault -o nosort -F _hierarch hierarch 2>/dev/null ||
    complete -o nospace -o bashdefault -F _hierarch hierarch
