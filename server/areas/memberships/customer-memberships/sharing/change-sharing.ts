/** The only writer of the customers with whom a membership is shared. */
import { changeOwned, item, type Locked } from '../owned.ts';
import { membershipSharingFeed } from './feed.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Shared {
  /** customers with whom it is shared individually; ids */
  readonly people: readonly number[];
  /** true to share it with the owner's whole family */
  readonly family: boolean;
}

/** Shares it with exactly these, and reports the differences. */
export async function changeSharing(work: Work, owned: Locked, { people, family }: Shared): Promise<void> {
  const added = people.filter((one) => !owned.sharedWith.includes(one));
  const removed = owned.sharedWith.filter((one) => !people.includes(one));
  const turned = family !== owned.shared_with_family;
  if (added.length === 0 && removed.length === 0 && !turned) return;
  work.touchLinks('customer_membership', owned.id, { name: 'shared_with', before: owned.sharedWith, after: people });
  await writeShares(work, owned.id, { added, removed });
  const [begins, ends] = [turned && family, turned && !family];
  await changeOwned(work, owned, {
    to: { shared_with_family: family },
    items: [
      ...(added.length > 0 || begins ? [item(membershipSharingFeed.shared, { customers: added, family: begins })] : []),
      ...(removed.length > 0 || ends
        ? [item(membershipSharingFeed.unshared, { customers: removed, family: ends })]
        : []),
    ],
    effects: [
      ...added.map((customer) => ['shared', { customer }] as const),
      ...removed.map((customer) => ['unshared', { customer }] as const),
      ...(turned ? [[family ? 'shared_with_family' : 'unshared_with_family'] as const] : []),
    ],
  });
}

async function writeShares(
  { tx, providerId, now }: Work,
  id: number,
  { added, removed }: { added: readonly number[]; removed: readonly number[] },
): Promise<void> {
  await tx.all([
    sql`DELETE FROM customer_membership_share
      WHERE provider_id = ${providerId} AND customer_membership_id = ${id} AND customer_id = ANY(${removed}::bigint[])`,
    sql`INSERT INTO customer_membership_share (provider_id, customer_membership_id, customer_id, created_at)
        SELECT ${providerId}, ${id}, c, ${instant(now)}::timestamptz FROM unnest(${added}::bigint[]) c`,
  ]);
}
