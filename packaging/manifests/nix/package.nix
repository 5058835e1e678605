# For nixpkgs, or alone: nix-build -E '(import <nixpkgs> { }).callPackage ./package.nix { }'
{
  lib,
  rustPlatform,
  fetchFromGitHub,
  installShellFiles,
}:

rustPlatform.buildRustPackage rec {
  pname = "oxiconv";
  version = "@VERSION@";

  src = fetchFromGitHub {
    owner = "@OWNER@";
    repo = "oxiconv";
    tag = "v${version}";
    hash = "@SOURCE_NAR@";
  };

  # That of the release, beside this file.
  cargoLock.lockFile = ./Cargo.lock;

  nativeBuildInputs = [ installShellFiles ];

  # The tests examine the machine: terminals, file systems, other programs.
  doCheck = false;

  postInstall = ''
    installManPage man/oxiconv.1
    installShellCompletion --bash --name oxiconv completions/oxiconv.bash
    installShellCompletion --zsh completions/_oxiconv
    installShellCompletion --fish completions/oxiconv.fish
    mkdir -p $out/lib/oxiconv
    ln -s ../../bin/oxiconv $out/lib/oxiconv/iconv
  '';

  meta = {
    description = "@DESCRIPTION@";
    homepage = "@REPOSITORY@";
    changelog = "@REPOSITORY@/blob/v@VERSION@/CHANGELOG.md";
    license = map lib.getLicenseFromSpdxId [ @LICENSE_NIX@ ];
    maintainers = [ ];
    mainProgram = "oxiconv";
  };
}
