// Runs a WebAssembly program as `node ci/wasi.mjs PROGRAM [ARGUMENT]...`, with this environment and no files.

import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const args = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, env: process.env, returnOnExit: true });
const module = new WebAssembly.Module(readFileSync(args[0]));
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
process.exitCode = wasi.start(new WebAssembly.Instance(module, imports));
