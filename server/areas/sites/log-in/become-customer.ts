/** Turning the person of an account into a customer: never before the email address is confirmed. */
import { endWork } from '../../../kernel/work/unit/background-work.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { ownViewer } from '../../../kernel/work/access/viewer.ts';
import { Work } from '../../../kernel/work/unit/work.ts';
import { createCustomer } from '../../people/customers/index.ts';
import { claimProfiles, emailKey, type Account } from '../../people/identity/index.ts';
import { nowAt, type At, type Desk } from '../frame/index.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

export interface SignUpDetails {
  readonly venueId: number | null;
  readonly broadcast: boolean;
  readonly sms: boolean;
  /** code of the customer who invited them, as stored */
  readonly referral: string | null;
}

const RETENTION_DAYS = 14;

/** Stores what a person entered at sign-up. Call it after the account is created, see `detailsOf`. */
export async function keepSignUp(
  { door }: Desk,
  { site }: At,
  email: string,
  { venueId, broadcast, sms, referral }: SignUpDetails,
): Promise<void> {
  await door.db.transaction(site.id, (tx) =>
    tx.run(
      sql`INSERT INTO sign_up (provider_id, email_key, venue_id, is_opted_into_broadcast_messages,
        is_opted_into_sms_marketing, referral_code, created_at)
          VALUES (${site.id}, ${emailKey(email)}, ${venueId}, ${broadcast}, ${sms}, ${referral},
            ${instant(door.now())})`,
    ),
  );
}

/** Deletes sign-ups that were never confirmed. */
export async function forgetSignUps(tx: Transaction, now: number): Promise<void> {
  await tx.run(sql`DELETE FROM sign_up WHERE created_at < ${instant(now - RETENTION_DAYS * 86_400_000)}`);
}

/**
 * Returns the details of the sign-up that created the account: the first one since its creation. What others entered
 * with this address, earlier or later, gives no consent in the person's name.
 */
const detailsOf = (providerId: number, account: Account) =>
  sql`SELECT venue_id AS "venueId", is_opted_into_broadcast_messages AS broadcast,
        is_opted_into_sms_marketing AS sms, referral_code AS referral FROM sign_up
      WHERE provider_id = ${providerId} AND email_key = ${emailKey(account.email)}
        AND created_at >= ${instant(account.createdAt)} ORDER BY created_at, id LIMIT 1`;

/**
 * Claims the business's records with this address, or else creates a customer: if the person asks for it now (`wanted`:
 * true, or with what they enter), or if they signed up here. Requires a confirmed address; does nothing for an existing
 * customer.
 */
export async function becomeCustomer(
  { door, registry }: Desk,
  { site, now, requestId }: At,
  account: Account,
  wanted: boolean | SignUpDetails,
): Promise<void> {
  await door.db.acrossTenants('an account belongs to no business, the records that it claims do', (tx) =>
    claimProfiles(tx, registry, { userId: account.id, providerId: site.id, now: nowAt({ site, now }) }),
  );
  await door.db.transaction(site.id, async (tx) => {
    const [[already], [said]] = await tx.all([
      sql`SELECT id FROM customer WHERE provider_id = ${site.id} AND user_id = ${account.id} AND deleted_at IS NULL`,
      detailsOf(site.id, account),
    ]);
    await tx.run(sql`DELETE FROM sign_up WHERE provider_id = ${site.id} AND email_key = ${emailKey(account.email)}`);
    if (already || (!said && !wanted)) return;
    // The person who created the account may not be its current owner: only a confirmation with the password proves
    // that they are.
    const details = wanted === false ? said : wanted === true ? undefined : wanted;
    const work = new Work({
      tx,
      registry,
      tenant: site.tenant,
      viewer: ownViewer(site.id, `user:${account.id}`),
      now: nowAt({ site, now }),
      requestId,
    });
    await createCustomer(work, {
      user_id: account.id,
      email: account.email,
      first_name: account.firstName,
      last_name: account.lastName,
      ...(details && {
        venue: details.venueId,
        is_opted_into_broadcast_messages: details.broadcast,
        is_opted_into_sms_marketing: details.sms,
        referred_by_code: details.referral,
      }),
    });
    await endWork(work, registry, 'page sign-up');
  });
}

/** Returns true if the business asks new customers something: questions, forms for nothing else, policies, waivers. */
export const asksNewcomers = ({ door }: Desk, { site }: At): Promise<boolean> =>
  door.db.looking(site.id, async (tx) => {
    const row = await tx.one<{ asks: boolean }>(sql`
      SELECT EXISTS (SELECT FROM customer_field f WHERE f.provider_id = ${site.id} AND NOT f.archived
          AND f.show_on_new_customer_form)
        OR EXISTS (SELECT FROM customer_form o WHERE o.provider_id = ${site.id} AND o.deleted_at IS NULL
          AND o.offering_types_applies_to = 'none' AND o.memberships_applies_to = 'none')
        OR EXISTS (SELECT FROM policy p WHERE p.provider_id = ${site.id} AND NOT p.archived AND p.at_signup)
        OR EXISTS (SELECT FROM waiver w WHERE w.provider_id = ${site.id} AND NOT w.archived AND w.at_signup) AS asks`);
    return row!.asks;
  });

/** Returns whether the person is staff or a customer of this business. */
export async function profilesHere(
  tx: Transaction,
  userId: number,
  providerId: number,
): Promise<{ staff: boolean; customer: boolean }> {
  const row = await tx.one<{ staff: boolean; customer: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM staff WHERE provider_id = ${providerId} AND user_id = ${userId}
      AND NOT archived) AS staff,
               EXISTS (SELECT 1 FROM customer WHERE provider_id = ${providerId} AND user_id = ${userId}
                 AND deleted_at IS NULL) AS customer`,
  );
  return row!;
}
