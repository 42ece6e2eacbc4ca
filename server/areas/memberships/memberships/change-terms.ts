import { changes } from '../../../kernel/api/resource-changes.ts';
import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { createTerms } from './writes.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { integer, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { membershipTerms, termsConsent } from './terms.ts';
import { termsConsentFeed, membershipTermsFeed } from './feed.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin');
const words = () => text({ max: 100_000 });

/** Writes a new version, which applies from now on; versions that customers agreed to stay as they were. */
interface TermsRow {
  readonly id: number;
  readonly membership_id: number;
  readonly version: number;
  readonly base_terms: string;
}

async function writeTerms(work: Work, terms: TermsRow, wording: string): Promise<void> {
  if (wording === terms.base_terms) return;
  const version = terms.version + 1;
  await updateRow(work, 'membership_terms', terms.id, { base_terms: wording, version });
  const words = await insertRow(work, 'membership_terms_version', {
    membership_terms_id: terms.id,
    version,
    base_terms: wording,
  });
  work.record(membershipTermsFeed.versioned, terms.id, {
    membership_terms: terms.id,
    membership_terms_version: words,
    membership: terms.membership_id,
    version,
  });
}

const termsChanges = changes(membershipTerms, {
  path: '/membership_terms',
  noun: 'terms',
  who,
  body: { base_terms: words() },
  first: { plan: ref('membership_payment_plan'), base_terms: words() },
  create: {
    summary: 'Create separate terms for a payment plan',
    description: 'Each membership has terms from the start. These replace them for people who start with this plan.',
    problems: ['already_exists'],
    run: async ({ work, body: { plan, base_terms: wording } }) => {
      const { membership_id } = (await work.tx.one<{ membership_id: number }>(
        sql`SELECT membership_id FROM membership_payment_plan WHERE provider_id = ${work.providerId} AND id = ${plan}`,
      ))!;
      const id = await createTerms(work, membership_id, plan);
      await writeTerms(work, { id, membership_id, version: 0, base_terms: '' }, wording);
      return id;
    },
  },
  update: {
    summary: 'Update terms',
    description: 'A changed text creates a new version. What customers agreed to before stays as it was.',
    run: async ({ work, body, target }) => {
      if (body.base_terms !== undefined) await writeTerms(work, target as TermsRow, body.base_terms);
    },
  },
});

const consent = action({
  path: '/membership_terms/{id}/consent',
  summary: 'Agree to terms',
  description:
    "Done by the customer, or by staff on the customer's behalf, who state how the customer agreed. Names the version that was shown. Agreeing to the same version again returns the same agreement.",
  who: { ...staffWith('super_admin', 'customers'), customer: true },
  target: membershipTerms,
  body: {
    version: integer({ min: 1 }).describe('The version that the customer was shown.'),
    customer: ref('customer').optional().describe('Customers who agree for themselves can leave it out.'),
    how: termsConsent.fields.how.optional().describe('Required for staff. Customers always agree `online`.'),
  },
  returns: one(termsConsent),
  status: 201,
  problems: ['conflict'],
  run: async ({ work, body, target }) => {
    const { viewer } = work;
    const customer = body.customer ?? viewer.customerId;
    if (customer === null) throw invalid('customer', 'This field is required.');
    await checkActsFor(work, customer);
    const byStaff = viewer.mode === 'provider';
    if (byStaff && body.how === undefined)
      throw invalid('how', 'Send how the customer agreed: in_person, on_paper, by_phone, by_email or online.');
    if (!byStaff && body.how !== undefined && body.how !== 'online')
      throw invalid('how', 'Customers can only agree online here.');
    if (body.version !== target.version) {
      const message =
        target.version === 0
          ? 'The terms have no text to agree to yet.'
          : `The current version is ${target.version}. Show it to the customer and ask again.`;
      throw new Problem('conflict', message, { version: [message] });
    }
    return agreeToTerms(work, { terms: target.id, version: body.version, customer, how: body.how ?? 'online' });
  },
});

/** Records that a customer agreed to the current version; the row of the terms must be locked. Returns the id. */
async function agreeToTerms(
  work: Work,
  { terms, version, customer, how }: { terms: number; version: number; customer: number; how: string },
): Promise<number> {
  const { viewer, providerId } = work;
  const before = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM terms_consent WHERE provider_id = ${providerId} AND membership_terms_id = ${terms}
      AND version = ${version} AND customer_id = ${customer}`,
  );
  if (before) return before.id;
  const words = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM membership_terms_version
      WHERE provider_id = ${providerId} AND membership_terms_id = ${terms} AND version = ${version}`,
  );
  const id = await insertRow(work, 'terms_consent', {
    membership_terms_id: terms,
    version,
    terms_version_id: words!.id,
    customer_id: customer,
    how,
    actor: viewer.actor,
    by_customer_id: viewer.customerId,
    by_staff_id: viewer.customerId === null ? viewer.staffId : null,
    agreed_at: instant(work.now),
  });
  work.record(termsConsentFeed.created, id, { terms_consent: id, membership_terms: terms, customer, version });
  return id;
}

export const changeTerms = [...termsChanges, consent];
