/**
 * Modules that a start loads before it serves, by the static imports of the sources: packages that few requests need
 * are loaded by those requests.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectImports } from '../checks/imports.ts';

const LATE = [
  'sharp',
  'pdfkit',
  'hucre',
  'stripe',
  'oidc-provider',
  '@simplewebauthn/server',
  'nodemailer',
  'postal-mime',
  'ical.js',
  'rrule-temporal',
  'windows-iana',
  'vite',
  'rolldown',
];

test('a start loads no package that only few requests need, and no drawings of the demo', () => {
  const imports = Map.groupBy(
    projectImports().filter(({ typeOnly, isLate }) => !typeOnly && !isLate),
    ({ from }) => from,
  );
  const loaded = new Set(['server/commands/start.ts']);
  for (const from of loaded) for (const { to } of imports.get(from) ?? []) loaded.add(to);
  assert.ok(loaded.has('server/app.ts') && loaded.has('fastify'));
  const tooEarly = [...loaded].filter(
    (to) => to === 'server/demo/drawings.ts' || LATE.some((name) => to === name || to.startsWith(`${name}/`)),
  );
  assert.deepEqual(tooEarly, []);
});
