/**
 * Prints the interface as types (`src/interface.ts`), type-checks the client, its tests and its examples against it,
 * and prints the fields of the dashboard's settings and which changes can be undone, which are committed: the dashboard
 * is built from them. With the argument `--publish` it also writes the package to `dist/`. The types and the package
 * aren't committed.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AREAS } from '../server/app.ts';
import { changesIn, clientFields, clientUndo } from '../server/areas/sites/reference/openapi/client-fields.ts';
import { clientTypes } from '../server/areas/sites/reference/openapi/client-types.ts';
import { Registry } from '../server/kernel/api/registry.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const tsc = (...args: string[]): number =>
  spawnSync(process.execPath, [here('../node_modules/.bin/tsc'), ...args], { stdio: 'inherit' }).status ?? 1;

const registry = new Registry(AREAS);
writeFileSync(here('src/interface.ts'), clientTypes(registry));
const settings = here('../web/dashboard/src/screens/settings/declared/');
const changes = globSync(`${settings}*.ts`).flatMap((file) => changesIn(readFileSync(file, 'utf8')));
writeFileSync(`${settings}interface.json`, clientFields(registry, changes));
writeFileSync(here('../web/dashboard/src/changes/undo.json'), clientUndo(registry));
process.exitCode = tsc('-p', here('.'), '--noEmit');
if (process.exitCode === 0 && process.argv.includes('--publish')) {
  rmSync(here('dist'), { recursive: true, force: true });
  process.exitCode = tsc('-p', here('tsconfig.publish.json'));
  copyFileSync(here('../LICENSE'), here('LICENSE'));
}
