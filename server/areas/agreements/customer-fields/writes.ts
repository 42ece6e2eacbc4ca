/** The only code that writes questions and answers. */
import { answerFromText } from './rules/from-text.ts';
import { isDeepStrictEqual } from 'node:util';
import type { FieldValueWriter } from '../../people/customers/index.ts';
import { customerFieldValueFeed } from './feed.ts';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Issues, Problem } from '../../../kernel/base/problem.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { purposeOf } from './customer-field.ts';
import { readAnswer, type Question } from './rules/answer.ts';
import { say } from '../../../kernel/base/values/words.ts';
import { deleteRow, takeIds } from '../../../kernel/work/unit/row.ts';
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

/**
 * Returns true if the caller may answer the question, and so may know it. New customers answer what is only asked at
 * sign-up once.
 */
function mayAnswer({ viewer }: Work, field: FieldRow, on: AskedOn, isAnswered: boolean): boolean {
  if (field.archived) return false;
  if (on === 'form') return true;
  if (viewer.mode === 'provider') return may(viewer, 'customers') || field.is_visible_to_all_staff === true;
  return field.show_on_customer_profile || (field.show_on_new_customer_form && (on === 'sign_up' || !isAnswered));
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
  const known = await stored(work, [customer]);
  const puts: Put[] = [];
  const issues = new Issues();
  for (const [i, { field: id, value }] of sent.entries()) {
    const field = fields.get(id);
    if (!field || !mayAnswer(work, field, on, known.has(keyOf(customer, id))))
      throw invalid(at(i).field, `There is no customer field with the id ${id} that can be answered here.`);
    const before = known.get(keyOf(customer, id));
    if (value === null) {
      if (before) await removeAnswer(work, before);
      continue;
    }
    const answer = readAnswer(questionOf(field), value, work.tenant.zone);
    if ('refused' in answer) issues.add(at(i).value, say`${field.label}: ${answer.refused}`);
    else puts.push({ customer, field, value: answer.value, before });
  }
  issues.throwIfAny();
  await put(work, puts);
}

interface Stored extends Record<string, unknown> {
  readonly id: number;
  readonly customer_id: number;
  readonly customer_field_id: number;
  readonly value: unknown;
  readonly sealed: string | null;
}

/** Returns the stored answers of customers, locked, by customer and question. */
async function stored({ tx, providerId }: Work, customers: readonly number[]): Promise<Map<string, Stored>> {
  const rows = await tx.rows<Stored>(
    sql`SELECT * FROM customer_field_value WHERE provider_id = ${providerId}
      AND customer_id = ANY(${customers}::bigint[]) ORDER BY id FOR UPDATE`,
  );
  return new Map(rows.map((row) => [keyOf(row.customer_id, row.customer_field_id), row]));
}

const keyOf = (customer: number, field: number): string => `${customer}:${field}`;

interface Put {
  readonly customer: number;
  readonly field: Asked;
  readonly value: unknown;
  readonly before?: Stored;
}

/** Stores answers, each of another customer or to another question, with one statement. */
async function put(work: Work, answers: readonly Put[]): Promise<void> {
  if (answers.length === 0) return;
  const { tx, providerId } = work;
  const { box } = work.installation;
  const fresh = answers.filter(({ before }) => !before).length;
  const newIds = fresh === 0 ? [] : await takeIds(work, 'customer_field_value', fresh);
  const rows = answers.map((one) => ({ ...one, id: one.before?.id ?? newIds.pop()! }));
  for (const { id, customer, field, before } of rows) {
    work.touch('customer_field_value', id, before ?? null);
    const what = { customer, customer_field: field.id };
    if (before) work.record(customerFieldValueFeed.updated, id, { ...what, changed: ['value'] });
    else work.record(customerFieldValueFeed.created, id, what);
  }
  const sealed = rows.map(({ id, field, value }) =>
    field.is_sensitive ? box.seal(purposeOf(providerId, id), JSON.stringify(value)) : null,
  );
  const plain = rows.map(({ field, value }) => (field.is_sensitive ? null : json(value)));
  const now = instant(work.now);
  await tx.run(
    sql`INSERT INTO customer_field_value (provider_id, id, customer_id, customer_field_id, value, sealed, created_at,
        updated_at)
      SELECT ${providerId}::bigint, a.id, a.customer, a.field, a.value, a.sealed, ${now}::timestamptz,
        ${now}::timestamptz
      FROM unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ customer }) => customer)}::bigint[],
        ${rows.map(({ field }) => field.id)}::bigint[], ${plain}::jsonb[], ${sealed}::text[])
        AS a (id, customer, field, value, sealed)
      ON CONFLICT (provider_id, customer_id, customer_field_id)
        DO UPDATE SET value = excluded.value, sealed = excluded.sealed, updated_at = excluded.updated_at`,
  );
}

/** An answer in a file. */
export interface FiledAnswer {
  readonly customer: number;
  readonly field: number;
  readonly text: string;
}

/**
 * Stores answers as people write them in files, of customers whose rows are locked. Returns for each whether it has
 * changed, or why it is left out.
 */
export async function importAnswers(
  work: Work,
  filed: readonly FiledAnswer[],
  readDay: (text: string) => string | null,
): Promise<({ readonly changed: boolean } | { readonly refused: string })[]> {
  const fields = new Map((await asked(work, [...new Set(filed.map(({ field }) => field))])).map((f) => [f.id, f]));
  const known = await stored(work, [...new Set(filed.map(({ customer }) => customer))]);
  const puts = new Map<string, Put>();
  const results = filed.map(({ customer, field: id, text }) => {
    const field = fields.get(id)!;
    const question = questionOf(field);
    const answer = readAnswer(question, answerFromText(question, text, readDay), work.tenant.zone);
    if ('refused' in answer) return { refused: String(answer.refused) };
    const before = known.get(keyOf(customer, id));
    const changed = !before || !isEqual(work, before, answer.value);
    if (changed) puts.set(keyOf(customer, id), { customer, field, value: answer.value, before });
    return { changed };
  });
  await put(work, [...puts.values()]);
  return results;
}

const isEqual = ({ installation, providerId }: Work, before: Stored, value: unknown): boolean =>
  isDeepStrictEqual(
    before.sealed === null
      ? before.value
      : JSON.parse(installation.box.open(purposeOf(providerId, before.id), before.sealed as string)),
    value,
  );

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
