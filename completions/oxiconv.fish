# Completion of oxiconv for fish. The program prints the candidates.

function __oxiconv_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in (oxiconv --complete $words[2..] "$word" 2>/dev/null)
        set -l start (string replace -r '^[^\t]*\t' '' -- $line)
        set -l path (string sub -s (math 1 + (string length -- "$start")) -- "$word")
        switch $line
            case '::files*'
                for found in (__fish_complete_path "$path")
                    echo "$start$found"
                end
            case '::directories*'
                for found in (__fish_complete_directories "$path")
                    echo "$start$found"
                end
            case '*'
                echo $line
        end
    end
end

complete -c oxiconv -f -k -a '(__oxiconv_complete)'
