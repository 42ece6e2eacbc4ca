/** Turns a business's records of a person into the person's own. */
import { claimedFeeds } from '../feed.ts';
import { emailKey } from '../rules/email-key.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { readAccount } from './account.ts';
import { recordAudit, recordItem, type Declarations } from '../../../../kernel/work/unit/work.ts';
import { refuseClaim, refuseTaking, type ClaimRefusal } from '../rules/claim.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

export type ProfileKind = 'staff' | 'customer';

interface Profile {
  readonly id: number;
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly claimed: boolean;
  readonly gone: boolean;
  /** text of the invitation */
  readonly note: string | null;
  /** bought without an account */
  readonly guest: boolean;
}

export async function readProfile(
  tx: Transaction,
  providerId: number,
  kind: ProfileKind,
  id: number,
): Promise<Profile | null> {
  return (
    (await tx.one<Profile>(
      sql`SELECT id, email, coalesce(first_name, '') AS "firstName", coalesce(last_name, '') AS "lastName",
        user_id IS NOT NULL AS claimed, gone, note, guest
          FROM profile WHERE provider_id = ${providerId} AND kind = ${kind} AND id = ${id}`,
    )) ?? null
  );
}

async function hasProfile(tx: Transaction, providerId: number, kind: ProfileKind, userId: number): Promise<boolean> {
  return (
    (await tx.one(
      sql`SELECT FROM profile WHERE provider_id = ${providerId} AND kind = ${kind} AND user_id = ${userId}
        AND NOT gone`,
    )) !== undefined
  );
}

/** Claims a record; null: the record is now the person's. Recorded in the audit of the business. */
export async function takeProfile(
  tx: Transaction,
  registry: Declarations,
  {
    userId,
    providerId,
    kind,
    id,
    by,
    now,
  }: { userId: number; providerId: number; kind: ProfileKind; id: number; by: 'address' | 'invitation'; now: number },
): Promise<ClaimRefusal | null> {
  // One claim per person at a time: of two records, or two links, the later one sees the result of the first.
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
  if (!(await registry.claim(kind, tx, { providerId, id, userId, now }))) return 'claimed';
  const viewer = {
    actor: `user:${userId}`,
    userId,
    applicationId: null,
    mode: kind === 'staff' ? 'provider' : 'customer',
  } as const;
  await tx.run(
    recordAudit({ providerId, requestId: 'account', viewer }, now, {
      action: 'claim_profile',
      object: kind,
      objectId: id,
      before: { user_id: null },
      after: { user_id: userId },
    }),
  );
  await tx.run(
    recordItem(providerId, now, claimedFeeds[kind].claimed, id, { [kind]: id } as { customer: number } & {
      staff: number;
    }),
  );
  return null;
}

/**
 * Claims the business's staff and customer records of the account's confirmed address. Only at the business where the
 * person is now: records at other businesses are claimed there, or never. Returns the claimed records.
 */
export async function claimProfiles(
  tx: Transaction,
  registry: Declarations,
  { userId, providerId, now }: { userId: number; providerId: number; now: number },
): Promise<{ staff: number[]; customers: number[] }> {
  const account = await readAccount(tx, userId);
  if (!account) return { staff: [], customers: [] };
  const take = async (kind: ProfileKind): Promise<number[]> => {
    // Records that the business entered come before records that anybody could create.
    const found = await tx.rows<{ id: number }>(
      sql`SELECT id FROM profile WHERE provider_id = ${providerId} AND kind = ${kind}
        AND lower(email) = lower(${account.email}) AND user_id IS NULL AND NOT gone ORDER BY guest, id`,
    );
    const taken: number[] = [];
    for (const { id } of found)
      if ((await takeProfile(tx, registry, { userId, providerId, kind, id, by: 'address', now })) === null)
        taken.push(id);
    return taken;
  };
  return { staff: await take('staff'), customers: await take('customer') };
}
