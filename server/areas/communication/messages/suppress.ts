/** Adds an address to the list of those that are no longer written to. */
import { addressKey } from '../../../kernel/base/values/mail-address.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { backgroundWork, type Own } from '../../../kernel/work/unit/background-work.ts';
import { suppressionFeed, type SUPPRESSION_REASONS } from './feed.ts';
import type { Channel } from './queue.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export interface NewSuppression {
  readonly channel: Channel;
  readonly address: string;
  readonly reason: SuppressionReason;
  readonly note?: string | null;
  readonly message?: number | null;
}

/** A stronger reason replaces a weaker one: an address that unsubscribed and then bounced is not written to at all. */
const WEIGHT = sql`CASE WHEN suppression.reason = 'unsubscribed' THEN 0
  ELSE 1 END < CASE WHEN excluded.reason = 'unsubscribed' THEN 0 ELSE 1 END`;

/** Adds an address and returns the id of the entry, whether it is new or not. */
export async function suppress(
  work: Work,
  { channel, address, reason, note = null, message = null }: NewSuppression,
): Promise<number> {
  const key = addressKey(address);
  const at = instant(work.now);
  // Locked, so that the audit shows what a stronger reason replaced.
  const before = await work.tx.one<Row<'suppression'>>(
    sql`SELECT * FROM suppression WHERE provider_id = ${work.providerId} AND channel = ${channel} AND address = ${key}
      FOR NO KEY UPDATE`,
  );
  if (before) work.touch('suppression', before.id, before);
  const made = await work.tx.one<{ id: number; fresh: boolean }>(sql`
    INSERT INTO suppression (provider_id, channel, address, reason, note, message_id, created_at, updated_at)
    VALUES (${work.providerId}, ${channel}, ${key}, ${reason}, ${note}, ${message}, ${at}, ${at})
    ON CONFLICT ON CONSTRAINT suppression_address
    DO UPDATE SET reason = excluded.reason, note = excluded.note, message_id = excluded.message_id,
      updated_at = excluded.updated_at
      WHERE ${WEIGHT}
    RETURNING id, xmax = 0 AS fresh`);
  if (made) {
    if (made.fresh) work.touch('suppression', made.id, null);
    work.record(suppressionFeed.created, made.id, { suppression: made.id, reason });
    return made.id;
  }
  const known = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM suppression WHERE provider_id = ${work.providerId} AND channel = ${channel}
      AND address = ${key}`,
  );
  return known!.id;
}

interface Refused {
  readonly providerId: number;
  readonly channel: Channel;
  readonly address: string;
  readonly message: number;
  readonly code: string | null;
}

/** Records a hard bounce: the other side reported that the address does not exist. */
export const suppressAddress = (own: Own, { providerId, channel, address, message, code }: Refused): Promise<unknown> =>
  backgroundWork(own, providerId, 'sending', async (work) => {
    await noteBounce(work, { message, address, hard: true, code });
    await suppress(work, { channel, address, reason: 'bounced', message });
  });

export const noteBounce = (
  work: Work,
  { message, address, hard, code }: { message: number; address: string; hard: boolean; code: string | null },
): Promise<unknown> =>
  work.tx.run(
    sql`INSERT INTO message_bounce (provider_id, message_id, address, hard, code, at)
        VALUES (${work.providerId}, ${message}, ${addressKey(address)}, ${hard}, ${code?.slice(0, 20) ?? null},
          ${instant(work.now)})`,
  );
