import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kindOf } from '../../kernel/base/problem.ts';
import { registry } from '../../app.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const declared = registry();

/** Permissions that code checks at run time, which no declaration names. */
const ASKED = /\b(?:may|checkTeaches)\(([^;{}]*?)\)/g;

test('every permission that code checks is declared', () => {
  const asked = globSync('server/{areas,kernel,scale}/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const code = readFileSync(join(root, file), 'utf8');
      return [...code.matchAll(ASKED)].flatMap(([, of]) => [...of.matchAll(/'(\w+)'/g)].map(([, one]) => [file, one]));
    });
  assert.ok(asked.some(([, permission]) => permission === 'developer'));
  assert.deepEqual(
    asked.filter(([, permission]) => !declared.permissions.has(permission)),
    [],
  );
});

test('every refusal that an area declares is used by an operation or a constraint', () => {
  const used = new Set([
    ...declared.endpoints.flatMap((endpoint) => endpoint.problems.map(kindOf)),
    ...[...declared.constraints.values()].map((refuse) => refuse().kind),
  ]);
  const unused = declared.areas.flatMap(({ name, problems = {} }) =>
    Object.values(problems).flatMap((kind) => (used.has(kind) ? [] : [`${kind.code} of ${name}`])),
  );
  assert.deepEqual(unused, []);
});
