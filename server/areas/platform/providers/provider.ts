import { raw, sql } from '../../../kernel/base/db/sql.ts';
import {
  boolean,
  group,
  id,
  integer,
  listOf,
  object,
  oneOf,
  text,
  timeOfDay,
} from '../../../kernel/base/fields/kinds.ts';
import { LANGUAGES, type Language } from '../../../kernel/base/languages/languages.ts';
import { currencyOf } from '../../../kernel/base/values/money.ts';
import { FONTS, HEADING_SIZES, type Font } from '../../../kernel/base/values/fonts.ts';
import { imageHere } from '../images/index.ts';
import { resource } from '../../../kernel/api/resource.ts';

const WAITLIST_ACTIONS = ['auto_promote', 'reserve', 'broadcast'] as const;

/** The address of a business, which can also be written. */
export const addressShape = {
  street: text({ max: 200, blank: true }),
  street_secondary: text({ max: 200, blank: true }).nullable().optional(),
  city: text({ max: 100, blank: true }),
  region: text({ max: 100, blank: true }).nullable().optional(),
  postal_code: text({ max: 20, blank: true }),
  country: text({ max: 100, blank: true }).means('country'),
};

const addressPart = (part: string) => (t: string) => raw(`coalesce(${t}.address->>'${part}', '')`);

/** Minutes before the start. */
const interval = () => integer({ min: 0, max: 525_600 });

/** One step of the policy for a freed seat, by time to the start; see docs/algorithms/waitlist.md. */
export const waitlistStep = {
  until_minutes_before: interval()
    .nullable()
    .describe('The step applies until this many minutes before the start. Null means until the start.'),
  action: oneOf(WAITLIST_ACTIONS),
  claim_minutes: integer({ min: 1, max: 10_080 })
    .optional()
    .describe('For `reserve`: how many minutes the spot is kept.'),
};

const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const HOST_HINT = 'Must be a host name in lower case, for example shop.example.com.';
/** Prefix of the TXT record that proves who owns a host name. */
export const PROOF = 'rollcall-site=';

/** Websites of the business. */
export const domains = () =>
  listOf(
    text({
      max: 253,
      pattern: HOST,
      hint: HOST_HINT,
      format: 'hostname',
    }),
    { max: 50 },
  );

/** Returns a picture of the business itself, by its column. */
const pictureOf = (name: 'logo' | 'cover') => (t: string) =>
  sql`(SELECT h.${raw(name)}_id FROM provider_theme h WHERE h.provider_id = ${raw(t)}.provider_id)`;

export const fontName = () => oneOf(Object.keys(FONTS) as Font[]);

