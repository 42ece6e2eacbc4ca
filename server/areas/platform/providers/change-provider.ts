import { boolean, email, integer, listOf, object, oneOf, text, timeOfDay } from '../../../kernel/base/fields/kinds.ts';
import { changeBusiness, changePictures } from './business.ts';
import { json } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { isColor } from '../../../kernel/base/values/color.ts';
import { isReserved, isSlug, SLUG_HINT } from './slug.ts';
import { isTakenElsewhere } from '../../../kernel/work/unit/other-cells.ts';
import { SLUG_TAKEN } from './problems.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';
import { isZone } from '../../../kernel/base/values/zone.ts';
import { staffWith, update } from '../../../kernel/api/endpoint.ts';
import { changedNames } from '../../../kernel/work/unit/row.ts';
import { addressShape, domains, fontName, provider, waitlistStep } from './provider.ts';
import { HEADING_SIZES } from '../../../kernel/base/values/fonts.ts';
import { imageRef } from '../images/index.ts';

const f = provider.fields;
const defaults = f.default_registration_settings.spec.shape!;

/** Settings of the business itself; PATCH accepts any subset of them. */
export const changeProvider = update(provider, {
  path: '/providers/{id}',
  summary: 'Update the settings of the business',
  who: staffWith('super_admin'),
  changesBusiness: true,
  body: {
    name: f.name,
    description: f.description.optional(),
    timezone: f.timezone.optional(),
    language: f.language.optional(),
    is_marketing_preference_on_customer_forms: f.is_marketing_preference_on_customer_forms.optional(),
    contact_info: object({
      email: email().nullable().optional(),
      phone_number: text({ max: 40 }).nullable().optional(),
    }).optional(),
    address: object(addressShape).nullable().optional(),
    default_registration_settings: object({
      registrations_open_interval: defaults.registrations_open_interval.optional(),
      registrations_close_interval: defaults.registrations_close_interval.optional(),
      cancellation_notice_interval: defaults.cancellation_notice_interval.optional(),
    }).optional(),
    domains: domains().optional().describe('Host names in lower case. Replaces the whole list.'),
    logo: imageRef().nullable().optional(),
    branding: object({
      color: text({ max: 7 }).nullable().optional(),
      cover: imageRef().nullable().optional(),
      font: fontName().optional(),
      heading_font: fontName().nullable().optional(),
      heading_size: oneOf(HEADING_SIZES).optional(),
    }).optional(),
    booking_site: object({
      slug: text({ max: 60 }).optional().describe(SLUG_HINT),
      is_listed: boolean().optional(),
      publishes_open_data: boolean().optional(),
      sells_to_guests: boolean().optional(),
      domain: f.booking_site.spec.shape!.domain.optional(),
    }).optional(),
    security: object({ second_factor_required: boolean().optional(), log_in_links: boolean().optional() }).optional(),
    membership_settings: object({
      bookings_without_membership: f.membership_settings.spec.shape!.bookings_without_membership,
    }).optional(),
    prices_include_tax: boolean()
      .optional()
      .describe('Applies to prices from now on. What has already been charged does not change.'),
    customers_pay_at_desk: boolean().optional(),
    waitlist_settings: object({
      waitlist_max: integer({ min: 0, max: 65_535 }).nullable().optional(),
      waitlist_policy: listOf(object(waitlistStep), { min: 1, max: 10 }).optional(),
      quiet_hours_start: timeOfDay().nullable().optional(),
      quiet_hours_end: timeOfDay().nullable().optional(),
    }).optional(),
  },
  run: async ({ work, body, target }) => {
    if (body.timezone !== undefined && !isZone(body.timezone))
      throw invalid('timezone', 'Must be the IANA name of a time zone, for example America/Toronto.');
    const {
      contact_info: contact,
      default_registration_settings,
      waitlist_settings,
      address,
      branding,
      booking_site,
      security,
      membership_settings,
      logo,
      ...plain
    } = body;
    const color = branding?.color;
    if (color && !isColor(color))
      throw invalid('branding.color', 'Must be a color in the form #rrggbb, for example #1d4ed8, or null.');
    const { domain, ...site } = booking_site ?? {};
    checkSlug(site.slug);
    await checkFree(work.installation, site.slug);
    checkDomain(domain, work.installation.baseUrl);
    checkWaitlist(waitlist_settings?.waitlist_policy);
    const { waitlist_policy, ...waitlist } = waitlist_settings ?? {};
    const changes: Record<string, unknown> = {
      ...plain,
      ...default_registration_settings,
      ...waitlist,
      ...site,
      ...domainOf(domain, target.site_domain),
      ...security,
      ...membership_settings,
      waitlist_policy: waitlist_policy && json(waitlist_policy),
      address: address === undefined ? undefined : address && json(address),
      brand_color: color?.toLowerCase() ?? color,
      brand_font: branding?.font,
      brand_heading_font: branding?.heading_font,
      brand_heading_size: branding?.heading_size,
      contact_email: contact?.email,
      contact_phone_number: contact?.phone_number,
    };
    await work.registry.follow('provider', work, target.provider_id, changes);
    await changePictures(work, { logo_id: logo, cover_id: branding?.cover });
    await changeBusiness(work, changes, changedNames(body));
    return target.provider_id;
  },
});

function checkDomain(domain: string | null | undefined, baseUrl: string): void {
  if (domain && domain === new URL(baseUrl).hostname)
    throw invalid('booking_site.domain', 'This is the address of the service itself. Send a host name of your own.');
}

/** Returns the columns of a domain. A different domain has to be verified again. */
const domainOf = (domain: string | null | undefined, before: string | null) =>
  domain === undefined || domain === before ? {} : { site_domain: domain, site_domain_verified_at: null };

function checkSlug(slug: string | undefined): void {
  if (slug === undefined) return;
  if (!isSlug(slug)) throw invalid('booking_site.slug', SLUG_HINT);
  if (isReserved(slug)) throw invalid('booking_site.slug', 'The service uses this address itself. Choose another one.');
}

/** Refuses a slug that a business of another cell has. The database itself refuses those of this cell. */
async function checkFree({ cells }: Installation, slug: string | undefined): Promise<void> {
  if (slug !== undefined && (await isTakenElsewhere(cells, `slug:${slug}`))) throw SLUG_TAKEN();
}

/** Checks that the steps are ordered from early to late, and only `reserve` keeps a spot for a while. */
function checkWaitlist(
  steps: readonly { until_minutes_before: number | null; action: string; claim_minutes?: number }[] = [],
): void {
  steps.forEach((step, i) => {
    const at = `waitlist_settings.waitlist_policy.${i}`;
    if (step.action === 'reserve' && step.claim_minutes === undefined)
      throw invalid(`${at}.claim_minutes`, 'Set for how many minutes a reserved spot is kept.');
    const next = steps[i + 1];
    if (
      next &&
      (step.until_minutes_before === null || (next.until_minutes_before ?? -1) >= step.until_minutes_before)
    ) {
      throw invalid(`${at}.until_minutes_before`, 'Put the steps in order: each must end before the next one does.');
    }
  });
}
