{
  description = "Converts, validates and explains text encodings";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forEach = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = forEach (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "oxiconv";
          version = (nixpkgs.lib.importTOML ./Cargo.toml).workspace.package.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          nativeBuildInputs = [ pkgs.installShellFiles ];
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
            description = "Converts, validates and explains text encodings";
            license = with nixpkgs.lib.licenses; [ mit asl20 unicode-30 ];
            mainProgram = "oxiconv";
          };
        };
      });
    };
}