export const provider = resource('provider', {
  description: 'A business of this installation.',
  idColumn: 'provider_id',
  fields: {
    id: id().from((t) => raw(`${t}.provider_id`)),
    name: text({ max: 255 }),
    description: text({ blank: true }),
    logo: imageHere(pictureOf('logo')).describe('Shown at the top of every page for customers.'),
    country: text({ max: 2 }),
    language: oneOf(Object.keys(LANGUAGES) as Language[])
      .nullable()
      .describe(
        'The language of pages, emails, messages and documents for customers of whom no other is known. Null: the language of the country, else English.',
      ),
    currency: object({ iso_currency_code: text(), symbol: text(), position: oneOf(['before', 'after']) }).computed(
      (t) => [raw(`${t}.currency`)],
      ([code]) => {
        const { symbol, position } = currencyOf(code!);
        return { iso_currency_code: code!.toLowerCase(), symbol, position };
      },
    ),
    timezone: text({ max: 250 }).means('zone').describe('IANA name of the time zone of the business.'),
    is_test: boolean()
      .deferred()
      .describe(
        'Whether it is a test business: its time can be advanced, it takes no real money, and it can be deleted or go live.',
      ),
    is_marketing_preference_on_customer_forms: boolean(),
    contact_info: group({
      email: text()
        .nullable()
        .from((t) => raw(`${t}.contact_email`)),
      phone_number: text()
        .nullable()
        .from((t) => raw(`${t}.contact_phone_number`)),
    }).deferred(),
    default_registration_settings: group({
      registrations_open_interval: interval().nullable(),
      registrations_close_interval: interval(),
      cancellation_notice_interval: interval(),
    })
      .deferred()
      .describe('Default values, in minutes before the start.'),
    address: group({
      street: text({ blank: true }).from(addressPart('street')),
      street_secondary: text()
        .nullable()
        .from((t) => raw(`${t}.address->>'street_secondary'`)),
      city: text({ blank: true }).from(addressPart('city')),
      region: text()
        .nullable()
        .from((t) => raw(`${t}.address->>'region'`)),
      postal_code: text({ blank: true }).from(addressPart('postal_code')),
      country: text({ blank: true }).from((t) => raw(`coalesce(${t}.address->>'country', ${t}.country)`)),
      timezone: text(),
    }).deferred(),
    branding: group({
      color: text({ max: 7 })
        .nullable()
        .from((t) => raw(`${t}.brand_color`)),
      cover: imageHere(pictureOf('cover')),
      font: fontName().from((t) => raw(`${t}.brand_font`)),
      heading_font: fontName()
        .nullable()
        .from((t) => raw(`${t}.brand_heading_font`)),
      heading_size: oneOf(HEADING_SIZES).from((t) => raw(`${t}.brand_heading_size`)),
    })
      .deferred()
      .describe(
        'Style of pages and emails for people. `color` has the form `#rrggbb`. If it is null, they use a plain blue. Text on the color is black or white, whichever is easier to read. `cover` is the picture at the top of the home page, which messengers show too. The fonts are those that computers and phones have, so that nothing has to be loaded. If `heading_font` is null, headings are in `font`.',
      ),
    booking_site: group({
      slug: text({ max: 60 }).nullable(),
      is_listed: boolean(),
      publishes_open_data: boolean(),
      sells_to_guests: boolean(),
      domain: text({ max: 253, pattern: HOST, hint: HOST_HINT, format: 'hostname' })
        .nullable()
        .from((t) => raw(`${t}.site_domain`)),
    })
      .deferred()
      .describe(
        'The pages on which customers find and book what the business offers: at `/{slug}` of this installation. With `domain`, a host name of your own, the home is also the first page there, once `POST /domains/verify` has found the `record` of `domain_verification`. With `is_listed`, the page that lists all businesses of the installation shows it, and sitemaps lead search engines to it. With `publishes_open_data`, which is false until you set it, anyone may use its public sessions as open data under CC BY 4.0. With `sells_to_guests`, which is false until you set it, people can book single events and buy products and gift cards there without an account.',
      ),
    domain_verification: group({
      is_verified: boolean().from((t) => raw(`(${t}.site_domain_verified_at IS NOT NULL)`)),
      record_name: text()
        .nullable()
        .from((t) => raw(`('_rollcall.' || ${t}.site_domain)`)),
      record: text().from((t) => raw(`('${PROOF}' || ${t}.site_domain_proof)`)),
    })
      .deferred()
      .describe(
        'DNS record that proves that the `domain` of `booking_site` is yours: add a TXT record with this name and this value, then call `POST /domains/verify`. Only shown to staff.',
      ),
    security: group({ second_factor_required: boolean(), log_in_links: boolean() })
      .deferred()
      .describe(
        'With `second_factor_required`, staff have access to the business only if they log in with a second factor. With `log_in_links`, people can log in on its pages with a link by email instead of their password; a second factor is asked for as always.',
      ),
    domains: domains()
      .from((t) => sql`to_jsonb(${raw(t)}.domains)`)
      .deferred()
      .describe(
        "Host names of the business's own sites, for example `shop.example.com`. Pages send people back only to these. Only shown to staff.",
      ),
    membership_settings: group({ bookings_without_membership: oneOf(['cancel', 'keep']) })
      .deferred()
      .describe(
        'Handling of future bookings when their membership is put on hold, ends or is replaced. `cancel` cancels them in time and returns their uses. `keep` leaves them as they are.',
      ),
    prices_include_tax: boolean()
      .deferred()
      .describe(
        'Whether the prices of the business contain the taxes on them. Fees, and the taxes on fees, are added in any case.',
      ),
    customers_pay_at_desk: boolean()
      .deferred()
      .describe(
        'Whether customers who pay on a page may choose to pay at the desk. They get everything immediately, and the invoice stays due.',
      ),
    waitlist_settings: group({
      waitlist_max: integer({ min: 0, max: 65_535 }).nullable(),
      waitlist_policy: listOf(object(waitlistStep), { min: 1, max: 10 }),
      quiet_hours_start: timeOfDay().nullable(),
      quiet_hours_end: timeOfDay().nullable(),
    }).deferred(),
  },
  // Visible to all, because the tenant is always set: the list of businesses contains only the caller's own.
  visible: { provider: true, customer: true, unregistered: true },
  shown: {
    domains: { customer: false, unregistered: false },
    domain_verification: { customer: false, unregistered: false },
  },
});
