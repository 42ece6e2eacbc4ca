import { answerField, customerField, customerFieldValue, MAX_CHOICES } from './customer-field.ts';
import { boolean, integer, listOf, object, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, updateRow, deleteRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { checkActsFor, lockCustomers } from '../../people/customers/index.ts';
import { create, staffWith, update } from '../../../kernel/api/endpoint.ts';
import { customerFieldFeed } from './feed.ts';
import { EXPLAINED, FIELD_TYPES } from './rules/answer.ts';
import { invalid, notFound, Problem } from '../../../kernel/base/problem.ts';
import { keyFrom } from './rules/key.ts';
import { replaceChoices, writeAnswers } from './writes.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { whoAnswers } from './find-fields.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin');
const { fields } = customerField;

const body = {
  label: fields.label.optional().describe('A short name. If left out, it is the beginning of `full_text`.'),
  full_text: fields.full_text.optional().describe('The question as customers read it. If left out, it is `label`.'),
  type: oneOf(FIELD_TYPES),
  explanation_required_condition: oneOf(EXPLAINED).default('never').describe('Only if `type` is `boolean`.'),
  choices: listOf(object({ value: text({ max: 255 }), order: integer({ min: 0, max: 32_767 }) }), { max: MAX_CHOICES })
    .optional()
    .describe('Required if `type` is `choice` or `multiple_choice`. Replaces the whole list.'),
  is_visible_to_all_staff: boolean().nullable().optional(),
  show_on_customer_profile: boolean().optional(),
  show_on_new_customer_form: boolean().optional(),
  help: text({ max: 1000 }).nullable().optional(),
  order: integer({ min: -32_768, max: 32_767 }).optional(),
  is_required: boolean().optional(),
  show_at_check_in: boolean().optional(),
  is_sensitive: boolean().optional().describe("Can't be changed once somebody has answered."),
};

interface Form {
  readonly type: string;
  readonly explanation_required_condition: string;
  readonly choices: readonly { readonly value: string }[];
}

/** Refuses a field whose parts contradict each other. */
function checkForm({ type, explanation_required_condition: explained, choices }: Form): void {
  const hasChoices = type === 'choice' || type === 'multiple_choice';
  if (hasChoices && choices.length === 0) throw invalid('choices', 'Add at least one choice.');
  if (!hasChoices && choices.length > 0)
    throw invalid('choices', 'Only a field of the type `choice` or `multiple_choice` has choices. Leave them out.');
  const values = choices.map(({ value }) => value.toLowerCase());
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined) throw invalid('choices', `“${twice}” appears twice. Remove one of them.`);
  if (explained !== 'never' && type !== 'boolean')
    throw invalid('explanation_required_condition', 'Only a field of the type `boolean` has an explanation.');
}

const isAnswered = async ({ tx, providerId }: Work, field: number): Promise<boolean> =>
  (await tx.one(
    sql`SELECT FROM customer_field_value WHERE provider_id = ${providerId} AND customer_field_id = ${field} LIMIT 1`,
  )) !== undefined;

const choicesOf = ({ tx, providerId }: Work, field: number) =>
  tx.rows<{ value: string }>(
    sql`SELECT value FROM customer_field_choice WHERE provider_id = ${providerId} AND customer_field_id = ${field}
      ORDER BY position, id`,
  );

