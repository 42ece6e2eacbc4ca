import { answer, outside, type Who } from '../../../kernel/api/endpoint.ts';
import { applicationBy, reaches } from './direct-key.ts';
import { boolean, email, uri } from '../../../kernel/base/fields/kinds.ts';
import { credentialMissing } from '../../../kernel/work/access/grant.ts';
import { emailKey } from '../identity/index.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { RateDecision, RatePolicy } from '../../../kernel/api/limits/rate-limit.ts';

/** Super admins of the business, and applications with their key, which is not a person's credential. */
const who: Who = { provider: ['super_admin'], customer: false, unregistered: true };

/** Enough for a log-in form, too few to go through a list of addresses. Never disabled. */
export const CHECKS: RatePolicy = { name: 'check_account', quota: 60, windowSeconds: 60 };

function limit({ allowed, retryAfterSeconds }: RateDecision): void {
  if (!allowed)
    throw new Problem(
      'rate_limited',
      `More than ${CHECKS.quota} checks per minute. Try again in ${retryAfterSeconds} s.`,
      {},
      { 'retry-after': String(retryAfterSeconds) },
    );
}

export const check_account = outside({
  method: 'GET',
  path: '/auth/check_account',
  summary: 'Check whether the business knows an email address',
  description: `Checks this business only, not others. For super admins of the business, and for applications with the header \`Service-Direct-Auth-Key\`. Everybody else gets 401. At most ${CHECKS.quota} checks per minute for each.`,
  who,
  query: { email: email() },
  returns: answer({
    account_exists: boolean().describe('Whether a staff member or customer has this address.'),
    has_identity_account: boolean().describe('Whether that person can log in here.'),
    is_claimed: boolean().describe('Whether the person has claimed the customer record.'),
    is_hidden: boolean().describe('Whether the customer record is hidden.'),
    web_auth_url: uri().describe('URL where people log in to the business.'),
  }),
  run: async ({ db, viewer, now, query, header, pagesUrl, standing, charge }) => {
    const { providerId } = viewer;
    const key = header('direct-auth-key');
    if (viewer.mode === 'unregistered' && key === undefined) throw credentialMissing();
    if (viewer.mode === 'unregistered') {
      const application = await applicationBy(db, key!, now);
      if (!reaches(application, providerId))
        throw invalid('Service-Provider-ID', 'The application has no access to this business.');
      limit(charge(CHECKS, `application:${application.id}`));
    } else {
      limit(charge(CHECKS, viewer.actor));
    }
    const known = await db.transaction(
      providerId,
      (tx) =>
        tx.one<{ staff: boolean | null; customer: boolean | null; hidden: boolean | null }>(
          sql`SELECT (SELECT bool_or(user_id IS NOT NULL) FROM staff WHERE provider_id = ${providerId} AND lower(email) = ${emailKey(query.email)} AND NOT archived) AS staff,
                     (SELECT user_id IS NOT NULL FROM customer WHERE provider_id = ${providerId} AND lower(email) = ${emailKey(query.email)} AND deleted_at IS NULL AND NOT is_guest LIMIT 1) AS customer,
                     (SELECT visibility = 'hidden' FROM customer WHERE provider_id = ${providerId} AND lower(email) = ${emailKey(query.email)} AND deleted_at IS NULL AND NOT is_guest LIMIT 1) AS hidden`,
        ),
      standing,
    );
    const { staff, customer, hidden } = known!;
    return {
      account_exists: staff !== null || customer !== null,
      has_identity_account: staff === true || customer === true,
      is_claimed: customer === true,
      is_hidden: hidden === true,
      web_auth_url: `${pagesUrl}/account/${providerId}/log-in`,
    };
  },
});
