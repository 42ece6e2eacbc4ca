import { action, choice, create, filter, listAndGet, one, remove, type Who } from '../../../../kernel/api/endpoint.ts';
import { boolean, email, id, personName, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { changeCustomer, familyOf } from '../writes.ts';
import { checkActsFor } from '../acting.ts';
import { customer } from '../customer.ts';
import { deleteRow, insertRow, updateRow } from '../../../../kernel/work/unit/row.ts';
import { familyInvite } from './family-invite.ts';
import { familyInviteFeed } from '../feed.ts';
import { IDENTITY_PROBLEMS, INVITE_TTL_MS, inviteToFamily, readFamilyInviteCode } from '../../identity/index.ts';
import { instant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, notFound, Problem } from '../../../../kernel/base/problem.ts';
import { lockCustomers } from '../lock.ts';
import { refuseJoining } from '../rules/join-family.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Staff with `customers`; customers for the family that they manage. */
const who: Who = { provider: ['customers'], customer: true, unregistered: false };

/** Number of invites of a family that can be open at the same time. */
const MAX_OPEN = 5;

async function checkRoom({ tx, providerId, now }: Work, family: number): Promise<void> {
  const { open } = (await tx.one<{ open: number }>(
    sql`SELECT count(*) AS open FROM family_invite WHERE provider_id = ${providerId} AND family_id = ${family}
      AND claimed_at IS NULL AND created_at > ${instant(now - INVITE_TTL_MS)}`,
  ))!;
  if (open >= MAX_OPEN)
    throw new Problem('conflict', {
      staff: `The family has ${MAX_OPEN} open invites. Delete one first.`,
      customer: 'Too many invitations are open. Withdraw one first.',
    });
}

const list = listAndGet(familyInvite, {
  path: '/family_invites',
  summary: 'List family invites',
  get: 'Get a family invite',
  who,
  filters: {
    family: filter(id(), (t, family) => sql`${raw(t)}.family_id = ${family}`),
    claimed: choice(boolean(), {
      true: (t) => raw(`${t}.claimed_at IS NOT NULL`),
      false: (t) => raw(`${t}.claimed_at IS NULL`),
    }),
  },
  sort: { id: { by: (t) => raw(`${t}.id`) } },
  defaultSort: 'id',
});

const invite = create(familyInvite, {
  path: '/family_invites',
  summary: 'Invite another parent to a family',
  description:
    'The person gets an email with a link, which works for two weeks. They see the children and their bookings, and book ' +
    'for them, but see only what they pay themselves. Invites count against the email quota of the business, if there is one.',
  who,
  body: {
    first_name: personName({ max: 256 }),
    last_name: personName({ max: 256 }),
    email: email(),
    customer: ref('customer')
      .optional()
      .describe('Whose family it is. Required for staff; customers can leave it out.'),
  },
  problems: ['conflict', IDENTITY_PROBLEMS.quota_exceeded],
  run: async ({ work, body: { customer: named, ...values } }) => {
    const manager = named ?? work.viewer.customerId;
    if (manager === null) throw invalid('customer', 'This field is required.');
    await checkActsFor(work, manager);
    const [row] = await lockCustomers(work, [manager]);
    if (!row || row.deleted_at !== null) throw invalid('customer', `There is no customer with the id ${manager}.`);
    if (row.family_role === 'child')
      throw invalid('customer', {
        staff: 'A child can’t invite anybody. Invite for the manager of the family.',
        customer: 'Only the person who manages your family can invite somebody.',
      });
    work.touch('customer', row.id, row as Record<string, any>);
    const family = await familyOf(work, manager, row.family_id);
    await checkRoom(work, family);
    const made = await insertRow(work, 'family_invite', { ...values, family_id: family, invited_by_id: manager });
    await inviteToFamily(work, { inviter: manager, invite: made, email: values.email });
    work.record(familyInviteFeed.created, made, { family_invite: made, customer: manager });
    return made;
  },
});

const withdraw = remove(familyInvite, {
  path: '/family_invites/{id}',
  summary: 'Withdraw a family invite',
  who,
  problems: ['conflict'],
  run: async ({ work, target }) => {
    if (target.claimed_at !== null)
      throw new Problem('conflict', {
        staff: 'The person has joined the family already.',
        customer: 'This person has joined your family already.',
      });
    await deleteRow(work, 'family_invite', target.id);
    work.record(familyInviteFeed.deleted, target.id, { family_invite: target.id, customer: target.invited_by_id });
  },
});

interface Open extends Record<string, unknown> {
  readonly id: number;
  readonly family_id: number;
  readonly invited_by_id: number;
}

/** Locks the invite of a code; null if it is unknown, used or too old. */
async function lockOpen({ tx, providerId, now, installation }: Work, code: string): Promise<Open | null> {
  const named = readFamilyInviteCode(installation.box, providerId, code);
  const row =
    named === null
      ? undefined
      : await tx.one<Open>(
          sql`SELECT * FROM family_invite WHERE provider_id = ${providerId} AND id = ${named} AND claimed_at IS NULL
            AND created_at > ${instant(now - INVITE_TTL_MS)} FOR UPDATE`,
        );
  return row ?? null;
}

const accept = action({
  path: '/family_invites/accept',
  summary: 'Join a family by its invite',
  description: 'The caller becomes another manager of the family, who sees the children and books for them.',
  who: { provider: false, customer: true, unregistered: false },
  body: { code: text({ max: 100 }).describe('The `invite` parameter of the `claim_url`.') },
  problems: ['conflict'],
  returns: one(customer),
  run: async ({ work, body: { code } }) => {
    const me = work.viewer.customerId!;
    const [row] = await lockCustomers(work, [me]);
    const open = await lockOpen(work, code);
    if (!row || !open) throw notFound();
    const refused = refuseJoining(
      { familyId: row.family_id, familyRole: row.family_role as 'manager' | 'child' | null },
      open.family_id,
    );
    if (refused) throw new Problem('conflict', refused);
    work.touch('customer', me, row as Record<string, any>);
    await changeCustomer(work, me, { family_id: open.family_id, family_role: 'manager', pays_for_family: false });
    work.touch('family_invite', open.id, open);
    await updateRow(work, 'family_invite', open.id, { claimed_by_id: me, claimed_at: instant(work.now) });
    work.record(familyInviteFeed.claimed, open.id, { family_invite: open.id, customer: me });
    return me;
  },
});

export const familyInvites = [...list, invite, withdraw, accept];
