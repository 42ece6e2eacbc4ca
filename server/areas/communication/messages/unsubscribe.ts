/** Withdraws somebody's consent to news, by the link of one message. */
import { endConsent } from '../../people/customers/index.ts';
import { backgroundWork, type Own } from '../../../kernel/work/unit/background-work.ts';
import { suppress } from './suppress.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { tokenHash } from './tokens.ts';
import type { Channel } from './queue.ts';

export interface Unsubscribing {
  readonly provider_id: number;
  readonly id: number;
  readonly channel: Channel;
  readonly customer_id: number | null;
  readonly recipient: string | null;
  readonly business: string;
}

/** Returns the message of a link; undefined if there is none. */
export const messageOfLink = ({ db }: Pick<Own, 'db'>, token: string): Promise<Unsubscribing | undefined> =>
  db.acrossTenants('a link to unsubscribe is looked up before its business is known', (tx) =>
    tx.one<Unsubscribing>(sql`
      SELECT m.provider_id, m.id, m.channel, m.customer_id, m.recipient, b.name AS business
      FROM message m JOIN provider b ON b.provider_id = m.provider_id WHERE m.unsubscribe_hash = ${tokenHash(token)}`),
  );

const OPT_IN = { email: 'is_opted_into_broadcast_messages', sms: 'is_opted_into_sms_marketing' } as const;

/** Unsubscribes. Repeating it changes nothing. */
export async function unsubscribe(own: Own, m: Unsubscribing): Promise<void> {
  await backgroundWork(own, m.provider_id, 'unsubscribe_link', async (work) => {
    if (m.customer_id !== null) await endConsent(work, m.customer_id, OPT_IN[m.channel]);
    if (m.recipient !== null)
      await suppress(work, { channel: m.channel, address: m.recipient, reason: 'unsubscribed', message: m.id });
  });
}
