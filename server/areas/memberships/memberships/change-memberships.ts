import { changes } from '../../../kernel/api/resource-changes.ts';
import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { usesBody } from './allotment.ts';
import { changeMembership } from './writes.ts';
import { createWhole } from './create-whole.ts';
import { listOf, object, refs, text } from '../../../kernel/base/fields/kinds.ts';
import { newPlan } from './payment-plan.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { membership, writable } from './membership.ts';
import { membershipFeed } from './feed.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';

const f = membership.fields;
const who = staffWith('super_admin');

const { membership: _, ...planBody } = newPlan;

/** Parts that a new membership needs before it can be sold, so that one call creates all of it. */
const parts = {
  allotment: object(usesBody).optional().describe('Allotment of uses, as in `PUT …/allotment`.'),
  payment_plans: listOf(object(planBody), { max: 20 })
    .optional()
    .describe('Only for recurring plans, as in `POST /membership_payment_plans`.'),
  registration_options: refs('offering_type', { max: 200 })
    .optional()
    .describe('The offering types that it includes, each with a grant at no further price. Absent: all of them.'),
};

const membershipChanges = changes(membership, {
  path: '/memberships',
  noun: 'membership',
  who,
  body: { ...writable, type: f.type.optional(), for_sale: f.for_sale.optional() },
  first: {
    ...writable,
    type: f.type,
    for_sale: f.for_sale.default(true),
    category: f.category.optional().describe('Required, unless you send `category_name`.'),
    category_name: text({ max: 256 })
      .optional()
      .describe('Instead of `category`: the category with this name, which is created if there is none.'),
    ...parts,
  },
  create: {
    description:
      "It is a draft that customers can't see until it has an allotment and everything else that its type needs. `incomplete_reasons` lists what is missing. Send `allotment`, `payment_plans` and `registration_options` to create it with its parts: either all of it is created or none.",
    problems: ['already_exists'],
    run: ({ work, body }) => createWhole(work, body),
  },
  update: {
    description:
      "Applies to people who buy it from now on. People who already hold it keep the dates and the price that they agreed to. The type can't be changed.",
    run: async ({ work, body: { type, ...values }, target }) => {
      if (type !== undefined && type !== target.type)
        throw invalid(
          'type',
          `The type can't be changed: this is a ${target.type}. Create another membership instead.`,
        );
      await changeMembership(work, target, values);
    },
  },
  remove: {
    summary: 'Delete a membership that was never used',
    description:
      'A membership that somebody has held, whose terms somebody has agreed to, or that a timeline names can only be archived.',
    problems: ['in_use'],
    run: async ({ work, target }) => {
      const mine = sql`provider_id = ${work.providerId} AND membership_id = ${target.id}`;
      const used = (await work.tx.one<{ consents: number; timelines: number }>(sql`SELECT
      (SELECT count(*)::int FROM terms_consent c
        JOIN membership_terms w ON w.provider_id = c.provider_id AND w.id = c.membership_terms_id
        WHERE w.provider_id = ${work.providerId} AND w.membership_id = ${target.id}) AS consents,
      (SELECT count(*)::int FROM registration_timeline_membership t WHERE ${mine}) AS timelines`))!;
      if (used.consents > 0) throw new Problem('in_use', 'Somebody has agreed to its terms. Archive it instead.');
      if (used.timelines > 0)
        throw new Problem(
          'in_use',
          `Registration timelines name it: ${used.timelines}. Remove it from them first, or archive it instead.`,
        );
      // Deletes everything that belongs to it; for any other reference, the database refuses.
      await work.tx.all([
        sql`DELETE FROM membership_terms_version v USING membership_terms w
          WHERE w.provider_id = v.provider_id AND w.id = v.membership_terms_id
          AND w.provider_id = ${work.providerId} AND w.membership_id = ${target.id}`,
        sql`DELETE FROM membership_terms WHERE ${mine}`,
        sql`DELETE FROM membership_payment_plan WHERE ${mine}`,
        sql`DELETE FROM membership_registration_grant WHERE ${mine}`,
        sql`DELETE FROM membership_limit_offering_type x USING membership_limit l
          WHERE l.provider_id = x.provider_id AND l.id = x.membership_limit_id
          AND l.provider_id = ${work.providerId} AND l.membership_id = ${target.id}`,
        sql`DELETE FROM membership_limit WHERE ${mine}`,
        sql`DELETE FROM membership WHERE provider_id = ${work.providerId} AND id = ${target.id}`,
      ]);
      work.record(membershipFeed.deleted, target.id, { membership: target.id });
    },
  },
});

const archive = action({
  path: '/memberships/{id}/archive',
  summary: 'Archive a membership',
  description:
    'It is no longer sold or shown to customers. People who hold it keep it. Archiving an archived membership changes nothing.',
  who,
  target: membership,
  returns: one(membership),
  run: async ({ work, target }) => {
    if (target.archived_at === null) {
      await updateRow(work, 'membership', target.id, { archived_at: instant(work.now), for_sale: false });
      work.record(membershipFeed.archived, target.id, { membership: target.id });
    }
    return target.id;
  },
});

const unarchive = action({
  path: '/memberships/{id}/unarchive',
  summary: 'Unarchive a membership',
  description: 'It is not for sale until you put it on sale.',
  who,
  target: membership,
  returns: one(membership),
  run: async ({ work, target }) => {
    if (target.archived_at !== null) {
      await updateRow(work, 'membership', target.id, { archived_at: null });
      work.record(membershipFeed.unarchived, target.id, { membership: target.id });
    }
    return target.id;
  },
});

export const changeMemberships = [...membershipChanges, archive, unarchive];
