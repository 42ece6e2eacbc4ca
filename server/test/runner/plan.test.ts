import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plan, Queue, type Planned } from './plan.ts';
import { Sources, testFiles } from './sources.ts';
import { turnByContent } from './turn.ts';

const file = (name: string, seconds: number, more: Partial<Planned> = {}): Planned => ({
  file: name,
  seconds,
  browser: false,
  processes: false,
  database: false,
  rare: false,
  records: false,
  waits: 0,
  first: true,
  ...more,
});
const names = (queue: Queue): string[] => {
  const taken: string[] = [];
  for (let next = queue.take(); next; next = queue.take()) {
    taken.push(next.file);
    queue.done(next);
  }
  return taken;
};

test('a folder stands for the test files in it and below it', () => {
  const ofRunner = ['change', 'deadlocks', 'plan', 'report'].map((name) => `server/test/runner/${name}.test.ts`);
  assert.deepEqual(testFiles(['server/test/runner']), ofRunner);
  assert.deepEqual(testFiles(['server/test/runner/', 'server/test/runner/plan.test.ts']), ofRunner);
  assert.ok(testFiles(['server/test']).includes(ofRunner[0]!));
  assert.deepEqual(testFiles(['server/test/runner/pl*.test.ts']), [ofRunner[2]]);
});

test('the longest files run first, and those that the change reaches before all others', () => {
  const files = [file('a', 1), file('b', 3), file('c', 9, { first: false }), file('d', 2)];
  assert.deepEqual(names(new Queue(files, 1)), ['b', 'd', 'a', 'c']);
});

test('one file with a browser runs at a time, and no process is idle while another file is left', () => {
  const queue = new Queue(
    [file('pages', 5, { browser: true }), file('screens', 9, { browser: true }), file('pure', 1), file('slow', 20)],
    1,
  );
  const first = queue.take()!;
  assert.equal(first.file, 'screens');
  assert.ok(!queue.browserIsFree);
  assert.equal(queue.take()?.file, 'slow');
  assert.equal(queue.take()?.file, 'pure');
  assert.equal(queue.take(), null);
  assert.ok(queue.busy);
  queue.done(first);
  assert.equal(queue.take()?.file, 'pages');
});

test('a file with a browser that the change does not reach lets the other files of the change go first', () => {
  const files = [file('far', 9, { browser: true, first: false }), file('near', 1), file('next', 2)];
  assert.deepEqual(names(new Queue(files, 1)), ['next', 'near', 'far']);
});

test('while the browser is in use, files that the change does not reach may start', () => {
  const queue = new Queue(
    [file('a', 9, { browser: true }), file('b', 5, { browser: true }), file('rest', 1, { first: false })],
    1,
  );
  assert.deepEqual(
    [queue.take(), queue.take(), queue.take()].map((one) => one?.file),
    ['a', 'rest', undefined],
  );
});

test('files that wait much are for one more process, and for the others when nothing else is left', () => {
  const queue = new Queue(
    [file('a', 9), file('long', 1, { waits: 30 }), file('short', 2, { waits: 5 }), file('b', 1)],
    1,
  );
  assert.equal(queue.takeWaiting()?.file, 'long');
  assert.deepEqual(names(queue), ['a', 'b', 'short']);
  assert.equal(queue.takeWaiting(), null);
});

test('recording lasts until the last file that records pages has ended', () => {
  const queue = new Queue([file('page', 9, { records: true }), file('pure', 1)], 1);
  const page = queue.take()!;
  assert.ok(queue.recording);
  queue.done(page);
  assert.ok(!queue.recording);
});

const harness = (...files: string[]) => new Set(files);

test('the harness that a file imports determines its needs and its usual duration', () => {
  const screen = plan(
    'server/areas/sites/dashboard/x.test.ts',
    harness(
      'server/test/pages/browser-program.ts',
      'server/areas/sites/dashboard/test/dashboard-browser.ts',
      'server/test/database.ts',
      'server/test/pages/looks.ts',
    ),
    {},
  );
  assert.deepEqual(
    [screen.browser, screen.database, screen.records, screen.processes, screen.seconds],
    [true, true, true, false, 10],
  );
  const pure = plan('server/kernel/base/values/x.test.ts', harness('server/kernel/base/values/x.test.ts'), {});
  assert.deepEqual([pure.browser, pure.database, pure.seconds], [false, false, 0.3]);
  const times = { 'a.test.ts': { cpu: 7, waits: 5 }, 'b.test.ts': { cpu: 7, waits: 4 } };
  const [waiting, busy] = [plan('a.test.ts', harness(), times), plan('b.test.ts', harness(), times)];
  assert.deepEqual([waiting.seconds, waiting.waits, busy.seconds, busy.waits], [7, 5, 7, 0]);
});

test('a file that opens only dashboard windows needs no browser and waits for none', () => {
  const sources = new Sources();
  const needsBrowser = (name: string) => {
    const file = `server/areas/sites/dashboard/${name}.test.ts`;
    return plan(file, sources.harnessOf(file), {}).browser;
  };
  assert.ok(!needsBrowser('books-browser'));
  assert.ok(needsBrowser('layout-browser'));
});

const first = (path: string, ...reached: string[]) => plan(path, harness(...reached), {}, new Set()).first;

test('tests over all declarations run first whatever the change, except those with processes or a browser', () => {
  assert.ok(first('server/test/checks/structure.test.ts'));
  assert.ok(first('server/test/matrix/audit.test.ts', 'server/test/world.ts'));
  assert.ok(!first('server/test/processes/replicas.test.ts', 'server/test/processes/pair.ts'));
  assert.ok(!first('server/test/pages/docs-browser.test.ts', 'server/test/pages/browser-program.ts'));
  assert.ok(!first('server/areas/people/staff/staff.test.ts'));
});

const turn = (text: string) =>
  turnByContent(['a.ts', 'b.ts'], new Sources((path) => (path === 'a.ts' ? text : 'same')));

test('the turn depends on the contents of the sources and on nothing else', () => {
  assert.equal(turn('one'), turn('one'));
  assert.ok(new Set(['one', 'two', 'three', 'four', 'five', 'six'].map(turn)).size > 3);
});
