/** A business's own host name: it is used once DNS proves that it belongs to the business. */
import { answer, outside, staffWith } from '../../../kernel/api/endpoint.ts';
import { boolean, text } from '../../../kernel/base/fields/kinds.ts';
import { changeBusiness } from './business.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { DOMAIN_PROBLEMS, DOMAIN_TAKEN } from './problems.ts';
import { isTakenElsewhere } from '../../../kernel/work/unit/other-cells.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { PROOF } from './provider.ts';
import type { Reads } from '../../../kernel/base/db/database.ts';

interface Claimed {
  readonly domain: string | null;
  readonly proof: string;
  readonly [column: string]: unknown;
}

const read = (tx: Reads, providerId: number): Promise<Claimed | undefined> =>
  tx.one<Claimed>(
    sql`SELECT site_domain AS domain, site_domain_proof AS proof FROM provider WHERE provider_id = ${providerId}`,
  );

const recordOf = (domain: string): string => `_rollcall.${domain}`;

export const verifyDomain = outside({
  path: '/domains/verify',
  summary: 'Verify the domain of the booking site',
  description:
    'Asks the name servers for the TXT record of `domain_verification`. If it is there, the booking site is served at the domain from the next request on.',
  who: staffWith('super_admin'),
  dryRun: 'It asks name servers, and what they say is only known then.',
  body: {},
  problems: [DOMAIN_PROBLEMS.domain_not_set, DOMAIN_PROBLEMS.domain_not_verified],
  returns: answer({ domain: text(), is_domain_verified: boolean() }),
  run: async ({ db, tenant: { providerId }, installation, now, transact }) => {
    const { domain, proof } = (await db.looking(providerId, (tx) => read(tx, providerId)))!;
    if (domain === null)
      throw new Problem(DOMAIN_PROBLEMS.domain_not_set, 'Set `booking_site.domain` with PATCH /providers/{id} first.');
    const texts = await installation.resolveTexts(recordOf(domain)).catch(() => null);
    const wanted = `${PROOF}${proof}`;
    if (!texts?.includes(wanted))
      throw new Problem(
        DOMAIN_PROBLEMS.domain_not_verified,
        texts === null
          ? `The name servers of ${domain} don’t answer. Try again in a few minutes.`
          : `Add a TXT record with the name ${recordOf(domain)} and the value ${wanted}, and try again. It can take an hour until a new record is found.`,
      );
    if (await isTakenElsewhere(installation.cells, `host:${domain}`)) throw DOMAIN_TAKEN();
    await transact(async (work) => {
      // The name may have changed during the DNS query.
      const changed = (await read(work.tx, providerId))!.domain === domain;
      if (!changed) throw new Problem('conflict', 'The domain has just been changed. Try again.');
      await changeBusiness(work, { site_domain_verified_at: instant(now) }, ['booking_site']);
      work.audit({
        action: 'POST /domains/verify',
        object: 'provider',
        objectId: providerId,
        before: { site_domain: domain },
        after: { site_domain: domain, verified: true },
      });
    });
    return { domain, is_domain_verified: true };
  },
});
