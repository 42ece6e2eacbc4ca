import { APPLIES_TO, customerForm, fieldLink, membershipLink, typeLink } from './customer-form.ts';
import { boolean, integer, oneOf, refs } from '../../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, replaceLinks, updateRow } from '../../../../kernel/work/unit/row.ts';
import { changes, ordering } from '../../../../kernel/api/resource-changes.ts';
import { customerFormFeed } from '../feed.ts';
import { instant } from '../../../../kernel/base/db/sql.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { staffWith } from '../../../../kernel/api/endpoint.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin');
const { fields } = customerForm;
const MAX_LINKS = 200;

const body = {
  name: fields.name,
  order: integer({ min: -32_768, max: 32_767 }).nullable().optional(),
  offering_types_applies_to: oneOf(APPLIES_TO).optional(),
  offering_types: refs('offering_type', { max: MAX_LINKS }).optional().describe('Replaces the whole list.'),
  memberships_applies_to: oneOf(APPLIES_TO).optional(),
  memberships: refs('membership', { max: MAX_LINKS }).optional().describe('Replaces the whole list.'),
  submissions_expire_after: fields.submissions_expire_after.optional(),
  force_stale_updates: boolean().nullable().optional(),
  fields: refs('customer_field', { max: 100 }).optional().describe('In the order in which they are asked.'),
};

interface Links {
  readonly offering_types?: readonly number[];
  readonly memberships?: readonly number[];
  readonly fields?: readonly number[];
}

async function link(work: Work, form: number, { offering_types, memberships, fields: asked }: Links): Promise<void> {
  for (const [{ table, parent, ...to }, ids] of [
    [typeLink, offering_types],
    [membershipLink, memberships],
    [fieldLink, asked],
  ] as const)
    if (ids)
      await replaceLinks(
        work,
        table,
        { column: parent, id: form },
        { column: to.child, ids, ...('order' in to && { order: to.order }) },
      );
}

const CHOSEN = ['only', 'all_except'];

/** Refuses a list that has no effect, because the form applies to all or to none. */
function checkLists(
  applies: { readonly offering_types: string; readonly memberships: string },
  { offering_types = [], memberships = [] }: Links,
): void {
  for (const [name, of, ids] of [
    ['offering_types', applies.offering_types, offering_types],
    ['memberships', applies.memberships, memberships],
  ] as const)
    if (ids.length > 0 && !CHOSEN.includes(of))
      throw invalid(name, `Set \`${name}_applies_to\` to \`only\` or \`all_except\`, or leave the list empty.`);
}

export const changeForms = [
  ...changes(customerForm, {
    path: '/customer_forms',
    noun: 'customer form',
    who,
    body,
    create: async ({ work, body: { order, offering_types, memberships, fields: asked, ...sent } }) => {
      const { offering_types_applies_to = 'none', memberships_applies_to = 'none' } = sent;
      const links = { offering_types, memberships, fields: asked };
      checkLists({ offering_types: offering_types_applies_to, memberships: memberships_applies_to }, links);
      const id = await insertRow(work, 'customer_form', { ...sent, sort_order: order });
      await link(work, id, links);
      work.record(customerFormFeed.created, id, { customer_form: id });
      return id;
    },
    update: {
      description: 'A change of its questions makes a new version. Earlier submissions keep what was asked then.',
      run: async ({ work, body: { order, offering_types, memberships, fields: asked, ...sent }, target }) => {
        const links = { offering_types, memberships, fields: asked };
        checkLists(
          {
            offering_types: sent.offering_types_applies_to ?? target.offering_types_applies_to,
            memberships: sent.memberships_applies_to ?? target.memberships_applies_to,
          },
          links,
        );
        await updateRow(work, 'customer_form', target.id, {
          ...sent,
          sort_order: order,
          ...(asked && { version: target.version + 1 }),
        });
        await link(work, target.id, links);
        const changed = changedNames({ ...sent, ...links, order });
        if (changed.length > 0) work.record(customerFormFeed.updated, target.id, { customer_form: target.id, changed });
      },
    },
    remove: {
      description: 'Nobody is asked any more. What customers answered is kept.',
      run: async ({ work, target }) => {
        await updateRow(work, 'customer_form', target.id, { deleted_at: instant(work.now) });
        work.record(customerFormFeed.deleted, target.id, { customer_form: target.id });
      },
    },
  }),
  ordering(customerForm, {
    path: '/customer_forms',
    nouns: 'customer forms',
    who,
    moved: (work, id) => work.record(customerFormFeed.updated, id, { customer_form: id, changed: ['order'] }),
  }),
];
