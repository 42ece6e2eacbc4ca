import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestEvent } from './messages.ts';
import { Report, secondsLeft, timeOf } from './report.ts';
import { mergedTimes } from './times.ts';

const FILE = 'server/x.test.ts';

function reporting(more: { verbose?: boolean; files?: number } = {}) {
  const state = { text: '', now: 0 };
  const report = new Report({
    files: 2,
    verbose: false,
    live: false,
    write: (text) => void (state.text += text),
    settings: () => 'TEST_TURN=3 ',
    left: () => 95,
    now: () => state.now,
    ...more,
  });
  return { report, state };
}

const event = (type: TestEvent['type'], name: string, nesting: number, more: Partial<TestEvent> = {}): TestEvent => ({
  type,
  name,
  nesting,
  suite: false,
  ms: 1,
  why: null,
  ...more,
});
const suite = { suite: true };

test('tests are counted, suites are not, and the last line is the count', () => {
  const { report, state } = reporting();
  const tell = report.ofFile(FILE);
  for (const one of [
    event('begun', FILE, 0),
    event('begun', 'good', 1),
    event('passed', 'good', 1),
    event('skipped', 'not here', 1),
    event('begun', 'bad', 1),
    event('failed', 'bad', 1, { why: 'Error: no' }),
    event('failed', FILE, 0, suite),
  ])
    tell(one);
  report.end();
  assert.equal(report.failed, 1);
  assert.match(state.text, /\n1 skipped\n\n1 passed, 1 failed\n$/);
  assert.doesNotMatch(state.text, /good/);
});

test('a failure is printed with its place and reason when it happens, and again at the end with the command that repeats it', () => {
  const { report, state } = reporting();
  const tell = report.ofFile(FILE);
  tell(event('begun', FILE, 0));
  tell(event('begun', "it's (so)", 1));
  tell(event('begun', 'inner', 2));
  tell(event('failed', 'inner', 2, { why: 'Error: no' }));
  const shown = /✖ server\/x\.test\.ts › it's \(so\) › inner\n {2}Error: no\n/;
  assert.match(state.text, shown);
  state.text = '';
  report.end();
  assert.match(state.text, shown);
  assert.ok(
    state.text.includes(String.raw`TEST_TURN=3 npm test -- --test-name-pattern='^it'\''s \(so\)$' server/x.test.ts`),
    state.text,
  );
});

test('a file that cannot be loaded, or whose hooks fail, is a failure of the file', () => {
  const { report, state } = reporting();
  report.ofFile(FILE)(event('failed', FILE, 0, { suite: true, why: 'Error: cannot load' }));
  report.failFile('server/y.test.ts', 'its process is gone');
  report.end();
  assert.match(state.text, /✖ server\/x\.test\.ts\n {2}Error: cannot load\n[^]*npm test -- server\/x\.test\.ts\n/);
  assert.match(state.text, /\n0 passed, 2 failed\n$/);
});

test('a test that does not run because of another failure counts as failed, without a message of its own', () => {
  const { report, state } = reporting();
  report.ofFile(FILE)(event('failed', 'never ran', 1));
  report.end();
  assert.equal(report.failed, 1);
  assert.doesNotMatch(state.text, /never ran/);
});

test('progress is printed every ten seconds and at the end, with the remaining time', () => {
  const { report, state } = reporting({ files: 3 });
  report.fileDone();
  assert.equal(state.text, '');
  state.now = 10_000;
  report.fileDone();
  assert.equal(state.text, '2 of 3 files, 0 passed, 0 failed, about 1:35 left\n');
  report.fileDone();
  assert.match(state.text, /3 of 3 files, 0 passed, 0 failed\n$/);
});

test('the remaining time is computed from the time taken so far', () => {
  assert.equal(secondsLeft(0.75, 60), 180);
  assert.equal(secondsLeft(0.99, 1), null);
  assert.equal(timeOf(605), '10:05');
});

const took = (cpu: number, waits = 0) => ({ cpu, waits });

test('recorded times change only with clear differences, and lose deleted files', () => {
  const before = {
    'a.test.ts': took(10),
    'b.test.ts': took(10),
    'gone.test.ts': took(5),
    'waits.test.ts': took(2, 20),
  };
  const spent = [
    { file: 'a.test.ts', cpuMs: 8_000, databaseMs: 3_000, wallMs: 13_900 },
    { file: 'b.test.ts', cpuMs: 20_123, databaseMs: 0, wallMs: 20_000 },
    { file: 'new.test.ts', cpuMs: 100, databaseMs: 23, wallMs: 9_000 },
    { file: 'waits.test.ts', cpuMs: 2_000, databaseMs: 0, wallMs: 20_000 },
  ];
  assert.deepEqual(
    mergedTimes(before, spent, (file) => !file.startsWith('gone')),
    {
      'a.test.ts': took(10),
      'b.test.ts': took(20),
      'new.test.ts': took(0.12, 9),
      'waits.test.ts': took(2, 20),
    },
  );
});
