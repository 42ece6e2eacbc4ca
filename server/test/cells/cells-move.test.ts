/**
 * A business moves to another cell while customers book, and moves back by a command that is killed at each of its
 * steps.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside } from '../storm.ts';
import { command } from '../desk.ts';
import { createMachineToken } from '../../areas/people/identity/index.ts';
import { examine } from '../../commands/doctor/doctor.ts';
import { moveBusiness } from '../../scale/cells/move/move.ts';
import { dropSlots, MovingWorld, statesOf } from '../worlds/moving-world.ts';
import { row } from '../schedule-world.ts';
import { pngOf } from '../../areas/platform/images/test/pictures.ts';
import { readConfig } from '../../config.ts';
import { SESSION } from '../../scale/cells/move/ends.ts';
import type { Cells } from './cells-world.ts';
import { inTurns } from '../rare.ts';
import { STEPS, type Step } from '../../scale/cells/move/context.ts';
import type { World } from '../world.ts';

let moving: MovingWorld;
let all: Cells;
let home: World;
let business: number;
let events: readonly number[];
let revoked: string;
/** path of an image, without the address of the service */
let picture: string;
/** owner connections to each database, by the number of the cell */
const eyes = new Map<number, pg.Client>();

before(async () => {
  moving = await MovingWorld.start();
  ({ all, home, business, events } = moving);
  for (const { number, world } of all.cells) eyes.set(number, await beside(world.databaseUrl));
  const person = await eyes.get(1)!.query(
    `INSERT INTO user_account (email, email_key, email_confirmed_at, password_hash)
        VALUES ('mover@example.com', 'mover@example.com', now(), 'hash') RETURNING id`,
  );
  await row(home, 'staff', {
    first_name: 'Mo',
    last_name: 'Ver',
    email: 'mover@example.com',
    user_id: Number(person.rows[0].id),
  });
  const image = await home.post('/images', {
    as: home.machine,
    body: { image: (await pngOf()).toString('base64') },
  });
  assert.equal(image.status, 201, image.text);
  const { rows } = await eyes.get(1)!.query('SELECT key, width FROM image WHERE provider_id = $1', [business]);
  picture = `/images/${business}/${rows[0].key}/${rows[0].width}.webp`;
  revoked = await home.app.db.transaction(
    business,
    async (tx) => (await createMachineToken(tx, business, { name: 'old' })).token,
  );
  const listed = (await home.get('/machine_tokens', { as: home.machine })).body.results;
  const { id } = listed.find((token: { name: string }) => token.name === 'old');
  const ended = await home.post(`/machine_tokens/${id}/revoke`, { as: home.machine });
  assert.ok(ended.status < 300, ended.text);
});
after(async () => {
  for (const eye of eyes.values()) {
    await dropSlots(eye);
    await eye.end();
  }
  await moving?.close();
});

const move = (from: number, to: number, ...options: string[]) => moving.move(from, to, ...options);
const whole = (cell: number) => moving.checkWhole(eyes.get(cell)!);
const states = (cell: number) => statesOf(eyes.get(cell)!);
const slots = async () =>
  (
    await eyes
      .get(1)!
      .query(`SELECT FROM pg_replication_slots WHERE database = ANY ($1)`, [
        all.cells.map(({ world }) => new URL(world.databaseUrl).pathname.slice(1)),
      ])
  ).rowCount;

test('a dry run says how much there is to copy and how long it will take, and changes nothing', async () => {
  const { code, out, err } = await move(1, 2, '--dry-run');
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /^\d+ rows of \d+ tables, \d+\.\d MB\.\nCopying takes about \d+ s, estimated from a sample\./);
  assert.match(out, /Nothing was changed\.\n$/);
  assert.deepEqual([await states(1), await states(2), await slots()], [[], [], 0]);
});

const stop = async (step: Step) => {
  if (step === 'copied') throw new Error('stopped');
};

test('a move that is undone leaves nothing behind, and the business continues', async () => {
  await assert.rejects(moveBusiness({ ...moving.around(1, 2), after: stop }), /stopped/);
  assert.deepEqual(await states(2), [{ business, state: 'arriving', cell: 1 }]);
  assert.equal((await home.get(`/events/${events[0]}`, { as: home.machine })).status, 200);
  const carried = await all.cell(2).world.get(`/events/${events[0]}`, { as: home.machine });
  assert.equal(carried.status, 200, 'the cell that it is copied to still carries requests to the one where it lives');
  await eyes.get(1)!.query(`UPDATE cell_move SET began_at = now() - interval '1 hour'`);
  const found = async () =>
    (await examine(home.databaseUrl, Date.now, readConfig(moving.settings(1, 2)))).map(({ wrong }) => wrong).join('\n');
  assert.match(
    await found(),
    new RegExp(`The move of business ${business} to cell 2 was stopped, and the database keeps`),
  );
  const { code, out, err } = await move(1, 2, '--cancel');
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /stays in cell 1\. Nothing of the move is left\./);
  assert.deepEqual([await states(1), await states(2), await slots()], [[], [], 0]);
  assert.doesNotMatch(await found(), /The move of|for a move/);
  const { rows } = await eyes
    .get(2)!
    .query('SELECT FROM provider WHERE provider_id = $1 UNION ALL SELECT FROM feed_item WHERE provider_id = $1', [
      business,
    ]);
  assert.equal(rows.length, 0);
});

