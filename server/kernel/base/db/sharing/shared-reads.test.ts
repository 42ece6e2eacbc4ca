import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedReads, wordsOf } from './shared-reads.ts';
import type { Answer, Command } from './batch.ts';

/** Returns the command `name:value` */
function command(text: string): Command {
  const [name, ...values] = text.split(':');
  return { statement: { name, text: name, holes: [], columns: null }, values };
}
const nameOf = (c: Command) => c.statement.name;
const answer = (name: string): Answer => ({ rows: [[name]], count: 1, tag: 'SELECT 1' });

/** Returns SharedReads whose batches wait until the test releases them. */
function held() {
  const batches: { key: number; names: string[]; values: Command['values'][]; letGo: () => void }[] = [];
  const asked: Command[] = [];
  let most = 0;
  let underWay = 0;
  const sharedReads = new SharedReads(async (key, commands) => {
    const names = commands.map(nameOf);
    most = Math.max(most, ++underWay);
    await new Promise<void>((letGo) => batches.push({ key, names, values: commands.map((c) => c.values), letGo }));
    underWay--;
    for (const { statement } of commands) statement.columns = [];
    if (names.includes('bad')) throw new Error('bad statement');
    return { opened: answer('opened'), answers: names.map(answer) };
  });
  const read = (key: number, ...names: string[]) => {
    const commands = names.map(command);
    asked.push(...commands);
    return sharedReads.read(key, commands).then(({ answers }) => answers.map((a) => a.rows[0][0]));
  };
  return { batches, read, most: () => most, columns: () => asked.map(({ statement }) => statement.columns) };
}

const moment = () => new Promise(setImmediate);

/** Two reads that are under way, neither with the other. */
async function underWay(read: (key: number, name: string) => Promise<unknown>, ...names: readonly string[]) {
  const calls: Promise<unknown>[] = [];
  for (const name of names) {
    calls.push(read(1, name));
    await moment();
  }
  return calls;
}

const settled = async (batches: { letGo: () => void }[], calls: Promise<unknown>[]) => {
  const all = Promise.allSettled(calls);
  const state = { done: false, next: 0 };
  void all.then(() => (state.done = true));
  while (!state.done) {
    if (state.next < batches.length) batches[state.next++].letGo();
    await new Promise(setImmediate);
  }
  return all;
};

test('a single read is sent immediately; reads that arrive while two are in flight share the next round trip', async () => {
  const { batches, read } = held();
  const calls = [...(await underWay(read, 'a', 'b')), read(1, 'c', 'd'), read(1, 'e')];
  assert.deepEqual(
    batches.map((b) => b.names),
    [['a'], ['b']],
  );
  const answers = await settled(batches, calls);
  assert.deepEqual(
    answers.map((s) => (s as PromiseFulfilledResult<unknown>).value),
    [['a'], ['b'], ['c', 'd'], ['e']],
  );
  assert.deepEqual(batches[2].names, ['c', 'd', 'e']);
});

test('identical reads are sent once, and each caller gets the rows and the columns', async () => {
  const { batches, read, columns } = held();
  const calls = [...(await underWay(read, 'a', 'b')), read(1, 'same', 'c'), read(1, 'd', 'same'), read(1, 'same')];
  const answers = await settled(batches, calls);
  assert.deepEqual(batches[2].names, ['same', 'c', 'd']);
  assert.deepEqual(
    answers.map((s) => (s as PromiseFulfilledResult<unknown>).value),
    [['a'], ['b'], ['same', 'c'], ['d', 'same'], ['same']],
  );
  assert.ok(columns().every((known) => known !== null));
});

test('the same statement with other values is a different read', async () => {
  const { batches, read } = held();
  await settled(batches, [read(1, 'one:1'), read(1, 'one:2'), read(1, 'one:1')]);
  assert.deepEqual(batches[0].values, [['1'], ['2']]);
});

test('reads that arrive in the same moment share the first batch, and no two sets of values are the same', async () => {
  const { batches, read } = held();
  const names = ['one', 'two', 'one:1:23', 'one:12:3'];
  await settled(
    batches,
    names.map((name) => read(1, name)),
  );
  assert.deepEqual(
    batches.map((b) => b.names),
    [['one', 'two', 'one', 'one']],
  );
  const words = [['a', null], ['a', ''], ['a,', ''], ['a', ',0:'], ['1:a'], ['a', '-']].map((values) =>
    wordsOf({ ...command('same'), values }),
  );
  assert.equal(new Set(words).size, words.length);
});

test('businesses never share a batch, and a busy one does not delay another', async () => {
  const { batches, read } = held();
  const busy = Array.from({ length: 50 }, (_, i) => read(1, `busy ${i}`));
  const calm = read(2, 'calm');
  await moment();
  assert.deepEqual(
    batches.map((b) => b.key),
    [1, 1, 2],
  );
  await settled(batches, [...busy, calm]);
  assert.ok(batches.every((b) => b.names.every((n) => n.startsWith('calm') === (b.key === 2))));
});

test('a batch has at most 16 reads, in order of arrival, and at most two of a business are in progress', async () => {
  const { batches, read, most } = held();
  await settled(
    batches,
    Array.from({ length: 60 }, (_, i) => read(1, String(i))),
  );
  assert.deepEqual(
    batches.flatMap((b) => b.names),
    Array.from({ length: 60 }, (_, i) => String(i)),
  );
  assert.ok(batches.every((b) => b.names.length <= 16));
  assert.equal(most(), 2);
});

test('a failing read fails alone: the others of its batch are read again', async () => {
  const { batches, read } = held();
  const answers = await settled(batches, [
    ...(await underWay(read, 'x', 'y')),
    read(1, 'good'),
    read(1, 'bad'),
    read(1, 'too'),
  ]);
  assert.deepEqual(
    answers.map((s) => s.status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
});

test('after a shared read failed, the next reads work', async () => {
  const { batches, read } = held();
  await settled(batches, [read(1, 'bad'), read(1, 'bad'), read(1, 'bad')]);
  const [after] = await settled(batches, [read(1, 'fine')]);
  assert.equal(after.status, 'fulfilled');
});
