/** Making the records that a business keeps of a person the person's own. */
import { claimed } from './feed.ts';
import { emailKey } from './rules/email-key.ts';
import { instant, json, raw, sql } from '../../../kernel/db/sql.ts';
import { readAccount } from './account.ts';
import { recordItem } from '../../../kernel/work.ts';
import { refuseClaim, refuseTaking, type ClaimRefusal } from './rules/claim.ts';
import type { Transaction } from '../../../kernel/db/database.ts';

export type ProfileKind = 'staff' | 'customer';

interface Profile {
  readonly id: number;
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly claimed: boolean;
  readonly gone: boolean;
}

const GONE = { staff: raw('archived'), customer: raw('deleted_at IS NOT NULL') };

const columns = (
  kind: ProfileKind,
) => sql`id, email, coalesce(first_name, '') AS "firstName", coalesce(last_name, '') AS "lastName",
  user_id IS NOT NULL AS claimed, ${GONE[kind]} AS gone`;

export async function readProfile(
  tx: Transaction,
  providerId: number,
  kind: ProfileKind,
  id: number,
): Promise<Profile | null> {
  return (
    (await tx.one<Profile>(
      sql`SELECT ${columns(kind)} FROM ${raw(kind)} WHERE provider_id = ${providerId} AND id = ${id}`,
    )) ?? null
  );
}

async function hasProfile(tx: Transaction, providerId: number, kind: ProfileKind, userId: number): Promise<boolean> {
  return (
    (await tx.one(
      sql`SELECT FROM ${raw(kind)} WHERE provider_id = ${providerId} AND user_id = ${userId} AND NOT (${GONE[kind]})`,
    )) !== undefined
  );
}

/** Null: the record is the person's now. The audit of the business says so. */
export async function takeProfile(
  tx: Transaction,
  {
    userId,
    providerId,
    kind,
    id,
    by,
    now,
  }: { userId: number; providerId: number; kind: ProfileKind; id: number; by: 'address' | 'invitation'; now: number },
): Promise<ClaimRefusal | null> {
  // One person at a time: of two records, or of two links, the later sees what the first did.
  await tx.run(sql`SELECT FROM user_account WHERE id = ${userId} FOR UPDATE`);
  const [account, record] = [await readAccount(tx, userId), await readProfile(tx, providerId, kind, id)];
  if (!account || !record) return 'gone';
  const facts = {
    disabled: account.disabledAt !== null,
    claimed: record.claimed,
    gone: record.gone,
    hasAnother: await hasProfile(tx, providerId, kind, userId),
  };
  const refused =
    by === 'invitation'
      ? refuseTaking(facts)
      : refuseClaim({
          ...facts,
          address: emailKey(account.email),
          confirmed: account.emailConfirmedAt !== null,
          recordAddress: record.email === null ? null : emailKey(record.email),
        });
  if (refused) return refused;
  const changed = await tx.run(
    sql`UPDATE ${raw(kind)} SET user_id = ${userId}, updated_at = ${instant(now)} WHERE provider_id = ${providerId} AND id = ${id} AND user_id IS NULL`,
  );
  if (changed === 0) return 'claimed';
  await tx.run(
    sql`INSERT INTO audit_entry (provider_id, at, request_id, actor, mode, action, object, object_id, before, after, user_id)
        VALUES (${providerId}, ${instant(now)}, 'account', ${`user:${userId}`}, ${kind === 'staff' ? 'provider' : 'customer'}, 'claim_profile', ${kind}, ${id},
                ${json({ user_id: null })}, ${json({ user_id: userId })}, ${userId})`,
  );
  await tx.run(
    recordItem(providerId, now, claimed[kind], id, { [kind]: id } as { customer: number } & { staff: number }),
  );
  return null;
}

/**
 * Takes the business's staff and customer records of the account's confirmed address. At this business only, where the
 * person is at this moment: what others keep of the address is claimed there, or never. Returns what was taken.
 */
export async function claimProfiles(
  tx: Transaction,
  { userId, providerId, now }: { userId: number; providerId: number; now: number },
): Promise<{ staff: number[]; customers: number[] }> {
  const account = await readAccount(tx, userId);
  if (!account) return { staff: [], customers: [] };
  const take = async (kind: ProfileKind): Promise<number[]> => {
    const found = await tx.rows<{ id: number }>(
      sql`SELECT id FROM ${raw(kind)} WHERE provider_id = ${providerId} AND lower(email) = lower(${account.email}) AND user_id IS NULL AND NOT (${GONE[kind]}) ORDER BY id`,
    );
    const taken: number[] = [];
    for (const { id } of found)
      if ((await takeProfile(tx, { userId, providerId, kind, id, by: 'address', now })) === null) taken.push(id);
    return taken;
  };
  return { staff: await take('staff'), customers: await take('customer') };
}
