import { raw, slot, sql } from '../../kernel/db/sql.ts';
import { boolean, date, email, embeddedOne, group, id, idsOf, instant, oneOf, ref, text, uri } from '../../kernel/api/kinds.ts';
import { may, viewingCustomer, type Input } from '../../kernel/access/viewer.ts';
import { resource } from '../../kernel/api/resource.ts';

export const FAMILY_ROLES = ['manager', 'child'] as const;

/** The family of the customer who looks. Families are small: one look-up, then an index. */
const myFamily = sql`(SELECT me.family_id FROM customer me WHERE me.provider_id = current_provider_id() AND me.id = ${viewingCustomer})`;

/** Own record and the family's; the condition that every resource of a customer's uses. */
export const ofMyFamily = (customerColumn: string) => sql`${raw(customerColumn)} IN (
  SELECT mine.id FROM customer mine WHERE mine.provider_id = current_provider_id() AND mine.deleted_at IS NULL
    AND (mine.id = ${viewingCustomer} OR mine.family_id = ${myFamily}))`;

/** What a business thinks of its customers is for staff with the permission `customers` alone: not for themselves, and not to be guessed by filters. */
export const viewedByCarers = slot<Input>(({ viewer }) => viewer.mode === 'provider' && may(viewer, 'customers'));

export const labelLink = { table: 'customer_label_link', parent: 'customer_id', child: 'customer_label_id' };

export const customer = resource('customer', {
  description: 'A person who signed up at the business, or whom staff entered.',
  fields: {
    id: id(),
    email: text({ max: 254, blank: true }).from((t) => sql`coalesce(${raw(t)}.email, '')`).describe('Empty for a child without an address of its own.'),
    first_name: text({ max: 256 }).nullable(),
    last_name: text({ max: 256 }).nullable(),
    created_at: instant(),
    family: id().nullable().from((t) => raw(`${t}.family_id`)),
    family_role: oneOf(FAMILY_ROLES).nullable(),
    image: text().nullable().from(() => raw('NULL::text')).describe('Null: pictures of customers are not kept.'),
    is_lead: boolean(),
    participating: boolean().describe('False for a parent who only manages the family.'),
    provider: ref('provider', 'provider_id'),
    referral_code: group({
      code: text().from((t) => raw(`${t}.referral_code`)),
      share_url: uri().computed((t) => [raw(`${t}.provider_id`), raw(`${t}.referral_code`)], ([providerId, code], wire) => `${wire.baseUrl}/account/${providerId}/sign-up?referral=${code}`).describe('The page where a friend signs up.'),
    }),
    visibility: oneOf(['visible', 'hidden']),
    status: ref('customer_status', 'status_id')
      .nullable()
      .from((t) => sql`CASE WHEN ${viewedByCarers}::boolean THEN ${raw(t)}.status_id END`)
      .describe('Where the customer stands with the business; null for callers without the permission `customers`.'),
    labels: idsOf('customer_label', labelLink).deferred().describe('Empty for callers without the permission `customers`.'),
    date_of_birth: date().nullable().deferred(),
    is_opted_into_broadcast_messages: boolean().deferred(),
    is_opted_into_sms_marketing: boolean().deferred(),
    customer_venue: ref('venue', 'venue_id').nullable().deferred(),
    sms_account: embeddedOne('sms_account', (t) => raw(`${t}.id`)).nullable().deferred().describe('The number that it is sent text messages at.'),
  },
  visible: {
    provider: true,
    customer: (t) => ofMyFamily(`${t}.id`),
    unregistered: false,
  },
  secret: ['search_text'],
});

/** What may be written of a customer; a body takes from it. */
export const writable = {
  first_name: text({ max: 256 }),
  last_name: text({ max: 256 }),
  email: email(),
  date_of_birth: date().nullable(),
  visibility: customer.fields.visibility,
  venue: ref('venue').nullable(),
  is_opted_into_broadcast_messages: boolean(),
  is_opted_into_sms_marketing: boolean(),
};
