/** Forms: several questions that customers answer together, and what they answered. */
import { ANSWER_COLUMNS, answersOf } from '../customer-field.ts';
import {
  boolean,
  collection,
  id,
  instant,
  integer,
  listOf,
  map,
  oneOf,
  ref,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { ofMyFamily } from '../../../people/customers/index.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';

export const APPLIES_TO = ['all', 'only', 'all_except', 'none'] as const;

export const fieldLink = {
  table: 'customer_form_field',
  parent: 'customer_form_id',
  child: 'customer_field_id',
  order: 'position',
};
export const typeLink = {
  table: 'customer_form_offering_type',
  parent: 'customer_form_id',
  child: 'offering_type_id',
};
export const membershipLink = { table: 'customer_form_membership', parent: 'customer_form_id', child: 'membership_id' };

/** A time like `P1Y`, `P90D` or `365 00:00:00`. */
const lifetime = () =>
  text({
    max: 32,
    pattern: /^(P\d{1,4}[DWMY]|\d{1,5} 00:00:00)$/,
    hint: 'Must be a duration in days, weeks, months or years, for example P1Y or P90D.',
  }).means('lifetime');

export const customerForm = resource('customer_form', {
  description:
    'Questions that customers answer together: before they take part in some offering types or buy some memberships, or when they sign up.',
  fields: {
    id: id(),
    name: text({ max: 128 }),
    created_at: instant(),
    order: integer()
      .nullable()
      .from((t) => raw(`${t}.sort_order`)),
    offering_types_applies_to: oneOf(APPLIES_TO).describe(
      'For which offering types it is asked. `only` and `all_except` refer to `offering_types`.',
    ),
    offering_types: collection('offering_type', typeLink, (form) => `/offering_types?forms=${form}`),
    memberships_applies_to: oneOf(APPLIES_TO).describe('For which memberships it is asked.'),
    memberships: collection('membership', membershipLink, (form) => `/memberships?forms=${form}`),
    submissions_expire_after: lifetime()
      .nullable()
      .describe('After this time, a customer is asked again. Null means never.'),
    force_stale_updates: boolean()
      .nullable()
      .describe('Whether customers who answered are asked again when the questions change.'),
    fields: collection('customer_field', fieldLink, (form) => `/customer_fields?forms=${form}`),
    version: integer({ min: 1 }).describe('Increases when the questions change.'),
  },
  visible: {
    provider: (t) => raw(`${t}.deleted_at IS NULL`),
    customer: (t) => raw(`${t}.deleted_at IS NULL`),
    unregistered: (t) => raw(`${t}.deleted_at IS NULL`),
  },
});

/** The purpose for which the answers of a submission are sealed. */
export const purposeOfSubmission = (providerId: unknown, submission: unknown): string =>
  `customer_form_submission:${providerId}:${submission}`;

export const customerFormSubmission = resource('customer_form_submission', {
  description: 'A form as a customer answered it. It never changes.',
  object: null,
  fields: {
    id: id(),
    form: ref('customer_form', 'customer_form_id'),
    customer: ref('customer'),
    form_version: integer({ min: 1 }),
    answers: listOf(map())
      .computed(
        (t) => [raw(`${t}.sealed`), raw(`${t}.provider_id`), raw(`${t}.id`)],
        ([sealed, provider, submission], wire) =>
          JSON.parse(wire.secrets.open(purposeOfSubmission(provider, submission), sealed!)),
      )
      .deferred()
      .describe('The questions and answers of that moment, in the order of the form.'),
    latest_values: listOf(map())
      .computed(
        (t) => [
          sql`(SELECT jsonb_agg(jsonb_build_object(${raw(ANSWER_COLUMNS)}) ORDER BY l.position)
            FROM customer_form_field l
            JOIN customer_field_value v ON v.provider_id = l.provider_id AND v.customer_field_id = l.customer_field_id
            JOIN customer_field f ON f.provider_id = l.provider_id AND f.id = l.customer_field_id
            WHERE l.provider_id = ${raw(t)}.provider_id AND l.customer_form_id = ${raw(t)}.customer_form_id
              AND v.customer_id = ${raw(t)}.customer_id)`,
        ],
        ([rows], wire) => answersOf(rows, wire),
      )
      .describe('The answers of the customer to the questions of the form, as they are now.'),
    by_customer: ref('customer', 'by_customer_id')
      .nullable()
      .describe('Person who answered: the customer, or the person who manages the family. Null if staff did.'),
    by_staff: ref('staff', 'by_staff_id').nullable(),
    created_at: instant(),
  },
  visible: {
    provider: (_t, viewer) => may(viewer, 'customers'),
    customer: (t) => ofMyFamily(`${t}.customer_id`),
    unregistered: false,
  },
  secret: ['sealed'],
});
