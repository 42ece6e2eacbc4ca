/** The only code that writes questions and answers. */
import type { FieldValueWriter } from '../../people/customers/index.ts';
import { customerFieldValueFeed } from './feed.ts';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { purposeOf } from './customer-field.ts';
import { readAnswer, type Question } from './rules/answer.ts';
import { say } from '../../../kernel/base/values/words.ts';
import { deleteRow, takeId } from '../../../kernel/work/unit/row.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type FieldRow = Row<'customer_field'>;
type Asked = FieldRow & { readonly choices: readonly string[] };

/** Returns questions with their choices; locked, so that nobody deletes them meanwhile. */
const asked = ({ tx, providerId }: Work, ids: readonly number[]): Promise<Asked[]> =>
  tx.rows<Asked>(sql`
    SELECT f.*, ARRAY(SELECT c.value FROM customer_field_choice c WHERE c.provider_id = f.provider_id
      AND c.customer_field_id = f.id ORDER BY c.position, c.id) AS choices
    FROM customer_field f WHERE f.provider_id = ${providerId} AND f.id = ANY(${ids}::bigint[])
    ORDER BY f.id FOR KEY SHARE OF f`);

/** The place where a question is asked. */
export type AskedOn = 'profile' | 'sign_up' | 'form';

/** Returns true if the caller may answer the question, and so may know it. */
function mayAnswer({ viewer }: Work, field: FieldRow, on: AskedOn): boolean {
  if (field.archived) return false;
  if (on === 'form') return true;
  if (viewer.mode === 'provider') return may(viewer, 'customers') || field.is_visible_to_all_staff === true;
  return field.show_on_customer_profile || (on === 'sign_up' && field.show_on_new_customer_form);
}

const questionOf = (field: Asked): Question => ({
  type: field.type as Question['type'],
  explained: field.explanation_required_condition as Question['explained'],
  choices: field.choices,
});

interface Sent {
  readonly field: number;
  readonly value?: unknown;
}

/**
 * Stores answers of a customer, whose row the caller has locked or just created; null removes one. `at` names the
 * property of an answer in refusals.
 */
export async function writeAnswers(
  work: Work,
  customer: number,
  sent: readonly Sent[],
  at: (i: number) => { readonly field: string; readonly value: string },
  on: AskedOn = 'profile',
): Promise<void> {
  if (sent.length === 0) return;
  const fields = new Map(
    (
      await asked(
        work,
        sent.map(({ field }) => field),
      )
    ).map((field) => [field.id, field]),
  );
  const known = await stored(work, customer);
  for (const [i, { field: id, value }] of sent.entries()) {
    const field = fields.get(id);
    if (!field || !mayAnswer(work, field, on))
      throw invalid(at(i).field, `There is no customer field with the id ${id} that can be answered here.`);
    const before = known.get(id);
    if (value === null) {
      if (before) await removeAnswer(work, before);
      continue;
    }
    const answer = readAnswer(questionOf(field), value, work.tenant.zone);
    if ('refused' in answer) throw invalid(at(i).value, say`${field.label}: ${answer.refused}`);
    await put(work, customer, field, answer.value, before);
  }
}

interface Stored extends Record<string, unknown> {
  readonly id: number;
  readonly customer_id: number;
  readonly customer_field_id: number;
}

async function stored({ tx, providerId }: Work, customer: number): Promise<Map<number, Stored>> {
  const rows = await tx.rows<Stored>(
    sql`SELECT * FROM customer_field_value WHERE provider_id = ${providerId} AND customer_id = ${customer} FOR UPDATE`,
  );
  return new Map(rows.map((row) => [row.customer_field_id, row]));
}

