# Runs the `test do` of a formula that packaging/generate-manifests made with a program that is already there:
#
#     ci/formula_test.rb FORMULA PROGRAM
#
# Homebrew itself is not needed: of what it gives a formula, this has the few methods that the test calls.
require "open3"
require "pathname"
require "tmpdir"

class Formula
  class << self
    attr_reader :the_test

    def test(&block) = @the_test = block

    # What describes the package: desc, url, depends_on.
    def method_missing(*) = nil

    def respond_to_missing?(*) = true
  end

  attr_reader :bin, :testpath

  def initialize(bin, testpath)
    @bin = bin
    @testpath = testpath
  end

  def shell_output(command, status = 0)
    output, ended = Open3.capture2(command, chdir: testpath.to_s)
    raise "#{command}: status #{ended.exitstatus}, not #{status}" if ended.exitstatus != status

    output.force_encoding("UTF-8")
  end

  def assert_equal(expected, actual)
    raise "#{actual.inspect}, not #{expected.inspect}" if expected != actual
  end

  def assert_match(pattern, text)
    raise "#{text.inspect} has no #{pattern.inspect}" unless text.include?(pattern)
  end
end

load File.expand_path(ARGV.fetch(0))
Dir.mktmpdir do |scratch|
  bin = Pathname.new(ARGV.fetch(1)).realpath.dirname
  Oxiconv.new(bin, Pathname.new(scratch)).instance_eval(&Oxiconv.the_test)
end
puts "#{File.basename(ARGV.fetch(0))}: its test passes"
