# Completion of oxiconv for bash. The program prints the candidates.

_oxiconv() {
    local line=${COMP_LINE:0:COMP_POINT} blank word head value rest i n=0
    local -a words=()
    # Join the words that bash splits at characters such as = and :, and cut the last one at the cursor.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        blank=${line%%[![:space:]]*}
        line=${line#"$blank"}
        ((i < COMP_CWORD)) || word=$line
        line=${line#"$word"}
        if ((n > 0)) && [[ -z $blank ]]; then
            words[n - 1]+=$word
        else
            words[n++]=$word
        fi
    done
    word=${words[n - 1]}
    # Only what follows the last of these characters is replaced.
    head=${word%"${word##*[$COMP_WORDBREAKS]}"}
    COMPREPLY=()
    while IFS=$'\t' read -r value rest; do
        case $value in
            ::files) _oxiconv_paths default -f && return ;;
            ::directories) _oxiconv_paths dirnames -d && return ;;
            *) COMPREPLY+=("${value#"$head"}") ;;
        esac
    done < <(oxiconv --complete "${words[@]:1}" 2>/dev/null)
    compopt -o nosort 2>/dev/null
}

# Completes a path: bash itself does so if the path is all that is replaced.
_oxiconv_paths() {
    [[ $rest == "$head" ]] && compopt -o "$1" 2>/dev/null && return
    local IFS=$'\n'
    COMPREPLY=($(compgen "$2" -P "${rest#"$head"}" -- "${word#"$rest"}"))
}

complete -F _oxiconv oxiconv
