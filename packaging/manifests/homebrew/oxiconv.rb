# Homebrew's formula, for a tap.
class Oxiconv < Formula
  desc "@DESCRIPTION@"
  homepage "@REPOSITORY@"
  url "@SOURCE_URL@"
  sha256 "@SOURCE_SHA256@"
  license @LICENSE_RUBY@

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    man1.install "man/oxiconv.1"
    bash_completion.install "completions/oxiconv.bash" => "oxiconv"
    zsh_completion.install "completions/_oxiconv"
    fish_completion.install "completions/oxiconv.fish"
    (lib/"oxiconv").install_symlink bin/"oxiconv" => "iconv"
  end

  def caveats
    <<~EOS
      In place of iconv, for the programs that look for it in PATH:
        PATH=#{opt_lib}/oxiconv:$PATH
    EOS
  end

  test do
    (testpath/"latin1.txt").binwrite "caf\xE9\n"
    assert_equal "café\n", shell_output("#{bin}/oxiconv -f latin1 latin1.txt")
    assert_match "truncated", shell_output("#{bin}/oxiconv --check latin1.txt", 1)
  end
end
