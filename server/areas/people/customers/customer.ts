import { raw, param, sql } from '../../../kernel/base/db/sql.ts';
import {
  boolean,
  date,
  email,
  embeddedOne,
  group,
  id,
  idsOf,
  instant,
  oneOf,
  ref,
  refs,
  text,
  uri,
  personName,
} from '../../../kernel/base/fields/kinds.ts';
import { fieldValues } from './field-values.ts';
import { may, viewedByStaff, viewingCustomer, type Input } from '../../../kernel/work/access/viewer.ts';
import { resource, shownTo, type Shown } from '../../../kernel/api/resource.ts';

const FAMILY_ROLES = ['manager', 'child'] as const;

/** The family of the viewing customer. Families are small: one lookup, then an index. */
const myFamily = sql`(SELECT me.family_id FROM customer me
  WHERE me.provider_id = current_provider_id() AND me.id = ${viewingCustomer})`;

/**
 * Matches the customer's own record and those of the family; the condition for every resource that belongs to
 * customers.
 */
export const ofMyFamily = (customerColumn: string) => sql`${raw(customerColumn)} IN (
  SELECT mine.id FROM customer mine WHERE mine.provider_id = current_provider_id() AND mine.deleted_at IS NULL
    AND (mine.id = ${viewingCustomer} OR mine.family_id = ${myFamily}))`;

/**
 * Matches customers whose money the viewer sees: their own, and that of the children for whom they pay. Parents who
 * share a family see each other's bookings, but not what the other one pays.
 */
export const ofMyPurse = (customerColumn: string) => sql`${raw(customerColumn)} IN (
  SELECT mine.id FROM customer mine
    JOIN customer me ON me.provider_id = mine.provider_id AND me.id = ${viewingCustomer}
  WHERE mine.provider_id = current_provider_id() AND mine.deleted_at IS NULL
    AND (mine.id = me.id OR (mine.family_id = me.family_id AND mine.family_role = 'child'
      AND me.family_role = 'manager' AND me.pays_for_family)))`;

/**
 * A business's opinions about its customers are visible to staff with the permission `customers` only: customers can't
 * see them, or guess them by filters.
 */
export const viewedByCarers = param<Input>(({ viewer }) => viewer.mode === 'provider' && may(viewer, 'customers'));

/**
 * Contact details and dates of birth are visible to staff who look after customers; customers see their own and those
 * of their family.
 */
const forCarers: Shown = { provider: ['customers'] };
/** Staff who look after a customer. */
export const assignmentLink = { table: 'customer_staff_assignment', parent: 'customer_id', child: 'staff_id' };

/**
 * Page on which a person without an account creates one, and so claims the record of their address; contains no secret.
 */
const invitationUrl = () =>
  uri()
    .nullable()
    .computed(
      (t) => [
        sql`
          CASE WHEN ${viewedByStaff}::boolean AND ${raw(t)}.user_id IS NULL AND ${raw(t)}.email IS NOT NULL
            AND ${raw(t)}.deleted_at IS NULL THEN ${raw(t)}.provider_id END`,
      ],
      ([provider], wire) => provider && `${wire.pagesUrl}/account/${provider}/sign-up`,
    );

export const customer = resource('customer', {
  description: 'A person who signed up with the business or was added by staff.',
  fields: {
    id: id(),
    email: text({ max: 254, blank: true })
      .from((t) => sql`coalesce(${raw(t)}.email, '')`)
      .describe('Empty if there is none.'),
    first_name: text({ max: 256 }).nullable(),
    last_name: text({ max: 256 }).nullable().describe('Null if it isn’t known, or if the person has none.'),
    created_at: instant(),
    family: id()
      .nullable()
      .from((t) => raw(`${t}.family_id`)),
    family_role: oneOf(FAMILY_ROLES).nullable(),
    image: text()
      .nullable()
      .from(() => raw('NULL::text'))
      .describe('Always null: pictures of customers are not stored.'),
    is_lead: boolean(),
    is_guest: boolean().describe(
      'Whether the customer bought on the booking site without an account. Nobody has confirmed the email address, so another customer may have it too. False once a person has claimed the record.',
    ),
    participating: boolean().describe(
      'Whether the customer takes part. False for a parent who only manages the family.',
    ),
    pays_for_family: boolean()
      .deferred()
      .describe(
        'Whether a manager pays for the children of the family and sees what is paid for them. False for one who joined by invitation.',
      ),
    provider: ref('provider', 'provider_id'),
    referral_code: group({
      code: text().from((t) => raw(`${t}.referral_code`)),
      share_url: uri()
        .computed(
          (t) => [raw(`${t}.provider_id`), raw(`${t}.referral_code`)],
          ([providerId, code], wire) => `${wire.pagesUrl}/account/${providerId}/sign-up?referral=${code}`,
        )
        .describe('URL of the page where a friend can sign up.'),
    }),
    visibility: oneOf(['visible', 'hidden']),
    is_status_locked: boolean()
      .from((t) => sql`(${viewedByCarers}::boolean AND ${raw(t)}.is_status_locked)`)
      .describe(
        'If true, rules and workflows don’t change the status; only staff can. Always false for callers without the permission `customers`.',
      ),
    invitation_url: invitationUrl().describe(
      'URL where this person can sign up with the email address above to claim this record. It is the same for everybody, so it can be shared. Null for a record without an email address, for one that is already claimed, and for customers.',
    ),
    staff_assignments: idsOf('staff', assignmentLink)
      .deferred()
      .describe('Staff members who are assigned to this customer. Empty for customers.'),
    date_of_birth: date().nullable().deferred(),
    is_opted_into_broadcast_messages: boolean().deferred(),
    is_opted_into_sms_marketing: boolean().deferred(),
    customer_venue: ref('venue', 'venue_id').nullable().deferred(),
    sms_account: embeddedOne('sms_account', (t) => raw(`${t}.id`))
      .nullable()
      .deferred()
      .describe('The number that text messages are sent to.'),
  },
  visible: {
    // The walk-in record belongs to nobody.
    provider: (t) => raw(`NOT ${t}.is_walk_in`),
    customer: (t) => ofMyFamily(`${t}.id`),
    unregistered: false,
  },
  shown: {
    email: forCarers,
    date_of_birth: forCarers,
    is_opted_into_broadcast_messages: forCarers,
    is_opted_into_sms_marketing: forCarers,
    sms_account: forCarers,
  },
  secret: ['search_text'],
});

/** Viewers who may find customers by their address. */
export const viewedWithAddress = param<Input>(
  ({ viewer }) => shownTo(customer, customer.shown.email, 't', viewer) === true,
);

/** Writable properties of a customer; request bodies pick from them. */
export const writable = {
  first_name: personName({ max: 256 }),
  last_name: personName({ max: 256 }),
  email: email(),
  date_of_birth: date().nullable(),
  visibility: customer.fields.visibility,
  venue: ref('venue').nullable(),
  is_opted_into_broadcast_messages: boolean(),
  is_opted_into_sms_marketing: boolean(),
  is_status_locked: boolean().describe('For staff.'),
  pays_for_family: boolean().describe('For staff.'),
  staff_assignments: refs('staff', { max: 50 }).describe(
    'For staff. Replaces the whole list. An empty list removes everybody.',
  ),
  referral_code: text({ max: 100 })
    .nullable()
    .describe(
      'The `referral_code.code` of the customer who referred this one. If referrals are turned on, it starts a referral.',
    ),
  field_values: fieldValues(),
};
