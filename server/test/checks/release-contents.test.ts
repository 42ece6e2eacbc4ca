import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { materials } from './sbom.ts';
import { licenceBreaches, licenceRead, shipped, undocumented } from './release-contents.ts';

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const packages = shipped();
const lock = JSON.parse(readFileSync(`${ROOT}/package-lock.json`, 'utf8')).packages;

// Guards against: A package that runs something when it is installed, or that may not be shipped
test('every package that ships has a permitted licence, and names it itself', () => {
  assert.ok(packages.length > 100, 'the lock file was read');
  assert.ok(packages.filter((p) => p.installed !== undefined).length > 100, 'the installed packages were read');
  assert.deepEqual(licenceBreaches(packages), []);
});

const breachesOf = (licence: string | null, installed?: string) =>
  licenceBreaches([{ name: 'x', version: '1.0.0', licence, installed }]);

test('a package without a licence, with a prohibited one, or with contradicting ones is reported', () => {
  assert.deepEqual(
    [null, 'GPL-3.0-only', 'MIT'].map((licence) => breachesOf(licence)),
    [['x 1.0.0 names no licence.'], ['x 1.0.0 has the licence GPL-3.0-only, which may not ship.'], []],
  );
  assert.deepEqual(breachesOf('LGPL-3.0-or-later'), ['x 1.0.0 has the licence LGPL-3.0-or-later, which may not ship.']);
  assert.deepEqual(breachesOf('OFL-1.1'), ['x 1.0.0 has the licence OFL-1.1, which may not ship.']);
  assert.deepEqual(breachesOf('MIT', 'GPL-3.0-only'), ['x 1.0.0 says GPL-3.0-only; the lock file says MIT.']);
  assert.deepEqual(breachesOf('MIT', 'MIT'), []);
});

test('the page of dependencies lists every direct dependency in the installed version', () => {
  assert.deepEqual(undocumented(), []);
  const wrong = undocumented('| `fastify` | 0.0.1 | MIT |');
  assert.ok(
    wrong.includes('pg has no line in docs/adr/dependencies.md.') &&
      wrong.some((w) => w.includes('another version of fastify')),
  );
});

/** One licence, or several that apply together. */
type Printed = { readonly license: { readonly id: string } } | { readonly expression: string };
const licenceOf = (printed: Printed | undefined): string | undefined =>
  printed && ('expression' in printed ? printed.expression : printed.license.id);

/** Debian 13 has npm 9. */
const [npm] = execFileSync('npm', ['--version'], { encoding: 'utf8' }).split('.').map(Number);
const skip = npm < 10 && `npm ${npm} has no command "npm sbom"; install npm 10 or newer to run this test`;

test('the bill of materials that npm prints matches the checked list, and each part has its licence', { skip }, () => {
  const printed = JSON.parse(materials());
  assert.equal(printed.bomFormat, 'CycloneDX');
  const parts: { name: string; version: string; licenses?: Printed[] }[] = printed.components;
  assert.deepEqual(
    parts
      .map((p) => [`${p.name}@${p.version}`, licenceOf(p.licenses?.[0]) ?? licenceRead(p) ?? ''])
      .toSorted((a, b) => a[0].localeCompare(b[0])),
    packages.map((p) => [`${p.name}@${p.version}`, p.licence]),
  );
});

test('an installation without development packages has no compiler, linter, formatter or browser', () => {
  const tools = /^(@typescript\/|typescript|@?ox(lint|fmt)\b|@sparticuz\/|playwright|happy-dom$)/;
  assert.deepEqual(
    packages.map(({ name }) => name).filter((name) => tools.test(name)),
    [],
  );
});

test('installing prints no warnings about the Node that only starts the service', () => {
  assert.match(readFileSync(`${ROOT}/.npmrc`, 'utf8'), /^loglevel=error$/m);
});

test('both processor architectures run the same Node version, pinned exactly', () => {
  const { optionalDependencies: wanted } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
  const [x64, arm64] = ['x64', 'arm64'].map((cpu) => `node-linux-${cpu}`);
  assert.match(wanted[x64], /^26\.\d+\.\d+$/);
  assert.deepEqual(
    [wanted[arm64], lock[`node_modules/${x64}`].version, lock[`node_modules/${arm64}`].version],
    [wanted[x64], wanted[x64], wanted[x64]],
  );
});

// Guards against: A package that runs something when it is installed, or that may not be shipped
test('installing runs no scripts of packages', () => {
  assert.match(readFileSync(`${ROOT}/.npmrc`, 'utf8'), /^ignore-scripts=true$/m);
});
