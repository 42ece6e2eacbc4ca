import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOf } from '../kernel/api/problem.ts';
import { registry } from '../app.ts';

const declared = registry();

test('every refusal that an area declares is one that an operation or a constraint refuses with', () => {
  const used = new Set([
    ...declared.endpoints.flatMap((endpoint) => endpoint.problems.map(kindOf)),
    ...[...declared.constraints.values()].map((refuse) => refuse().kind),
  ]);
  const unused = declared.areas.flatMap(({ name, problems = {} }) =>
    Object.values(problems).flatMap((kind) => (used.has(kind) ? [] : [`${kind.code} of ${name}`])),
  );
  assert.deepEqual(unused, []);
});
