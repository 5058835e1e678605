# Completion of oxiconv for elvish. The program prints the candidates.

use str

set edit:completion:arg-completer[oxiconv] = {|@words|
  e:oxiconv --complete (all $words[1..]) 2>/dev/null | from-lines | each {|line|
    var value rest = (str:split &max=2 "\t" $line)
    if (has-value [::files ::directories] $value) {
      edit:complete-filename (str:trim-prefix $words[-1] $rest)
    } else {
      edit:complex-candidate $value &display=$value' ('$rest')'
    }
  }
}
