/** How the person of an account becomes a customer: never before the e-mail address is confirmed. */
import { auditTouched } from '../../kernel/audit.ts';
import { instant, sql } from '../../kernel/db/sql.ts';
import { ownViewer } from '../../kernel/access/viewer.ts';
import { Work } from '../../kernel/work.ts';
import { createCustomer } from '../customers/index.ts';
import { claimProfiles, type Account } from '../identity/index.ts';
import type { At, Desk } from './desk.ts';
import type { Transaction } from '../../kernel/db/database.ts';

export interface SignUpDetails {
  readonly firstName: string;
  readonly lastName: string;
  readonly venueId: number | null;
  readonly broadcast: boolean;
  readonly sms: boolean;
}

const KEPT_DAYS = 14;
const keyOf = (email: string): string => email.normalize('NFC').toLowerCase();

/** Keeps what somebody said who signs up, in place of what was said before under this address. */
export async function keepSignUp({ door }: Desk, { site, now }: At, email: string, { firstName, lastName, venueId, broadcast, sms }: SignUpDetails): Promise<void> {
  await door.db.transaction(site.id, (tx) =>
    tx.run(
      sql`INSERT INTO sign_up (provider_id, email_key, first_name, last_name, venue_id, is_opted_into_broadcast_messages, is_opted_into_sms_marketing, created_at)
          VALUES (${site.id}, ${keyOf(email)}, ${firstName}, ${lastName}, ${venueId}, ${broadcast}, ${sms}, ${instant(now)})
          ON CONFLICT (provider_id, email_key) DO UPDATE SET first_name = excluded.first_name, last_name = excluded.last_name, venue_id = excluded.venue_id,
            is_opted_into_broadcast_messages = excluded.is_opted_into_broadcast_messages,
            is_opted_into_sms_marketing = excluded.is_opted_into_sms_marketing, created_at = excluded.created_at`,
    ),
  );
}

/** Forgets what nobody confirmed. */
export const forgetSignUps = (tx: Transaction, now: number): Promise<number> =>
  tx.run(sql`DELETE FROM sign_up WHERE created_at < ${instant(now - KEPT_DAYS * 86_400_000)}`);

/**
 * Takes the records that the business has of this address, else makes a new customer; `wanted` is whether the person asks for it now,
 * else it is made only for somebody who signed up here. Needs a confirmed address; does nothing for a customer.
 */
export async function becomeCustomer({ door, registry }: Desk, { site, now, requestId }: At, account: Account, wanted: boolean): Promise<void> {
  await door.db.acrossTenants('an account belongs to no business, the records that it claims do', (tx) => claimProfiles(tx, { userId: account.id, providerId: site.id }));
  await door.db.transaction(site.id, async (tx) => {
    const [[already], [said]] = await tx.all([
      sql`SELECT id FROM customer WHERE provider_id = ${site.id} AND user_id = ${account.id} AND deleted_at IS NULL`,
      sql`DELETE FROM sign_up WHERE provider_id = ${site.id} AND email_key = ${keyOf(account.email)} RETURNING *`,
    ]);
    if (already || (!said && !wanted)) return;
    const work = new Work({ tx, tenant: site.tenant, viewer: ownViewer(site.id, `user:${account.id}`), now, requestId });
    await createCustomer(work, {
      user_id: account.id,
      email: account.email,
      first_name: said?.first_name ?? account.firstName,
      last_name: said?.last_name ?? account.lastName,
      venue: said?.venue_id ?? undefined,
      is_opted_into_broadcast_messages: said?.is_opted_into_broadcast_messages ?? false,
      is_opted_into_sms_marketing: said?.is_opted_into_sms_marketing ?? false,
    });
    await auditTouched(work, registry, 'page sign-up');
    for (const record of work.takeRecords()) await tx.run(record);
  });
}

/** What the person is at this business. */
export async function profilesHere(tx: Transaction, userId: number, providerId: number): Promise<{ staff: boolean; customer: boolean }> {
  const row = await tx.one<{ staff: boolean; customer: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM staff WHERE provider_id = ${providerId} AND user_id = ${userId} AND NOT archived) AS staff,
               EXISTS (SELECT 1 FROM customer WHERE provider_id = ${providerId} AND user_id = ${userId} AND deleted_at IS NULL) AS customer`,
  );
  return row!;
}
