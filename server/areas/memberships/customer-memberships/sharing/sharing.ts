import { action, answer, get, type Call, type Who } from '../../../../kernel/api/endpoint.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { againstEnding, againstSharing, type SharingFacts, type SharingRefusal } from './rules/sharing.ts';
import { boolean, id, listOf, ref, refs } from '../../../../kernel/base/fields/kinds.ts';
import { changeSharing } from './change-sharing.ts';
import { checkActsFor, lockCustomers } from '../../../people/customers/index.ts';
import { customerMembership } from '../customer-membership.ts';
import { todayOf } from '../writes.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { lockUncovered, settleUncovered } from '../use/uncovered.ts';
import { lockOwned, type Locked } from '../owned.ts';
import { resource } from '../../../../kernel/api/resource.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { one, say } from '../../../../kernel/base/values/words.ts';

/** Maximum, because everybody with whom it is shared is read when one of them books. */
const PEOPLE = 100;

const who: Who = { provider: ['super_admin', 'customers'], customer: true, unregistered: false };
const customers = listOf(id(), { max: PEOPLE });

const body = {
  customers: refs('customer', { max: PEOPLE }).default([]),
  family: boolean().default(false).describe("The holder's whole family, including people who join it later."),
};

export const shareStatus = resource('share_status', {
  description: 'Whether others can use a membership that a customer holds.',
  table: 'customer_membership',
  object: null,
  fields: {
    customer: ref('customer').describe('The customer who holds the membership.'),
    family: boolean()
      .from((t) => raw(`${t}.shared_with_family`))
      .describe('It is shared with the whole family.'),
    shared: boolean()
      .from((t) =>
        raw(
          `(${t}.shared_with_family OR EXISTS (SELECT FROM customer_membership_share s WHERE s.provider_id = ${t}.provider_id AND s.customer_membership_id = ${t}.id))`,
        ),
      )
      .describe('It is shared with someone.'),
  },
  visible: customerMembership.visible,
});

/** Locks the customers before the membership, in the documented lock order. */
async function lock(work: Work, target: Record<string, any>, people: readonly number[]): Promise<Locked> {
  await lockCustomers(work, [target.customer_id, ...people], 'KEY SHARE');
  return lockOwned(work, target.id);
}

const actsFor = (work: Work, customer: number): Promise<boolean> =>
  checkActsFor(work, customer).then(
    () => true,
    (error) => (error instanceof Problem ? false : Promise.reject(error)),
  );

async function callerOf(work: Work, holder: number): Promise<SharingFacts['by']> {
  if (work.viewer.mode === 'provider') return 'staff';
  return (await actsFor(work, holder)) ? 'holder' : 'other';
}

const REFUSALS: Record<SharingRefusal, () => Problem> = {
  not_yours: () =>
    new Problem('permission_denied', {
      staff: 'Only the holder can decide who shares the membership.',
      customer: say`This ${one.membership} is shared with you. Only its holder can decide who shares it, but you can stop using it yourself.`,
    }),
  not_shareable: () =>
    new Problem('permission_denied', {
      staff: "The holder can't share this membership. Share it as staff.",
      customer: say`You can't share this ${one.membership} yourself. Ask the business to do it.`,
    }),
  cancelled: () =>
    new Problem('already_cancelled', {
      staff: 'The membership was cancelled. Reactivate it before sharing it.',
      customer: say`This ${one.membership} was cancelled, so it can't be shared.`,
    }),
  completed: () =>
    new Problem('already_ended', {
      staff: 'The membership has ended. Share another one.',
      customer: say`This ${one.membership} has ended, so it can't be shared.`,
    }),
};

function refuse(against: SharingRefusal | null): void {
  if (against !== null) throw REFUSALS[against]();
}

type Sharing = Call<object, { customers: number[]; family: boolean }>;

function asked({ body }: Sharing): number[] {
  if (body.customers.length === 0 && !body.family) throw invalid('customers', 'Send at least 1, or family.');
  return [...new Set(body.customers)];
}

