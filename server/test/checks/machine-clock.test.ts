import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findClockReads } from './machine-clock.ts';

const found = (source: string) => findClockReads(new Map([['server/some.test.ts', source]])).broken;

test("each read of the machine's clock is found with its line", () => {
  for (const read of [
    'Date.now()',
    'new Date()',
    'Date()',
    'performance.now()',
    'Temporal.Now.instant()',
    'process.hrtime()',
  ])
    assert.match(found(`// Date.now()\nconst at = ${read};`)[0], /^server\/some\.test\.ts:2: /, read);
  assert.equal(found('each(Date.now)').length, 1);
});

test('given times, comments and allowed exceptions are not reported as reads', () => {
  assert.deepEqual(
    found("/**\n * Not Date.now().\n */\nnew Date(START); new Date('2026-07-15'); world.now; toDate();"),
    [],
  );
  const { broken, needless } = findClockReads(new Map([['server/test/clock.ts', 'Date.now()']]));
  assert.deepEqual([broken, needless.includes('server/test/clock.ts')], [[], false]);
  assert.ok(needless.includes('server/test/storm.ts'), 'an exception that nothing needs is reported');
});
