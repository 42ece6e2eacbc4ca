import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SameReads } from './same-reads.ts';
import type { Answer, Command } from './batch.ts';

const command = (name: string, ...values: string[]): Command => ({
  statement: { name, text: name, holes: [], columns: null },
  values,
});
const answer = (text: string): Answer => ({ rows: [[text]], count: 1, tag: 'SELECT 1' });

/** SameReads whose reads wait until the test lets them go. */
function held() {
  const sent: { key: number; name: string; letGo: (error?: Error) => void }[] = [];
  const reads = new SameReads(async (key, commands) => {
    const [{ statement }] = commands;
    const at = sent.length;
    await new Promise<void>((letGo, refuse) =>
      sent.push({ key, name: statement.name, letGo: (error) => (error ? refuse(error) : letGo()) }),
    );
    statement.columns = [];
    return { opened: answer('opened'), answers: [answer(`${statement.name} read as number ${at}`)] };
  });
  const read = (key: number, one: Command) =>
    reads.read(key, [one]).then(({ answers }) => {
      assert.deepEqual(one.statement.columns, []);
      return answers[0].rows[0][0];
    });
  return { sent, read };
}
const turn = () => new Promise(setImmediate);

test('a page is read twice at the same time at most; who asks meanwhile shares one read that begins after they asked', async () => {
  const { sent, read } = held();
  const first = [read(1, command('page', '7')), read(1, command('page', '7'))];
  await turn();
  const second = read(1, command('page', '7'));
  await turn();
  assert.equal(sent.length, 2);
  const meanwhile = Array.from({ length: 8 }, () => read(1, command('page', '7')));
  await turn();
  assert.equal(sent.length, 2);
  sent[0].letGo();
  assert.deepEqual(await Promise.all(first), ['page read as number 0', 'page read as number 0']);
  await turn();
  assert.equal(sent.length, 3);
  // A read in flight may have started before they asked.
  const later = read(1, command('page', '7'));
  sent[2].letGo();
  assert.deepEqual(new Set(await Promise.all(meanwhile)), new Set(['page read as number 2']));
  await turn();
  assert.equal(sent.length, 4);
  sent[3].letGo();
  assert.equal(await later, 'page read as number 3');
  sent[1].letGo();
  assert.equal(await second, 'page read as number 1');
});

test('another business, another page and other values are read for themselves', async () => {
  const { sent, read } = held();
  const all = [
    [1, command('page', '7')],
    [2, command('page', '7')],
    [1, command('page', '8')],
    [1, command('list', '7')],
    [17, command('page')],
    [1, command('page', '7', '')],
  ] as const;
  const asked = all.map(([key, one]) => read(key, one));
  await turn();
  assert.deepEqual(
    sent.map(({ key, name }) => [key, name]),
    all.map(([key, { statement }]) => [key, statement.name]),
  );
  for (const { letGo } of sent) letGo();
  await Promise.all(asked);
});

test('a read that fails is refused to those who shared it, and the next one is tried anew', async () => {
  const { sent, read } = held();
  const outcomes = Promise.allSettled(Array.from({ length: 3 }, () => read(1, command('page'))));
  await turn();
  sent[0].letGo(new Error('lost'));
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  const again = read(1, command('page'));
  await turn();
  sent[1].letGo();
  assert.equal(await again, 'page read as number 1');
});