export const share = action({
  path: '/customer_memberships/{id}/share',
  summary: 'Share a membership',
  description:
    'Sharing adds no uses: everyone uses the same ones. Holders can share a `shareable` membership with their own family; staff can share any membership with anyone. Returns everyone that the membership is shared with by name.',
  who,
  body,
  target: customerMembership,
  unlocked: true,
  returns: answer({ customers }),
  problems: ['permission_denied', 'already_cancelled', 'already_ended'],
  run: async (call) => {
    const {
      work,
      target,
      body: { family },
    } = call;
    const people = asked(call);
    const owned = await lock(work, target, people);
    const { customer_id: owner, status, allows } = owned;
    refuse(againstSharing({ by: await callerOf(work, owner), status, shareable: allows.sharing }));
    if (people.includes(owner))
      throw invalid('customers', say`The ${one.customer} ${owner} holds the ${one.membership}.`);
    const after = [...new Set([...owned.sharedWith, ...people])].toSorted((a, b) => a - b);
    if (after.length > PEOPLE)
      throw invalid(
        'customers',
        `It would be shared with ${after.length} people, but at most ${PEOPLE} are possible. Stop sharing it with others first.`,
      );
    await checkThere(work, people);
    await changeSharing(work, owned, { people: after, family: owned.shared_with_family || family });
    return { customers: after };
  },
});

async function checkThere({ tx, providerId }: Work, people: readonly number[]): Promise<void> {
  const gone = await tx.one<{ id: number }>(
    sql`SELECT id FROM customer WHERE provider_id = ${providerId} AND id = ANY(${people}::bigint[])
      AND deleted_at IS NOT NULL ORDER BY id LIMIT 1`,
  );
  if (gone) throw invalid('customers', `There is no customer with the id ${gone.id}.`);
}

export const unshare = action({
  path: '/customer_memberships/{id}/unshare',
  summary: 'Stop sharing a membership',
  description:
    'Their future bookings with the membership are cancelled in time or kept, as set by the business (`bookings_without_membership`). Try it with `dry_run` first. People a membership is shared with can end this for themselves. Returns everyone that the membership is still shared with by name.',
  who,
  body,
  target: customerMembership,
  unlocked: true,
  returns: answer({ customers }),
  problems: ['permission_denied'],
  run: async (call) => {
    const {
      work,
      target,
      body: { family },
    } = call;
    const people = asked(call);
    const theirs = await Promise.all(
      people.map(async (person) => ({ theirs: work.viewer.mode === 'provider' || (await actsFor(work, person)) })),
    );
    refuse(againstEnding(await callerOf(work, target.customer_id), theirs, family));
    // Customers whose bookings may be affected, before anything is locked; those who may still use it afterwards keep
    // theirs.
    const losing = [...people, ...(family ? await familyOf(work, target.customer_id) : [])];
    // The clock of a venue may be a day behind that of the business.
    const from = addDays(todayOf(work), -1);
    const uncovered = await lockUncovered(
      work,
      losing.map((customer) => ({ customerMembership: target.id, from, to: null, customer })),
    );
    const owned = await lock(work, target, []);
    const after = owned.sharedWith.filter((one) => !people.includes(one));
    await changeSharing(work, owned, { people: after, family: owned.shared_with_family && !family });
    const users = new Set(
      (
        await work.tx.rows<{ id: number }>(
          sql`SELECT customer_id AS id FROM customer_membership_user
            WHERE provider_id = ${work.providerId} AND customer_membership_id = ${owned.id}`,
        )
      ).map((user) => user.id),
    );
    await settleUncovered(work, {
      ...uncovered,
      which: uncovered.which.filter((which) => !users.has(which.customer!)),
    });
    return { customers: after };
  },
});

async function familyOf({ tx, providerId }: Work, holder: number): Promise<number[]> {
  const rows = await tx.rows<{
    id: number;
  }>(sql`SELECT other.id FROM customer me JOIN customer other ON other.provider_id = me.provider_id
    AND other.family_id = me.family_id AND other.id <> me.id
    WHERE me.provider_id = ${providerId} AND me.id = ${holder}`);
  return rows.map((row) => row.id);
}

export const showShareStatus = get(shareStatus, {
  path: '/customer_memberships/{id}/share_status',
  summary: 'Check whether a membership is shared',
  who: { provider: true, customer: true, unregistered: false },
});
