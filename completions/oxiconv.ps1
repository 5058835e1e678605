# Completion of oxiconv for PowerShell 7.3 or later. The program prints the candidates.

Register-ArgumentCompleter -Native -CommandName oxiconv -ScriptBlock {
    param($word, $line, $cursor)
    $words = @($line.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
    oxiconv --complete @words "$word" 2>$null | ForEach-Object {
        $value, $rest = $_ -split "`t", 2
        # If there is no candidate, PowerShell completes paths.
        if ($value -notlike '::*') {
            if (-not $rest) { $rest = $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $rest)
        }
    }
}