test('a business with a transaction that runs too long is not closed', async () => {
  const busy = await beside(home.databaseUrl);
  await busy.query('BEGIN; SELECT FROM provider');
  const { code, err } = await move(1, 2);
  assert.equal(code, 1);
  assert.match(
    err,
    /A transaction has not ended since .* The business goes on in its cell\. Remedy: run the command again/,
  );
  assert.deepEqual(await states(1), []);
  await busy.end();
  assert.equal((await home.get(`/events/${events[0]}`, { as: home.machine })).status, 200);
});

test('a business moves while customers book: each booking exists once, and the business is unavailable for less than a second', async (t) => {
  const people = moving.bookings();
  await people.some(20);
  const { code, out, err } = await move(1, 2);
  assert.deepEqual([code, err], [0, ''], out);
  assert.match(out, new RegExp(`Business ${business} lives in cell 2\\. It was closed for \\d+ ms\\.`));
  await people.some(20);
  await people.stop();
  const away = Math.max(...people.at.slice(1).map((ms, n) => ms - people.at[n]));
  t.diagnostic(`nobody booked for ${Math.round(away)} ms; ${/closed for \d+ ms/.exec(out)![0]}`);
  await whole(2);
  assert.deepEqual([await states(1), await states(2), await slots()], [[{ business, state: 'left', cell: 2 }], [], 0]);
  const there = all.cell(2).world;
  assert.equal((await there.get('/events', { as: home.machine })).status, 200);
  assert.equal((await there.get('/events', { as: revoked })).status, 401);
  const { rows } = await eyes
    .get(2)!
    .query('SELECT password_hash AS hash FROM user_account WHERE email_key = $1', ['mover@example.com']);
  assert.deepEqual(rows, [{ hash: 'hash' }]);
  const [drawn, original] = await Promise.all([there, home].map(({ url }) => fetch(url + picture)));
  assert.deepEqual([drawn.status, await drawn.bytes()], [200, await original.bytes()]);
  assert.equal((await home.get('/events', { as: home.meadowMachine })).status, 200, 'the others stay');
});

test('a business does not move back to a cell that has its old rows; they are deleted once that is confirmed', async () => {
  const early = await move(2, 1);
  assert.equal(early.code, 1);
  assert.match(early.err, /Cell 1 still has rows of business \d+ from before it moved away.* --confirm/);
  const { code, out, err } = await move(1, 2, '--confirm');
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /Deleted what business \d+ left in cell 1: \d{3,} rows\./);
  const { rows } = await eyes.get(1)!.query(
    `SELECT 'provider' FROM provider WHERE provider_id = $1 UNION ALL SELECT 'feed' FROM feed_item
      WHERE provider_id = $1
     UNION ALL SELECT 'audit' FROM audit_entry WHERE provider_id = $1`,
    [business],
  );
  assert.deepEqual(rows, []);
  assert.deepEqual(await states(1), [{ business, state: 'left', cell: 2 }]);
});

// Guards against: A business that lives in two cells while it moves
test('a move that is killed after any of its steps continues from there, and nothing is lost or done twice', async () => {
  const people = moving.bookings();
  const died: Step[] = [];
  const dieAfter = (step: Step) => async (done: Step) => {
    if (done !== step) return;
    died.push(step);
    // The server terminates its sessions, so the command can't clean up.
    await eyes.get(1)!.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = $1
          AND datname = ANY ($2)`,
      [SESSION, all.cells.map(({ world }) => new URL(world.databaseUrl).pathname.slice(1))],
    );
  };
  const seen: Record<string, string | undefined> = {};
  const due = inTurns(STEPS);
  for (const step of due) {
    // No request is answered while the business is closed.
    if ((await states(2)).length === 0) await people.some(5);
    await assert.rejects(moveBusiness({ ...moving.around(2, 1), after: dieAfter(step) }), step);
    seen[step] = (await states(2))[0]?.state;
  }
  const { moved } = await moveBusiness(moving.around(2, 1));
  assert.equal(moved, !due.includes('live'));
  await people.some(5);
  await people.stop();
  assert.deepEqual(died, due);
  const open = undefined;
  const left = {
    begun: open,
    copied: open,
    followed: open,
    settled: open,
    fenced: 'leaving',
    completed: 'leaving',
    left: 'left',
    live: 'left',
  };
  assert.deepEqual(seen, Object.fromEntries(due.map((step) => [step, left[step]])));
  await whole(1);
  assert.deepEqual([await states(2), await states(1), await slots()], [[{ business, state: 'left', cell: 1 }], [], 0]);
});

test('incorrect usage is refused with the reason', async () => {
  const again = await move(2, 1);
  assert.deepEqual([again.code, again.err], [0, '']);
  assert.match(again.out, new RegExp(`Business ${business} lives in cell 1 already\\.`));
  const cases: [() => ReturnType<typeof move>, RegExp][] = [
    [() => move(1, 1), /CELL must be another one of the cells in CELLS \(1, 2\), not 1/],
    [
      () => command(['move', String(business), '2'], { ...moving.settings(1, 2), MOVE_TO_DATABASE_URL: '' }),
      /MOVE_TO_DATABASE_URL is not set/,
    ],
    [
      () =>
        command(['move', String(business), '2'], { ...moving.settings(1, 2), MOVE_TO_DATABASE_URL: home.databaseUrl }),
      /The database of MOVE_TO_DATABASE_URL is cell 1, not cell 2/,
    ],
    [() => command(['move', '999999', '2'], moving.settings(1, 2)), /There is no business 999999 in this cell/],
    [() => move(1, 2, '--confirm'), /Cell 2 still has rows of business \d+ from before/],
  ];
  for (const [act, why] of cases) {
    const { code, err } = await act();
    assert.equal(code, 1);
    assert.match(err, why);
    assert.doesNotMatch(err, /unexpected/);
  }
});
