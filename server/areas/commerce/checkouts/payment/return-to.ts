/**
 * Addresses that a browser may be sent to after paying: only sites of the business, or those its application was
 * registered with.
 */
import { callbackUrlProblem } from '../../../people/applications/index.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns the host of an https address; null if it has a port, because that would be another site. */
function siteOf(url: string): string | null {
  if (!/^https:/i.test(url)) return null;
  const { hostname, port } = new URL(url);
  return port === '' ? hostname.toLowerCase() : null;
}

/** Refuses other addresses: our site must not become an open redirect. */
export async function checkReturnTo({ tx, viewer, providerId }: Work, url: string): Promise<void> {
  const problem = callbackUrlProblem(url, false);
  const site = problem === null ? siteOf(url) : null;
  const ours =
    site !== null &&
    (await tx.one(sql`SELECT FROM provider WHERE provider_id = ${providerId} AND ${site} = ANY(domains)
      UNION ALL SELECT FROM application WHERE provider_id = ${providerId} AND deleted_at IS NULL AND lower(domain) = ${site} LIMIT 1`));
  if (ours) return;
  const registered =
    viewer.applicationId !== null &&
    (await tx.one(
      sql`SELECT FROM application WHERE id = ${viewer.applicationId} AND ${url} = ANY(allowed_callback_urls)`,
    ));
  if (registered) return;
  throw invalid(
    'return_to',
    problem ??
      (site === null
        ? 'Must start with https:// and have no port, or be one of the addresses that the application is registered with.'
        : `${site} is not a site of this business. A super admin can add it to "domains" with PATCH /providers/${providerId}.`),
  );
}