async function put(work: Work, customer: number, field: Asked, value: unknown, before?: Stored): Promise<number> {
  const { tx, providerId } = work;
  const now = instant(work.now);
  const id = before?.id ?? (await takeId(work, 'customer_field_value'));
  const { box } = work.installation;
  const sealed = field.is_sensitive ? box.seal(purposeOf(providerId, id), JSON.stringify(value)) : null;
  const plain = field.is_sensitive ? null : json(value);
  work.touch('customer_field_value', id, before ?? null);
  await tx.run(
    sql`INSERT INTO customer_field_value (provider_id, id, customer_id, customer_field_id, value, sealed, created_at,
        updated_at)
      VALUES (${providerId}, ${id}, ${customer}, ${field.id}, ${plain}, ${sealed}, ${now}, ${now})
      ON CONFLICT (provider_id, customer_id, customer_field_id)
        DO UPDATE SET value = excluded.value, sealed = excluded.sealed, updated_at = excluded.updated_at`,
  );
  const what = { customer, customer_field: field.id };
  if (before) work.record(customerFieldValueFeed.updated, id, { ...what, changed: ['value'] });
  else work.record(customerFieldValueFeed.created, id, what);
  return id;
}

/** Removes the answer of a customer. */
export async function removeAnswer(work: Work, row: Stored): Promise<void> {
  work.touch('customer_field_value', row.id, row);
  await deleteRow(work, 'customer_field_value', row.id);
  work.record(customerFieldValueFeed.deleted, row.id, {
    customer: row.customer_id,
    customer_field: row.customer_field_id,
  });
}

/** Stores the answers that requests about customers carry, and refuses a sign-up that leaves out a required one. */
export const fieldValueWriter: FieldValueWriter = {
  name: 'customer_fields',
  description: 'Answers to the questions of the business.',
  write: async (work, customer, values, isSignUp) => {
    if (isSignUp) await checkRequired(work, values);
    await writeAnswers(
      work,
      customer,
      values,
      (i) => ({ field: `field_values.${i}.field`, value: `field_values.${i}.value` }),
      isSignUp ? 'sign_up' : 'profile',
    );
  },
};

async function checkRequired({ tx, providerId }: Work, values: readonly Sent[]): Promise<void> {
  const answered = values.filter(({ value }) => value !== null).map(({ field }) => field);
  const missing = await tx.one<{ label: string }>(
    sql`SELECT label FROM customer_field WHERE provider_id = ${providerId} AND NOT archived AND is_required
        AND show_on_new_customer_form AND id <> ALL(${answered}::bigint[]) ORDER BY position, id LIMIT 1`,
  );
  if (missing) throw invalid('field_values', say`Answer this question: ${missing.label}.`);
}

/** Replaces the choices of a question. One that stays keeps its time; one that customers chose can't be removed. */
export async function replaceChoices(
  work: Work,
  field: number,
  choices: readonly { readonly value: string; readonly order: number }[],
): Promise<void> {
  const { tx, providerId } = work;
  const values = choices.map(({ value }) => value);
  const [[lost]] = await tx.all([
    sql`SELECT c.value FROM customer_field_choice c WHERE c.provider_id = ${providerId}
        AND c.customer_field_id = ${field} AND c.value <> ALL(${values}::text[]) AND EXISTS (
          SELECT FROM customer_field_value v WHERE v.provider_id = c.provider_id
            AND v.customer_field_id = c.customer_field_id
            AND (v.sealed IS NOT NULL OR v.value = to_jsonb(c.value) OR v.value @> jsonb_build_array(c.value)))
        ORDER BY c.position LIMIT 1`,
    sql`DELETE FROM customer_field_choice WHERE provider_id = ${providerId} AND customer_field_id = ${field}
        AND value <> ALL(${values}::text[])`,
    sql`INSERT INTO customer_field_choice (provider_id, customer_field_id, value, position, created_at)
      SELECT ${providerId}, ${field}, c.value, c.position, ${instant(work.now)}
      FROM unnest(${values}::text[], ${choices.map(({ order }) => order)}::int[]) AS c (value, position)
      ON CONFLICT (provider_id, customer_field_id, value) DO UPDATE SET position = excluded.position`,
  ]);
  if (lost)
    throw new Problem('in_use', `choices: Customers have chosen “${lost.value}”, so it can’t be removed.`, {
      choices: [`Customers have chosen “${lost.value}”. Keep it, or archive the field and create another one.`],
    });
}
