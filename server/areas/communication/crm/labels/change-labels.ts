import { changes } from '../../../../kernel/api/resource-changes.ts';
import { action, one, staffWith } from '../../../../kernel/api/endpoint.ts';
import { addLabel, removeLabel, type Label } from './writes.ts';
import { boolean, ref } from '../../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, updateRow } from '../../../../kernel/work/unit/row.ts';
import { checkUnnamed } from '../workflows/names.ts';
import { color, slug, slugFor } from '../slug-field.ts';
import { customer } from '../../../people/customers/index.ts';
import { customerLabel } from './customer-label.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { customerLabelFeed } from './feed.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin');
const body = { name: customerLabel.fields.name, color: color().optional(), archived: boolean().optional() };

const labelChanges = changes(customerLabel, {
  path: '/customer_labels',
  noun: 'customer label',
  who,
  body,
  first: { ...body, slug: slug().optional().describe('If left out, it is made from the name.') },
  create: {
    problems: ['already_exists'],
    run: async ({ work, body: sent }) => {
      const id = await insertRow(work, 'customer_label', {
        ...sent,
        color: sent.color?.toLowerCase(),
        slug: slugFor(sent.slug, sent.name),
      });
      work.record(customerLabelFeed.created, id, { customer_label: id });
      return id;
    },
  },
  update: {
    summary: 'Update or archive a customer label',
    description: "Its slug can't be changed, because conditions and programs refer to it.",
    run: async ({ work, body: sent, target }) => {
      await updateRow(work, 'customer_label', target.id, { ...sent, color: sent.color?.toLowerCase() });
      const changed = changedNames(sent);
      if (changed.length > 0) work.record(customerLabelFeed.updated, target.id, { customer_label: target.id, changed });
    },
  },
  remove: {
    description:
      "It is removed from every customer who has it. A label that a workflow or the filter of an unsent broadcast names can't be deleted: change that first, or archive the label.",
    problems: ['in_use'],
    run: async ({ work, target }) => {
      await checkUnnamed(work, 'label', { id: target.id, slug: target.slug });
      const [off] = await work.tx.all([
        sql`DELETE FROM customer_label_link WHERE provider_id = ${work.providerId} AND customer_label_id = ${target.id}
          RETURNING customer_id`,
        sql`DELETE FROM customer_label WHERE provider_id = ${work.providerId} AND id = ${target.id}`,
      ]);
      if (off.length > 0)
        work.audit({
          action: 'DELETE /customer_labels/{id}',
          object: 'customer_label',
          objectId: target.id,
          before: { customers: off.length },
          after: { customers: 0 },
        });
      work.record(customerLabelFeed.deleted, target.id, { customer_label: target.id });
    },
  },
});

const ofCustomer = (
  verb: 'add' | 'remove',
  summary: string,
  description: string,
  act: (work: Work, customer: number, label: Label) => Promise<unknown>,
) =>
  action({
    path: `/customers/{id}/${verb}_label`,
    summary,
    description,
    who: staffWith('customers'),
    target: customer,
    body: { label: ref('customer_label') },
    returns: one(customer),
    run: async ({ work, body, target }) => {
      const label = await work.tx.one<{ id: number; slug: string; archived: boolean }>(
        sql`SELECT id, slug, archived FROM customer_label WHERE provider_id = ${work.providerId} AND id = ${body.label}
          FOR KEY SHARE`,
      );
      if (!label) throw invalid('label', `There is no customer label with the id ${body.label}.`);
      if (verb === 'add' && label.archived)
        throw invalid('label', 'This label is archived. Unarchive it, or choose another one.');
      await act(work, target.id, label);
      return target.id;
    },
  });

export const changeLabels = [
  ...labelChanges,
  ofCustomer(
    'add',
    'Add a label to a customer',
    'Adding a label that the customer already has changes nothing.',
    addLabel,
  ),
  ofCustomer(
    'remove',
    'Remove a label from a customer',
    'Removing a label that the customer does not have changes nothing.',
    removeLabel,
  ),
];
