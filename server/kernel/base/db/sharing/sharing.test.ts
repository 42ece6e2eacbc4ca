import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Database, type Transaction } from '../database.ts';
import { freshDatabase } from '../../../../test/database.ts';
import { sql } from '../sql.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database;
/** the texts of each write to the connection */
const sent: string[][] = [];
/** how many of them were not answered yet when another came, at most */
const atOnce = { now: 0, most: 0 };
before(async () => {
  database = await freshDatabase();
  db = new Database({
    url: database.url,
    size: 1,
    observe: (commands, answers) => {
      sent.push(commands.map(({ statement }) => statement.text.trim()));
      atOnce.most = Math.max(atOnce.most, ++atOnce.now);
      const answered = (): number => --atOnce.now;
      answers.then(answered, answered);
    },
  });
});
beforeEach(() => sent.splice(0));
after(async () => {
  await db.close();
  await database.drop();
});

const act = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => db.transaction(1, work);
const say = (what: string) => sql`SELECT ${what}::text AS said`;
const note = (what: string) =>
  sql`SELECT set_config('test.noted', concat(current_setting('test.noted', true), ${what}::text), true)`;
const noted = sql`SELECT current_setting('test.noted', true) AS said`;
const broken = sql`SELECT 1 / ${0}::int`;
const twice = async (tx: Transaction, what: string): Promise<string> => {
  const first = await tx.one<{ said: string }>(say(what));
  return (await tx.one<{ said: string }>(say(`${first!.said}${what}`)))!.said;
};
/** Returns the number of writes, without those that open and end the transaction. */
const trips = (): number => sent.length;

test('statements issued before any of them is awaited share a round trip, in order', async () => {
  const said = await act((tx) => Promise.all(['a', 'b', 'c'].map((one) => tx.one<{ said: string }>(say(one)))));
  assert.deepEqual(
    said.map((row) => row!.said),
    ['a', 'b', 'c'],
  );
  assert.equal(trips(), 2, 'one for all that is asked, and the COMMIT');
});

test('functions that each issue several statements share every possible round trip', async () => {
  assert.deepEqual(await act((tx) => Promise.all([twice(tx, 'a'), twice(tx, 'b')])), ['aa', 'bb']);
  assert.equal(trips(), 3);
});

test('requests that arrive during another one run after it, in order, and before the end', async () => {
  atOnce.most = 0;
  const said: string[] = [];
  await act(async (tx) => {
    const asked = async (one: string, ticks: number): Promise<void> => {
      for (let tick = 0; tick < ticks; tick++) await new Promise((resolve) => setImmediate(resolve));
      said.push((await tx.one<{ said: string }>(say(one)))!.said);
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(asked));
  });
  assert.deepEqual(said, ['a', 'b', 'c', 'd']);
  assert.equal(sent.at(-1)!.at(-1), 'COMMIT');
  assert.equal(atOnce.most, 1);
});

test('a write that nobody awaits is sent before the next statement, or with the COMMIT', async () => {
  const said = await act(async (tx) => {
    tx.later(note('1'));
    tx.later(note('2'));
    const [row] = await tx.rows<{ said: string }>(noted);
    tx.later(note('3'));
    return row.said;
  });
  assert.equal(said, '12');
  assert.equal(trips(), 2);
  assert.deepEqual(sent[1].at(-1), 'COMMIT');
  assert.equal(sent[1].length, 2);
});

test('a transaction with only such writes is committed too, and an empty one is never begun', async () => {
  await act(async (tx) => tx.later(note('1')));
  assert.equal(trips(), 1);
  assert.equal(sent[0].at(0), 'BEGIN');
  assert.equal(sent[0].at(-1), 'COMMIT');
  await act(async () => {});
  assert.equal(trips(), 1);
});

test('an error of such a write is thrown by the statement it was sent with, and nothing is kept', async () => {
  const failing = act(async (tx) => {
    tx.later(broken);
    await tx.one(say('never'));
  });
  await assert.rejects(failing, { code: '22012' });
  await assert.rejects(
    act(async (tx) => tx.later(broken)),
    { code: '22012' },
  );
  assert.equal(sent.at(-1)!.at(-1), 'ROLLBACK');
});

test('an attempt includes its own writes: they fail within it, or are rolled back with it', async () => {
  const said = await act(async (tx) => {
    tx.later(note('1'));
    await assert.rejects(
      tx.attempt(async () => tx.later(broken)),
      { code: '22012' },
    );
    await assert.rejects(
      tx.attempt(async () => {
        tx.later(note('2'));
        throw new Error('no');
      }),
      /no/,
    );
    await tx.attempt(async () => tx.later(note('3')));
    return (await tx.one<{ said: string }>(noted))!.said;
  });
  assert.equal(said, '13');
});

test('if one of several fails, all statements sent with it fail, and nothing is sent after the end', async () => {
  await assert.rejects(
    act((tx) => Promise.all([tx.one(say('a')), tx.one(broken), tx.one(say('b'))])),
    { code: '22012' },
  );
  const beside: Promise<void>[] = [];
  await assert.rejects(
    act(async (tx) => {
      await tx.one(say('a'));
      beside.push(assert.rejects(tx.one(say('beside what failed')), /the transaction has ended/));
      throw new Error('no');
    }),
    /no/,
  );
  await Promise.all(beside);
  assert.equal(sent.at(-1)!.at(-1), 'ROLLBACK');
});
