/** Texts that customers agree to, their versions, and the agreements. */
import { boolean, date, id, instant, listOf, oneOf, ref, refBy, text, uri } from '../../../kernel/base/fields/kinds.ts';
import { may, nowInstant } from '../../../kernel/work/access/viewer.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { parsePgInstant, wallAt } from '../../../kernel/base/values/zone.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { translations } from './texts.ts';

export const PURPOSES = ['general', 'privacy', 'cancellation', 'refund'] as const;
export const ASKED_WHEN = ['signup', 'purchase'] as const;

/** Returns the version in effect, or else the next one. */
const versionOf = (t: string): Sql => sql`coalesce(
  (SELECT v.id FROM policy_version v WHERE v.provider_id = ${raw(t)}.provider_id AND v.policy_id = ${raw(t)}.id
    AND v.effective_at <= ${nowInstant}::timestamptz ORDER BY v.effective_at DESC, v.id DESC LIMIT 1),
  (SELECT v.id FROM policy_version v WHERE v.provider_id = ${raw(t)}.provider_id AND v.policy_id = ${raw(t)}.id
    ORDER BY v.effective_at, v.id DESC LIMIT 1))`;

const ofVersion = (t: string, column: string): Sql =>
  sql`(SELECT ${raw(`w.${column}`)} FROM policy_version w WHERE w.provider_id = ${raw(t)}.provider_id
    AND w.id = ${versionOf(t)})`;

export const policy = resource('policy', {
  description: 'A text that customers agree to, for example terms of membership or how refunds are handled.',
  fields: {
    id: id(),
    name: text({ max: 100 }),
    current_or_impending_version: refBy('policy_version', versionOf).describe(
      'The version in effect. If the first one takes effect later, that one.',
    ),
    text: text({ max: 100_000 })
      .from((t) => ofVersion(t, 'text'))
      .describe('The text of that version, in the language of the business.'),
    translations: translations(100_000).from((t) => ofVersion(t, 'translations')),
    ask_again: boolean()
      .from((t) => ofVersion(t, 'asks_again'))
      .describe('Whether customers who agreed to an earlier version than that one are asked again.'),
    effective_on: date()
      .computed(
        (t) => [ofVersion(t, 'effective_at')],
        ([at], { zone }) => wallAt(parsePgInstant(at!), zone).date,
      )
      .describe('The day on which that version takes or took effect.'),
    status: oneOf(['active', 'archived']).from((t) => raw(`CASE WHEN ${t}.archived THEN 'archived' ELSE 'active' END`)),
    purpose: oneOf(PURPOSES).describe(
      'The checkout always links to policies about cancellations and refunds, even if nobody has to agree to them.',
    ),
    when_required: listOf(oneOf(ASKED_WHEN), { max: ASKED_WHEN.length })
      .from((t) =>
        raw(`to_jsonb(array_remove(ARRAY[CASE WHEN ${t}.at_signup THEN 'signup' END,
          CASE WHEN ${t}.at_purchase THEN 'purchase' END], NULL))`),
      )
      .describe('When the pages of the booking site ask customers to agree.'),
    created_at: instant(),
  },
  visible: {
    provider: true,
    customer: (t) => raw(`NOT ${t}.archived`),
    unregistered: (t) => raw(`NOT ${t}.archived`),
  },
});

const isOpen = (t: string): Sql =>
  raw(`EXISTS (SELECT FROM policy p WHERE p.provider_id = ${t}.provider_id AND p.id = ${t}.policy_id
    AND NOT p.archived)`);

const wasAgreed = (t: string): Sql =>
  sql`EXISTS (SELECT FROM policy_agreement a WHERE a.provider_id = ${raw(t)}.provider_id
    AND a.policy_version_id = ${raw(t)}.id AND ${ofMyFamily('a.customer_id')})`;

export const policyVersion = resource('policy_version', {
  description: 'The wording of a policy from a moment on. Its text never changes: a changed one is another version.',
  fields: {
    id: id(),
    policy: ref('policy'),
    text: text({ max: 100_000 }).describe('In the language of the business.'),
    translations: translations(100_000),
    url: uri(200)
      .computed(
        (t) => [raw(`${t}.provider_id`), raw(`${t}.id`)],
        ([provider, version], { pagesUrl }) => `${pagesUrl}/account/${provider}/policies/${version}`,
      )
      .describe('The page of the booking site on which people read it.'),
    effective_at: instant(),
    ask_again: boolean()
      .from((t) => raw(`${t}.asks_again`))
      .describe('Whether customers who agreed to an earlier version are asked again.'),
    created_at: instant(),
  },
  visible: {
    provider: true,
    customer: (t) => sql`(${isOpen(t)} OR ${wasAgreed(t)})`,
    unregistered: isOpen,
  },
});

export const policyAgreement = resource('policy_agreement', {
  description: 'An agreement of a customer to a version of a policy. It never changes.',
  fields: {
    id: id(),
    policy: ref('policy'),
    version: ref('policy_version', 'policy_version_id'),
    customer: ref('customer'),
    agreed_at: instant(),
    by_customer: ref('customer', 'by_customer_id')
      .nullable()
      .describe('The person who agreed for the customer, for example a guardian. Null if the customer did.'),
    by_staff: ref('staff', 'by_staff_id').nullable().describe('The staff member who recorded the agreement.'),
  },
  visible: {
    provider: (_t, viewer) => may(viewer, 'customers', 'pos', 'attendances'),
    customer: (t) => ofMyFamily(`${t}.customer_id`),
    unregistered: false,
  },
  secret: ['address_hash'],
});
