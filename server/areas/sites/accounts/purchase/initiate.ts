import { action, answer } from '../../../../kernel/api/endpoint.ts';
import { at } from '../business.ts';
import { buy, trying } from './purchase.ts';
import { callbackUrlProblem } from '../../../people/applications/index.ts';
import { checkActsFor } from '../../../people/customers/index.ts';
import { formatInstant } from '../../../../kernel/values/zone.ts';
import { instant, ref, text, uri } from '../../../../kernel/api/kinds.ts';
import { instant as timestamp, sql } from '../../../../kernel/db/sql.ts';
import { invalid } from '../../../../kernel/api/problem.ts';
import { makeSecret } from '../../../people/identity/index.ts';
import { membership } from '../../../memberships/memberships/index.ts';
import { BOOKING_PROBLEMS } from '../../../scheduling/schedule/index.ts';
import { MEMBERSHIP_PROBLEMS } from '../../../memberships/customer-memberships/index.ts';
import type { Ask } from '../../../../kernel/api/calls.ts';
import type { Work } from '../../../../kernel/work.ts';

const HOLDS_MS = 3_600_000;

export const PURCHASE_SECRET = 'rcb_';

export const initiatePurchase = action({
  path: '/memberships/{id}/initiate_purchase',
  summary: 'Create a page where a customer buys a membership',
  description:
    "Returns the address of a page where the customer sees the purchase, agrees to the terms and confirms. The address is valid for an hour and returned only once. If a customer requests it, only someone who is logged in as that customer, or who manages the child's family, can finish the purchase. If staff request it, anyone who has the address can. Afterwards, the browser returns to `return_to` with `purchase` set to `completed` (and `customer_membership` to its id), `cancelled`, or `at_desk`: Rollcall takes no payments yet, so anything that is not free is bought at the desk.",
  who: { provider: ['super_admin', 'customers'], customer: true, unregistered: false },
  target: membership,
  unlocked: true,
  body: {
    return_to: text({ max: 2000 }).describe(
      'An https address on a site of the business (its `domains`, or the `domain` of one of its applications), or one of the addresses that the application is registered with.',
    ),
    customer: ref('customer'),
    payment_plan: ref('membership_payment_plan')
      .nullable()
      .optional()
      .describe('For recurring plans. Can be left out if only one plan is for sale.'),
    event: ref('event').nullable().optional().describe('The event to book with the membership.'),
    appointment_slot: text({ max: 256 }).nullable().optional().describe('Null, because there are no appointments.'),
  },
  returns: answer({
    next_url: uri()
      .nullable()
      .describe(
        'Null if the same request is repeated with its Idempotency-Key, because the address is returned only once.',
      ),
    expires_at: instant(),
  }),
  silent: 'nothing is bought yet; the purchase itself is recorded when it happens',
  problems: [...BOOKING_PROBLEMS, ...Object.values(MEMBERSHIP_PROBLEMS)],
  run: async ({ work, target, body, pagesUrl, grant, ask }) => {
    if (body.appointment_slot !== undefined && body.appointment_slot !== null)
      throw invalid('appointment_slot', 'There are no appointments here. Leave it out, or book an event.');
    // A page of ours, which comes without a credential, names a page of ours.
    if (grant !== null || !body.return_to.startsWith('/')) await checkReturnTo(work, body.return_to);
    await checkActsFor(work, body.customer);
    const wanted = {
      membership: target.id as number,
      plan: body.payment_plan ?? null,
      customer: body.customer,
      event: body.event ?? null,
    };
    await tried(work, ask, wanted);
    const { secret, expires } = await openPurchase(work, wanted, body.return_to);
    work.reveal({ next_url: `${pagesUrl}${at({ id: work.providerId }, 'purchase')}?ticket=${secret}` });
    return { next_url: null, expires_at: formatInstant(expires, work.tenant.zone) };
  },
});

/** The host of the address; null where it names a port, for that would be another site. */
function siteOf(url: string): string | null {
  const { hostname, port } = new URL(url);
  return port === '' ? hostname.toLowerCase() : null;
}

/** Opens a purchase that somebody finishes on a page. `expires`: epoch ms. */
async function openPurchase(
  { tx, providerId, now, viewer }: Work,
  wanted: Parameters<typeof buy>[1],
  returnTo: string,
): Promise<{ secret: string; expires: number }> {
  const { secret, hash } = makeSecret(PURCHASE_SECRET);
  const expires = now + HOLDS_MS;
  await tx.run(sql`INSERT INTO membership_purchase (provider_id, secret_hash, membership_id, plan_id, customer_id, event_id, return_to, by_staff, actor, expires_at, created_at, updated_at)
    VALUES (${providerId}, ${hash}, ${wanted.membership}, ${wanted.plan}, ${wanted.customer}, ${wanted.event}, ${returnTo}, ${viewer.mode === 'provider'}, ${viewer.actor}, ${timestamp(expires)}, ${timestamp(now)}, ${timestamp(now)})`);
  return { secret, expires };
}

class Undo extends Error {}

/** What cannot be bought is said at once, and not first on the page. */
async function tried({ tx, providerId, tenant }: Work, ask: Ask, wanted: Parameters<typeof buy>[1]): Promise<void> {
  await tx
    .attempt(async () => {
      await buy({ ask: trying(ask), tx, providerId, currency: tenant.currency }, wanted);
      throw new Undo();
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error;
    });
}

/**
 * Ours must not become an address that leads anywhere: only to sites of the business, or what the application was
 * registered with.
 */
async function checkReturnTo({ tx, viewer, providerId }: Work, url: string): Promise<void> {
  const problem = callbackUrlProblem(url, false);
  const site = problem === null && /^https:/i.test(url) ? siteOf(url) : null;
  const ours =
    site !== null &&
    (await tx.one(sql`SELECT FROM provider WHERE provider_id = ${providerId} AND ${site} = ANY(domains)
    UNION ALL SELECT FROM application WHERE provider_id = ${providerId} AND deleted_at IS NULL AND lower(domain) = ${site} LIMIT 1`));
  if (ours) return;
  const registered =
    viewer.applicationId === null
      ? undefined
      : await tx.one(
          sql`SELECT 1 FROM application WHERE id = ${viewer.applicationId} AND ${url} = ANY(allowed_callback_urls)`,
        );
  if (registered) return;
  throw invalid(
    'return_to',
    problem ??
      (site === null
        ? 'Must start with https:// and have no port, or be one of the addresses that the application is registered with.'
        : `${site} is not a site of this business. A super admin can add it to "domains" with PATCH /providers/${providerId}.`),
  );
}
