/** Forms that must be answered before a booking, or before a membership is bought. */
import { missingForms, type FormFacts } from '../rules/requirement.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Required } from '../../../../kernel/base/problem.ts';
import type { RequirementSource } from '../../../scheduling/schedule/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns the address of the page of a form for one person. */
export const formPath = (provider: number, form: number, customer: number): string =>
  `/account/${provider}/forms/${form}/${customer}`;

/** Matches forms `o` by the column that decides and, where it refers to a list, by whether an object is in it. */
const asksFor = (o: string, applies: 'offering_types_applies_to' | 'memberships_applies_to', isListed: Sql): Sql =>
  sql`CASE ${raw(`${o}.${applies}`)} WHEN 'all' THEN true WHEN 'none' THEN false
    ELSE (${raw(`${o}.${applies}`)} = 'only') = ${isListed} END`;

const asksForType = (o: string, type: Sql): Sql =>
  asksFor(
    o,
    'offering_types_applies_to',
    sql`EXISTS (SELECT FROM customer_form_offering_type lf WHERE lf.provider_id = ${raw(o)}.provider_id
      AND lf.customer_form_id = ${raw(o)}.id AND lf.offering_type_id = ${type})`,
  );

const asksForMembership = (o: string, membership: Sql): Sql =>
  asksFor(
    o,
    'memberships_applies_to',
    sql`EXISTS (SELECT FROM customer_form_membership lf WHERE lf.provider_id = ${raw(o)}.provider_id
      AND lf.customer_form_id = ${raw(o)}.id AND lf.membership_id = ${membership})`,
  );

/** Matches forms `o` that have a question: one without any can't be answered. */
export const hasQuestion = (o: string): Sql =>
  raw(`EXISTS (SELECT FROM customer_form_field qf
    JOIN customer_field q ON q.provider_id = qf.provider_id AND q.id = qf.customer_field_id AND NOT q.archived
    WHERE qf.provider_id = ${o}.provider_id AND qf.customer_form_id = ${o}.id)`);

/** Returns columns of `FormFacts` about the forms `o` and the customer with this id, as arguments of an object. */
export const formFacts = (o: string, customer: Sql): Sql =>
  sql`'id', ${raw(o)}.id, 'title', ${raw(o)}.name, 'version', ${raw(o)}.version,
    'stale', ${raw(o)}.force_stale_updates IS TRUE, 'answered',
    (SELECT jsonb_build_object('version', sf.form_version, 'until',
        extract(epoch FROM sf.created_at + ${raw(o)}.submissions_expire_after::interval) * 1000)
      FROM customer_form_submission sf
      WHERE sf.provider_id = ${raw(o)}.provider_id AND sf.customer_id = ${customer}
        AND sf.customer_form_id = ${raw(o)}.id
      ORDER BY sf.created_at DESC LIMIT 1)`;

export const formRequirement: RequirementSource<readonly FormFacts[]> = {
  name: 'form',
  description: 'A form that is asked for the offering type of the event.',
  resource: 'customer_form',
  facts: (c, event) =>
    sql`(SELECT jsonb_agg(jsonb_build_object(${formFacts('rf', raw(`${c}.id`))}) ORDER BY rf.sort_order, rf.id)
      FROM customer_form rf
      JOIN event ef ON ef.provider_id = rf.provider_id AND ef.id = ${event}
      WHERE rf.provider_id = ${raw(c)}.provider_id AND rf.deleted_at IS NULL
        AND rf.offering_types_applies_to <> 'none' AND ${hasQuestion('rf')}
        AND ${asksForType('rf', raw('ef.offering_type_id'))})`,
  missing: (forms, { now }) =>
    missingForms(forms, now).map(({ id, title }) => ({ id, title, by: 'customer', before: 'booking' })),
  path: formPath,
};

/** A membership that somebody wants to buy for a customer. */
export interface WantedMembership {
  readonly customer: number;
  readonly membership: number;
}

/** Returns the forms that customers still have to answer before these memberships are bought for them. */
export async function formsBeforePurchase(
  work: Pick<Work, 'tx' | 'providerId' | 'now'>,
  wanted: readonly WantedMembership[],
): Promise<Required[]> {
  const rows = await work.tx.rows<{ customer: number; forms: readonly FormFacts[] }>(sql`
    SELECT w.customer, jsonb_agg(DISTINCT jsonb_build_object(${formFacts('rf', raw('w.customer'))})) AS forms
    FROM unnest(${wanted.map(({ customer }) => customer)}::bigint[],
      ${wanted.map(({ membership }) => membership)}::bigint[]) AS w (customer, membership)
    JOIN customer_form rf ON rf.provider_id = ${work.providerId} AND rf.deleted_at IS NULL
      AND rf.memberships_applies_to <> 'none' AND ${hasQuestion('rf')}
      AND ${asksForMembership('rf', raw('w.membership'))}
    GROUP BY w.customer ORDER BY w.customer`);
  return rows.flatMap(({ customer, forms }) =>
    missingForms(forms, work.now).map(({ id, title }) => ({
      kind: 'form',
      id,
      title,
      customer,
      by: 'customer',
      before: 'purchase',
      path: formPath(work.providerId, id, customer),
    })),
  );
}

/** Returns the names of the forms that a membership asks for, for visitors about whom nothing is known. */
export async function formsForMembership(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  membership: number,
): Promise<string[]> {
  const rows = await tx.rows<{ name: string }>(sql`
    SELECT rf.name FROM customer_form rf
    WHERE rf.provider_id = ${providerId} AND rf.deleted_at IS NULL AND rf.memberships_applies_to <> 'none'
      AND ${hasQuestion('rf')} AND ${asksForMembership('rf', sql`${membership}::bigint`)}
    ORDER BY rf.sort_order, rf.id`);
  return rows.map(({ name }) => name);
}
