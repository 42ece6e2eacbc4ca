/**
 * The invariants that must hold after every drill: the ledger, the feed, the counters, the messages, the credentials.
 */
import assert from 'node:assert/strict';
import type pg from 'pg';
import { checkBooks, type Booked } from '../../server/test/processes/booking-storm.ts';
import { until } from './wait.ts';
import { openDatabase, superuserUrl } from './database-machine.ts';
import { rollcall, type Cell } from './cell.ts';

const SETTLED_MS = 240_000;

/** Waits until all jobs are done, all feed items have numbers, and no message is pending. */
async function settled(client: pg.Client): Promise<void> {
  const none = (what: string, text: string) =>
    until(what, async () => (await client.query(text)).rowCount === 0, SETTLED_MS);
  await none('the feed is numbered', 'SELECT 1 FROM feed_item WHERE seq IS NULL LIMIT 1');
  await none(
    'every reader of the feed is at its end',
    `SELECT 1 FROM feed_reader_position p
      WHERE p.last_seq < (SELECT max(seq) FROM feed_item f WHERE f.provider_id = p.provider_id) LIMIT 1`,
  );
  await none('every message is sent', `SELECT 1 FROM message WHERE status IN ('queued', 'sending') LIMIT 1`);
}

async function checkFeed(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ first: number; last: number; n: number }>(
    `SELECT min(seq)::int AS first, max(seq)::int AS last, count(DISTINCT seq)::int AS n FROM feed_item
      GROUP BY provider_id`,
  );
  assert.ok(rows.length > 0, 'the feed has items');
  for (const { first, last, n } of rows) assert.deepEqual([first, last], [1, n], 'the feed is numbered from 1 to n');
  return Math.max(...rows.map(({ n }) => n));
}

/** Checks that nobody has two places at one event, whether the booking was acknowledged or not. */
async function checkOnce(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    'SELECT event_id, customer_id FROM attendance GROUP BY 1, 2 HAVING count(*) > 1 LIMIT 5',
  );
  assert.deepEqual(rows, [], 'booked twice');
}

/**
 * Checks that the mail server received no message twice, none that was not enqueued, and every one that is confirmed.
 */
async function checkMails(client: pg.Client, cell: Cell): Promise<number> {
  const { rows } = await client.query<{ recipient: string; sure: number; all: number }>(
    `SELECT recipient, count(*) FILTER (WHERE confirmed)::int AS sure, count(*)::int AS all
     FROM message WHERE channel = 'email' AND status = 'sent' GROUP BY 1`,
  );
  const sent = new Map(rows.map((row) => [row.recipient, row]));
  const twice = [...cell.mail.taken].filter(([to, n]) => n > (cell.mail.messageIds.get(to)?.size ?? 0));
  assert.deepEqual(twice, [], 'the same message twice');
  const more = [...cell.mail.taken].filter(([to, n]) => n > (sent.get(to)?.all ?? 0));
  assert.deepEqual(more, [], 'more messages than were queued');
  const fewer = rows.filter(({ recipient, sure }) => (cell.mail.taken.get(recipient) ?? 0) < sure);
  assert.deepEqual(fewer, [], 'confirmed and not there');
  return cell.mail.total;
}

/** Checks that every server refuses a revoked token. `more`: servers besides those of the cell */
export async function checkRefused(cell: Cell, token: string, more: readonly string[] = []): Promise<void> {
  for (const base of [cell.url, ...cell.databases.map(({ address }) => `http://${address}:8080`), ...more]) {
    const answer = await fetch(`${base}/api/v2/customers?page_size=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(answer.status, 401, `a revoked token at ${base}: ${await answer.text()}`);
  }
}

interface Checked {
  readonly items: number;
  readonly mails: number;
}

/**
 * Runs all checks. `booked`: every booking acknowledged since the cell was created; `revoked`: a token that had every
 * permission
 */
export async function checkAll(cell: Cell, booked: Booked[], revoked: string): Promise<Checked> {
  const primary = await cell.primary();
  const client = await openDatabase(superuserUrl(primary));
  try {
    await settled(client);
    await checkBooks(client, { booked, held: [] });
    await checkOnce(client);
    const checked = { items: await checkFeed(client), mails: await checkMails(client, cell) };
    await checkRefused(cell, revoked);
    await rollcall(primary, ['doctor']);
    await rollcall(primary, ['ledger', 'check']);
    return checked;
  } finally {
    await client.end();
  }
}