/** Returns a key that no other field of the business has. */
async function newKey({ tx, providerId }: Work, label: string): Promise<string> {
  const key = keyFrom(label);
  const rows = await tx.rows<{ key: string }>(
    sql`SELECT key FROM customer_field WHERE provider_id = ${providerId} AND starts_with(key, ${key.slice(0, 27)})`,
  );
  const taken = new Set(rows.map((row) => row.key));
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? key : `${key.slice(0, 27)}_${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}

const fieldChanges = changes(customerField, {
  path: '/customer_fields',
  noun: 'customer field',
  who,
  body: { ...body, archived: boolean().optional() },
  first: body,
  problems: ['in_use'],
  create: async ({ work, body: { label, full_text, choices = [], order, ...sent } }) => {
    if (label === undefined && full_text === undefined) throw invalid('label', 'Send `label` or `full_text`.');
    const name = label ?? full_text!.slice(0, 255).trim();
    checkForm({ ...sent, choices });
    const id = await insertRow(work, 'customer_field', {
      ...sent,
      label: name,
      full_text: full_text ?? name,
      key: await newKey(work, name),
      position: order,
    });
    await replaceChoices(work, id, choices);
    work.record(customerFieldFeed.created, id, { customer_field: id });
    return id;
  },
  update: {
    description:
      'Its key never changes. Once somebody has answered it, its type can’t be changed, and a choice that was made can’t be removed.',
    run: async ({ work, body: { choices, order, ...sent }, target }) => {
      const stored = await choicesOf(work, target.id);
      checkForm({
        type: sent.type ?? target.type,
        explanation_required_condition: sent.explanation_required_condition ?? target.explanation_required_condition,
        choices: choices ?? stored,
      });
      const becomes = (name: 'type' | 'is_sensitive') => sent[name] !== undefined && sent[name] !== target[name];
      for (const name of ['type', 'is_sensitive'] as const)
        if (becomes(name) && (await isAnswered(work, target.id)))
          throw new Problem(
            'in_use',
            `${name}: Customers have answered this field. Archive it and create another one.`,
            {
              [name]: ['Customers have answered this field. Archive it and create another one.'],
            },
          );
      await updateRow(work, 'customer_field', target.id, { ...sent, position: order });
      if (choices) await replaceChoices(work, target.id, choices);
      const changed = changedNames({ ...sent, choices, order });
      if (changed.length > 0) work.record(customerFieldFeed.updated, target.id, { customer_field: target.id, changed });
    },
  },
  remove: {
    description: 'A field that customers have answered can’t be deleted: archive it, and its answers are kept.',
    run: async ({ work, target }) => {
      if (await isAnswered(work, target.id))
        throw new Problem('in_use', 'Customers have answered this field. Archive it instead: its answers are kept.');
      const uses = await work.registry.countUses('customer_field', work, target.id);
      if (uses > 0)
        throw new Problem('in_use', 'Conditions of workflows name this field. Change them first, or archive it.');
      await deleteRow(work, 'customer_field', target.id);
      work.record(customerFieldFeed.deleted, target.id, { customer_field: target.id });
    },
  },
});

/** Stores one answer and returns its id. */
async function answer(work: Work, customer: number, field: number, value: unknown): Promise<number> {
  await writeAnswers(work, customer, [{ field, value }], () => ({ field: 'field', value: 'value' }));
  const row = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM customer_field_value WHERE provider_id = ${work.providerId} AND customer_id = ${customer}
      AND customer_field_id = ${field}`,
  );
  return row!.id;
}

const value = answerField();

const valueChanges = [
  create(customerFieldValue, {
    path: '/customer_field_values',
    summary: 'Answer a customer field',
    description: 'A customer has one answer to each field: update it to change it.',
    who: whoAnswers,
    body: { field: ref('customer_field'), customer: ref('customer'), value },
    problems: ['already_exists'],
    run: async ({ work, body: { field, customer, value: sent } }) => {
      await checkActsFor(work, customer);
      const [row] = await lockCustomers(work, [customer]);
      if (!row || row.deleted_at !== null) throw invalid('customer', `There is no customer with the id ${customer}.`);
      const there = await work.tx.one(
        sql`SELECT FROM customer_field_value WHERE provider_id = ${work.providerId} AND customer_id = ${customer}
          AND customer_field_id = ${field}`,
      );
      if (there)
        throw new Problem('already_exists', 'The customer has answered this field. Update the answer instead.');
      return answer(work, customer, field, sent);
    },
  }),
  ...update(customerFieldValue, {
    path: '/customer_field_values/{id}',
    summary: 'Change the answer to a customer field',
    who: whoAnswers,
    body: { value },
    run: async ({ work, body: { value: sent }, target }) => {
      await checkActsFor(work, target.customer_id);
      if ((await lockCustomers(work, [target.customer_id])).length === 0) throw notFound();
      if (sent !== undefined) await answer(work, target.customer_id, target.customer_field_id, sent);
      return target.id;
    },
  }),
];

export const changeFields = [...fieldChanges, ...valueChanges];
