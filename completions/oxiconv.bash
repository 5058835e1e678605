_oxiconv() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="oxiconv"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        oxiconv)
            opts="-f -t -e -c -o -i -O -r -j -q -s -v -l -h -V --from-code --from --to-code --to --errors --unmappable --replacement --fallback --bom --endian --check --explain --deny --format --max-reports --output --in-place --output-dir --force --if-invalid --verify --no-verify --no-sync --dry-run --recursive --include --exclude --files0-from --jobs --quiet --silent --verbose --stats --progress --color --list --generate --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --from)
                    COMPREPLY=($(compgen -W "auto UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-4 UCS-4LE UCS-4BE UTF-8-RFC2279 UTF-8-7BYTE UTF-8-8BYTE UTF-8-65BIT UTF-8-HUNK1 UTF-8-HUNK2 UTF-8-HUNK3 UTF-8-HUNK4 UTF-8-HUNK5 UTF-8-HUNK6 UTF-8-HUNK7 UTF-8-HUNK8 UTF-8-HUNK9 WTF-8 GENERALIZED-UTF-8 WTF-16LE WTF-16BE CESU-8 MUTF-8 US-ASCII ISO-8859-1 UTF-1 UTF-EBCDIC C99 JAVA XML HTML C-ESCAPES windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U IBM866 macintosh CP932 EUC-JP ISO-2022-JP GBK GB18030 BIG5 CP949 UTF-7 UTF-7-IMAP SCSU BOCU-1" -- "${cur}"))
                    return 0
                    ;;
                --from-code)
                    COMPREPLY=($(compgen -W "auto UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-4 UCS-4LE UCS-4BE UTF-8-RFC2279 UTF-8-7BYTE UTF-8-8BYTE UTF-8-65BIT UTF-8-HUNK1 UTF-8-HUNK2 UTF-8-HUNK3 UTF-8-HUNK4 UTF-8-HUNK5 UTF-8-HUNK6 UTF-8-HUNK7 UTF-8-HUNK8 UTF-8-HUNK9 WTF-8 GENERALIZED-UTF-8 WTF-16LE WTF-16BE CESU-8 MUTF-8 US-ASCII ISO-8859-1 UTF-1 UTF-EBCDIC C99 JAVA XML HTML C-ESCAPES windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U IBM866 macintosh CP932 EUC-JP ISO-2022-JP GBK GB18030 BIG5 CP949 UTF-7 UTF-7-IMAP SCSU BOCU-1" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-4 UCS-4LE UCS-4BE UTF-8-RFC2279 UTF-8-7BYTE UTF-8-8BYTE UTF-8-65BIT UTF-8-HUNK1 UTF-8-HUNK2 UTF-8-HUNK3 UTF-8-HUNK4 UTF-8-HUNK5 UTF-8-HUNK6 UTF-8-HUNK7 UTF-8-HUNK8 UTF-8-HUNK9 WTF-8 GENERALIZED-UTF-8 WTF-16LE WTF-16BE CESU-8 MUTF-8 US-ASCII ISO-8859-1 UTF-1 UTF-EBCDIC C99 JAVA XML HTML C-ESCAPES windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U IBM866 macintosh CP932 EUC-JP ISO-2022-JP GBK GB18030 BIG5 CP949 UTF-7 UTF-7-IMAP SCSU BOCU-1" -- "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-4 UCS-4LE UCS-4BE UTF-8-RFC2279 UTF-8-7BYTE UTF-8-8BYTE UTF-8-65BIT UTF-8-HUNK1 UTF-8-HUNK2 UTF-8-HUNK3 UTF-8-HUNK4 UTF-8-HUNK5 UTF-8-HUNK6 UTF-8-HUNK7 UTF-8-HUNK8 UTF-8-HUNK9 WTF-8 GENERALIZED-UTF-8 WTF-16LE WTF-16BE CESU-8 MUTF-8 US-ASCII ISO-8859-1 UTF-1 UTF-EBCDIC C99 JAVA XML HTML C-ESCAPES windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U IBM866 macintosh CP932 EUC-JP ISO-2022-JP GBK GB18030 BIG5 CP949 UTF-7 UTF-7-IMAP SCSU BOCU-1" -- "${cur}"))
                    return 0
                    ;;
                --to-code)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-4 UCS-4LE UCS-4BE UTF-8-RFC2279 UTF-8-7BYTE UTF-8-8BYTE UTF-8-65BIT UTF-8-HUNK1 UTF-8-HUNK2 UTF-8-HUNK3 UTF-8-HUNK4 UTF-8-HUNK5 UTF-8-HUNK6 UTF-8-HUNK7 UTF-8-HUNK8 UTF-8-HUNK9 WTF-8 GENERALIZED-UTF-8 WTF-16LE WTF-16BE CESU-8 MUTF-8 US-ASCII ISO-8859-1 UTF-1 UTF-EBCDIC C99 JAVA XML HTML C-ESCAPES windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U IBM866 macintosh CP932 EUC-JP ISO-2022-JP GBK GB18030 BIG5 CP949 UTF-7 UTF-7-IMAP SCSU BOCU-1" -- "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-4 UCS-4LE UCS-4BE UTF-8-RFC2279 UTF-8-7BYTE UTF-8-8BYTE UTF-8-65BIT UTF-8-HUNK1 UTF-8-HUNK2 UTF-8-HUNK3 UTF-8-HUNK4 UTF-8-HUNK5 UTF-8-HUNK6 UTF-8-HUNK7 UTF-8-HUNK8 UTF-8-HUNK9 WTF-8 GENERALIZED-UTF-8 WTF-16LE WTF-16BE CESU-8 MUTF-8 US-ASCII ISO-8859-1 UTF-1 UTF-EBCDIC C99 JAVA XML HTML C-ESCAPES windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U IBM866 macintosh CP932 EUC-JP ISO-2022-JP GBK GB18030 BIG5 CP949 UTF-7 UTF-7-IMAP SCSU BOCU-1" -- "${cur}"))
                    return 0
                    ;;
                --errors)
                    COMPREPLY=($(compgen -W "strict replace report skip escape" -- "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -W "strict replace report skip escape" -- "${cur}"))
                    return 0
                    ;;
                --unmappable)
                    COMPREPLY=($(compgen -W "strict replace report skip escape translit xml" -- "${cur}"))
                    return 0
                    ;;
                --replacement)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --fallback)
                    COMPREPLY=($(compgen -W "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE UCS-2 UCS-2LE UCS-2BE UCS-4 UCS-4LE UCS-4BE UTF-8-RFC2279 UTF-8-7BYTE UTF-8-8BYTE UTF-8-65BIT UTF-8-HUNK1 UTF-8-HUNK2 UTF-8-HUNK3 UTF-8-HUNK4 UTF-8-HUNK5 UTF-8-HUNK6 UTF-8-HUNK7 UTF-8-HUNK8 UTF-8-HUNK9 WTF-8 GENERALIZED-UTF-8 WTF-16LE WTF-16BE CESU-8 MUTF-8 US-ASCII ISO-8859-1 UTF-1 UTF-EBCDIC C99 JAVA XML HTML C-ESCAPES windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-874 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-9 ISO-8859-10 ISO-8859-11 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U IBM866 macintosh CP932 EUC-JP ISO-2022-JP GBK GB18030 BIG5 CP949 UTF-7 UTF-7-IMAP SCSU BOCU-1" -- "${cur}"))
                    return 0
                    ;;
                --bom)
                    COMPREPLY=($(compgen -W "auto keep strip add forbid require" -- "${cur}"))
                    return 0
                    ;;
                --endian)
                    COMPREPLY=($(compgen -W "be le" -- "${cur}"))
                    return 0
                    ;;
                --explain)
                    COMPREPLY=($(compgen -W "findings all" -- "${cur}"))
                    return 0
                    ;;
                --deny)
                    COMPREPLY=($(compgen -W "nul control noncharacter private-use unassigned non-bmp bidi replacement bom mixed-newlines" -- "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "text json sarif github" -- "${cur}"))
                    return 0
                    ;;
                --max-reports)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --in-place)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -i)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --include)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files0-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --progress)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --generate)
                    COMPREPLY=($(compgen -W "man complete-bash complete-fish complete-zsh" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _oxiconv -o nosort -o bashdefault -o default oxiconv
else
    complete -F _oxiconv -o bashdefault -o default oxiconv
fi
