/** Texts that customers sign, and their signatures. */
import {
  boolean,
  collection,
  id,
  instant,
  integer,
  listOf,
  oneOf,
  ref,
  text,
  uri,
} from '../../../kernel/base/fields/kinds.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { translations } from '../policies/index.ts';

export const APPLIES_TO = ['all', 'only', 'all_except', 'none'] as const;
export const IF_UNSIGNED = ['refuse_booking', 'refuse_check_in', 'show_at_door'] as const;
export const MAX_TEXT = 100_000;

export const typeLink = { table: 'waiver_offering_type', parent: 'waiver_id', child: 'offering_type_id' };
export const membershipLink = { table: 'waiver_membership', parent: 'waiver_id', child: 'membership_id' };

/** A time like `P1Y`, `P90D` or `365 00:00:00`. */
const lifetime = () =>
  text({
    max: 32,
    pattern: /^(P[1-9]\d{0,3}[DWMY]|[1-9]\d{0,4} 00:00:00)$/,
    hint: 'Must be a duration in days, weeks, months or years, for example P1Y or P90D.',
  }).means('lifetime');

const ofVersion = (t: string, column: string): Sql =>
  raw(`(SELECT v.${column} FROM waiver_version v WHERE v.provider_id = ${t}.provider_id AND v.waiver_id = ${t}.id
    ORDER BY v.number DESC LIMIT 1)`);

export const waiver = resource('waiver', {
  description: 'A text that customers sign before they take part.',
  fields: {
    id: id(),
    name: text({ max: 128 }),
    text: text({ max: MAX_TEXT })
      .from((t) => ofVersion(t, 'text'))
      .describe('In the language of the business.'),
    translations: translations(MAX_TEXT).from((t) => ofVersion(t, 'translations')),
    version: integer({ min: 1 })
      .from((t) => ofVersion(t, 'number'))
      .describe('Increases when the text changes.'),
    ask_again: boolean()
      .from((t) => ofVersion(t, 'asks_again'))
      .describe('Whether customers who signed an earlier text sign this one too.'),
    status: oneOf(['Active', 'Archived']).from((t) => raw(`CASE WHEN ${t}.archived THEN 'Archived' ELSE 'Active' END`)),
    when_required: listOf(oneOf(['signup', 'all_memberships', 'all_offering_types']))
      .from((t) =>
        raw(`to_jsonb(array_remove(ARRAY[CASE WHEN ${t}.at_signup THEN 'signup' END,
          CASE WHEN ${t}.memberships_applies_to = 'all' THEN 'all_memberships' END,
          CASE WHEN ${t}.offering_types_applies_to = 'all' THEN 'all_offering_types' END], NULL))`),
      )
      .describe('Who signs it, in short. `at_signup` and the lists below say it in full.'),
    at_signup: boolean().describe('Whether everyone signs it.'),
    offering_types_applies_to: oneOf(APPLIES_TO).describe(
      'For which offering types it is signed. `only` and `all_except` refer to `offering_types`.',
    ),
    offering_types: collection('offering_type', typeLink, (of) => `/offering_types?waivers=${of}`),
    memberships_applies_to: oneOf(APPLIES_TO).describe('For which memberships it is signed.'),
    memberships: collection('membership', membershipLink, (of) => `/memberships?waivers=${of}`),
    if_unsigned: oneOf(IF_UNSIGNED).describe(
      'While it isn’t signed: customers can neither book nor check in, or they can book but not check in, or staff only see it at the door.',
    ),
    valid_for: lifetime().nullable().describe('After this time, it is signed again. Null means never.'),
    guardian_under_age: integer({ min: 1, max: 120 })
      .nullable()
      .describe('Below this age, in years, a guardian signs. Null: children sign themselves.'),
    signature_image_required: boolean().describe('Whether the signature must be drawn. Otherwise, a name is enough.'),
    created_at: instant(),
  },
  visible: {
    provider: true,
    customer: (t) => raw(`NOT ${t}.archived`),
    unregistered: (t) => raw(`NOT ${t}.archived`),
  },
});

/** The purpose for which a drawn signature is sealed. */
export const purposeOf = (providerId: unknown, agreement: unknown): string =>
  `waiver_agreement:${providerId}:${agreement}`;

export const SEES_SIGNATURES = ['customers', 'attendances', 'instructor_attendances', 'pos'] as const;

export const waiverAgreement = resource('waiver_agreement', {
  description: 'A signature. It never changes, and is kept when the customer is erased.',
  fields: {
    id: id(),
    waiver: ref('waiver'),
    customer: ref('customer'),
    signed_at: instant(),
    signature_image: uri()
      .nullable()
      .computed(
        (t) => [raw(`${t}.id`), raw(`${t}.sealed IS NOT NULL`)],
        ([agreement, drawn], { baseUrl }) =>
          drawn === 't' || drawn === 'true' ? `${baseUrl}/api/v2/waiver_agreements/${agreement}/signature` : null,
      )
      .describe('The address of the drawn signature, with the same credential. Null if the name was typed.'),
    title: text({ max: 128 }).describe('The name of the waiver as it was signed.'),
    signer_name: text({ max: 300 }).describe('The name of the person who signed.'),
    version: integer({ min: 1 })
      .from((t) =>
        raw(`(SELECT v.number FROM waiver_version v WHERE v.provider_id = ${t}.provider_id
          AND v.id = ${t}.waiver_version_id)`),
      )
      .describe('The version of the text that was signed.'),
    by_customer: ref('customer', 'by_customer_id')
      .nullable()
      .describe('The guardian who signed. Null if the customer signed.'),
    by_staff: ref('staff', 'by_staff_id').nullable().describe('The staff member on whose device it was signed.'),
  },
  visible: {
    provider: (_t, viewer) => may(viewer, ...SEES_SIGNATURES),
    customer: (t) => ofMyFamily(`${t}.customer_id`),
    unregistered: false,
  },
  secret: ['sealed', 'address_hash'],
});

/** Matches waivers that apply to an offering type. */
export const appliesToType = (w: string, type: Sql): Sql =>
  sql`CASE ${raw(w)}.offering_types_applies_to WHEN 'all' THEN true WHEN 'none' THEN false
    ELSE (${raw(w)}.offering_types_applies_to = 'only') = EXISTS (SELECT FROM waiver_offering_type lw
      WHERE lw.provider_id = ${raw(w)}.provider_id AND lw.waiver_id = ${raw(w)}.id
        AND lw.offering_type_id = ${type}) END`;

/** Matches waivers that apply to a membership that the customer holds. */
export const appliesToHeld = (w: string, customer: Sql): Sql =>
  sql`(${raw(w)}.memberships_applies_to <> 'none' AND EXISTS (SELECT FROM customer_membership mw
    WHERE mw.provider_id = ${raw(w)}.provider_id AND mw.customer_id = ${customer} AND mw.status IN ('active', 'hold')
      AND (${raw(w)}.memberships_applies_to = 'all' OR (${raw(w)}.memberships_applies_to = 'only') = EXISTS (
        SELECT FROM waiver_membership nw WHERE nw.provider_id = ${raw(w)}.provider_id
          AND nw.waiver_id = ${raw(w)}.id AND nw.membership_id = mw.membership_id))))`;
