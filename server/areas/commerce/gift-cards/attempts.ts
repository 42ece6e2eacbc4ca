/**
 * Protection against guessing of codes. An attempt is counted before it is evaluated, so that concurrent attempts get
 * no further than sequential ones; a correct one is uncounted afterwards. Keys are hashed, so the table identifies
 * nobody.
 */
import { chargedNetwork } from '../../../kernel/base/values/network.ts';
import { FORGOTTEN_MS, pauseAfter, type Whose } from './rules/attempts.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { say } from '../../../kernel/base/values/words.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const keyOf = (work: Work, whose: Whose, whom: string): string =>
  `\\x${work.installation.box.fingerprint(`gift card code ${whose}`, whom).toString('hex')}`;

interface Counted {
  readonly failures: number;
  readonly blocked_until: number;
}

/** Counts an attempt. @throws Problem during a pause, in which nothing is counted */
export async function takeAttempt(work: Work, ip: string): Promise<void> {
  const { actor, customerId } = work.viewer;
  await count(work, 'caller', customerId === null ? actor : `customer ${customerId}`);
  await count(work, 'network', chargedNetwork(ip));
}

async function count(work: Work, whose: Whose, whom: string): Promise<void> {
  const { tx, providerId, now } = work;
  const key = keyOf(work, whose, whom);
  const at = instant(now);
  const anew = instant(now - FORGOTTEN_MS);
  const { failures, blocked_until: until } = (await tx.one<Counted>(sql`
    INSERT INTO gift_card_attempt AS a (provider_id, key_hash, failures, blocked_until, last_at)
    VALUES (${providerId}, ${key}::bytea, 1, to_timestamp(0), ${at}::timestamptz)
    ON CONFLICT (provider_id, key_hash) DO UPDATE SET last_at = ${at}::timestamptz,
      failures = CASE WHEN a.last_at <= ${anew}::timestamptz THEN 1 ELSE a.failures + 1 END
    RETURNING failures, blocked_until`))!;
  if (until > now) throw wait(Math.ceil((until - now) / 1000));
  const pause = pauseAfter(failures, whose);
  if (pause > 0)
    await tx.run(
      sql`UPDATE gift_card_attempt SET blocked_until = ${instant(now + pause * 1000)}::timestamptz
        WHERE provider_id = ${providerId} AND key_hash = ${key}::bytea`,
    );
}

const wait = (seconds: number): Problem =>
  new Problem(
    'rate_limited',
    seconds < 120
      ? say`Too many codes were wrong. Try again in ${seconds} seconds.`
      : say`Too many codes were wrong. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    {},
    { 'retry-after': String(seconds) },
  );

/**
 * Uncounts a correct attempt; earlier wrong ones still count. Otherwise, a person with one card of their own could
 * guess others endlessly.
 */
export async function takeBackAttempt(work: Work, ip: string): Promise<void> {
  const { actor, customerId } = work.viewer;
  const keys = [
    keyOf(work, 'caller', customerId === null ? actor : `customer ${customerId}`),
    keyOf(work, 'network', chargedNetwork(ip)),
  ];
  const theirs = sql`provider_id = ${work.providerId} AND key_hash = ANY(${keys}::bytea[])`;
  await work.tx.all([
    sql`DELETE FROM gift_card_attempt WHERE ${theirs} AND failures = 1`,
    sql`UPDATE gift_card_attempt SET failures = failures - 1, blocked_until = to_timestamp(0)
      WHERE ${theirs} AND failures > 1`,
  ]);
}

export const sweepAttempts = (tx: Transaction, now: number): Promise<unknown> =>
  tx.run(sql`DELETE FROM gift_card_attempt WHERE last_at <= ${instant(now - FORGOTTEN_MS)}::timestamptz`);
