/** A customer answers a form. */
import { answerField } from '../customer-field.ts';
import { checkActsFor, lockCustomers } from '../../../people/customers/index.ts';
import { create } from '../../../../kernel/api/endpoint.ts';
import { customerFormSubmission, purposeOfSubmission } from './customer-form.ts';
import { customerFormSubmissionFeed } from '../feed.ts';
import { id, listOf, object, ref } from '../../../../kernel/base/fields/kinds.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { say } from '../../../../kernel/base/values/words.ts';
import { takeId } from '../../../../kernel/work/unit/row.ts';
import { whoAnswers } from '../find-fields.ts';
import { writeAnswers } from '../writes.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Question extends Record<string, unknown> {
  readonly id: number;
  readonly label: string;
  readonly full_text: string;
  readonly type: string;
  readonly is_required: boolean;
}

interface Asked {
  readonly version: number;
  readonly questions: readonly Question[];
}

/** Returns the questions of a form, locked, so that nobody changes them meanwhile. */
async function readForm({ tx, providerId }: Work, form: number): Promise<Asked> {
  const row = await tx.one<{ version: number; questions: Question[] }>(sql`
    SELECT o.version, coalesce((SELECT jsonb_agg(jsonb_build_object('id', f.id, 'label', f.label,
        'full_text', f.full_text, 'type', f.type, 'is_required', f.is_required) ORDER BY l.position)
      FROM customer_form_field l
      JOIN customer_field f ON f.provider_id = l.provider_id AND f.id = l.customer_field_id AND NOT f.archived
      WHERE l.provider_id = o.provider_id AND l.customer_form_id = o.id), '[]') AS questions
    FROM customer_form o WHERE o.provider_id = ${providerId} AND o.id = ${form} AND o.deleted_at IS NULL
    FOR SHARE OF o`);
  if (!row) throw invalid('form', `There is no customer form with the id ${form}.`);
  return row;
}

interface Sent {
  readonly field: number;
  readonly customer: number;
  readonly value?: unknown;
}

/** Refuses answers to other questions or of another customer, and a required question that is not answered. */
function checkAnswers({ questions }: Asked, customer: number, values: readonly Sent[]): void {
  const seen = new Set<number>();
  for (const [i, value] of values.entries()) {
    if (value.customer !== customer) throw invalid(`values.${i}.customer`, 'Must be the customer of the submission.');
    if (!questions.some((one) => one.id === value.field))
      throw invalid(`values.${i}.field`, `The form has no field with the id ${value.field}.`);
    if (seen.has(value.field)) throw invalid(`values.${i}.field`, 'This field is answered twice. Send one answer.');
    seen.add(value.field);
  }
  const answered = new Set(values.filter(({ value }) => value !== null).map(({ field }) => field));
  const missing = questions.find((one) => one.is_required && !answered.has(one.id));
  if (missing) throw invalid('values', say`Answer this question: ${missing.label}.`);
}

export const submitForm = create(customerFormSubmission, {
  path: '/customer_form_submissions',
  summary: 'Submit a customer form',
  description: 'Stores the answers with the customer, and keeps the form as it was answered.',
  who: whoAnswers,
  body: {
    form: ref('customer_form'),
    customer: ref('customer'),
    values: listOf(object({ field: id(), customer: id(), value: answerField().nullable() }), { max: 100 }).describe(
      'An answer to each question; null, or none, leaves it unanswered.',
    ),
  },
  run: async ({ work, body: { form, customer, values } }) => {
    await checkActsFor(work, customer);
    const [row] = await lockCustomers(work, [customer]);
    if (!row || row.deleted_at !== null) throw invalid('customer', `There is no customer with the id ${customer}.`);
    const asked = await readForm(work, form);
    checkAnswers(asked, customer, values);
    await writeAnswers(
      work,
      customer,
      values,
      (i) => ({ field: `values.${i}.field`, value: `values.${i}.value` }),
      'form',
    );
    const { tx, providerId, viewer } = work;
    const submission = await takeId(work, 'customer_form_submission');
    const answers = asked.questions.map(({ id: field, label, full_text, type }) => ({
      field,
      label,
      full_text,
      type,
      value: values.find((one) => one.field === field)?.value ?? null,
    }));
    const sealed = work.installation.box.seal(purposeOfSubmission(providerId, submission), JSON.stringify(answers));
    const now = instant(work.now);
    work.touch('customer_form_submission', submission, null);
    await tx.run(sql`
      INSERT INTO customer_form_submission (provider_id, id, customer_form_id, customer_id, form_version, sealed,
        by_customer_id, by_staff_id, created_at, updated_at)
      VALUES (${providerId}, ${submission}, ${form}, ${customer}, ${asked.version}, ${sealed},
        ${viewer.mode === 'customer' ? viewer.customerId : null}, ${viewer.staffId}, ${now}, ${now})`);
    work.record(customerFormSubmissionFeed.created, submission, {
      customer_form_submission: submission,
      customer_form: form,
      customer,
    });
    return submission;
  },
});
