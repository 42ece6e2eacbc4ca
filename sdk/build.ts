/**
 * Prints the interface as types (`src/interface.ts`) and type-checks the client, its tests and its examples against it.
 * With the argument `--publish` it also writes the package to `dist/`. None of its output is committed.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AREAS } from '../server/app.ts';
import { clientTypes } from '../server/kernel/api/openapi/client-types.ts';
import { Registry } from '../server/kernel/api/registry.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const tsc = (...args: string[]): number =>
  spawnSync(process.execPath, [here('../node_modules/typescript/bin/tsc'), ...args], { stdio: 'inherit' }).status ?? 1;

writeFileSync(here('src/interface.ts'), clientTypes(new Registry(AREAS)));
process.exitCode = tsc('-p', here('.'), '--noEmit');
if (process.exitCode === 0 && process.argv.includes('--publish')) {
  rmSync(here('dist'), { recursive: true, force: true });
  process.exitCode = tsc('-p', here('tsconfig.publish.json'));
  copyFileSync(here('../LICENSE'), here('LICENSE'));
}
