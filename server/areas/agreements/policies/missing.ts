/** Policies that a customer has to agree to. */
import { currentOrImpending, stillAgrees } from './rules/versions.ts';
import { nowInstant, viewedByStaff } from '../../../kernel/work/access/viewer.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { raw, sql, type Param, type Sql } from '../../../kernel/base/db/sql.ts';
import type { ASKED_WHEN } from './policy.ts';
import type { Translation } from './texts.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export type AskedWhen = (typeof ASKED_WHEN)[number];

/** A policy with the version in effect. */
export interface PolicyInEffect {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly text: string;
  readonly translations: readonly Translation[];
  /** the customer has to agree to it */
  readonly asked: boolean;
}

interface VersionRow {
  readonly policy: number;
  readonly name: string;
  readonly id: number;
  readonly effectiveAt: number;
  readonly asksAgain: boolean;
  readonly text: string;
  readonly translations: readonly Translation[];
  readonly agreed: boolean;
  readonly asked: boolean;
}

type Reading = Pick<Work, 'tx' | 'providerId' | 'now'>;

/** Reads policies with their versions, and whether the customer agreed to each. `p`: the policy. */
const readVersions = ({ tx, providerId }: Reading, customer: number | null, when: Sql): Promise<VersionRow[]> =>
  tx.rows<VersionRow>(sql`
    SELECT p.id AS policy, p.name, v.id, v.effective_at AS "effectiveAt", v.asks_again AS "asksAgain", v.text,
      v.translations, ${when} AS asked, EXISTS (SELECT FROM policy_agreement a WHERE a.provider_id = v.provider_id
        AND a.policy_version_id = v.id AND a.customer_id = ${customer}) AS agreed
    FROM policy p JOIN policy_version v ON v.provider_id = p.provider_id AND v.policy_id = p.id
    WHERE p.provider_id = ${providerId} AND NOT p.archived
      AND (${when} OR p.purpose IN ('cancellation', 'refund'))
    ORDER BY p.id`);

/** Returns policies in effect, each with whether the customer still has to agree to it. */
async function inEffect(reading: Reading, customer: number | null, when: AskedWhen): Promise<PolicyInEffect[]> {
  const { now } = reading;
  const rows = await readVersions(reading, customer, raw(`p.at_${when}`));
  return [...Map.groupBy(rows, ({ policy }) => policy).values()].flatMap((versions) => {
    const current = currentOrImpending(versions, now) as VersionRow;
    if (current.effectiveAt > now) return [];
    const agreed = new Set(versions.flatMap((one) => (one.agreed ? [one.id] : [])));
    const { policy: id, name, id: version, text, translations, asked } = current;
    return [{ id, name, version, text, translations, asked: asked && !stillAgrees(versions, agreed, now) }];
  });
}

/** Returns the policies that are asked then and not agreed to. `customer`: null for people who aren't customers yet. */
export const missingPolicies = async (
  reading: Reading,
  customer: number | null,
  when: AskedWhen,
): Promise<PolicyInEffect[]> => (await inEffect(reading, customer, when)).filter(({ asked }) => asked);

/** Returns the policies that a checkout shows: those to agree to, and those about cancellations and refunds. */
export const policiesOfCheckout = (reading: Reading, customer: number): Promise<PolicyInEffect[]> =>
  inEffect(reading, customer, 'purchase');

/** Matches policies in effect that a customer hasn't agreed to, as `stillAgrees` decides it. */
export const unagreedBy = (t: string, customer: Param): Sql => sql`(
  EXISTS (SELECT FROM customer c WHERE c.provider_id = ${raw(t)}.provider_id AND c.id = ${customer}
    AND (${viewedByStaff} OR ${ofMyFamily('c.id')}))
  AND EXISTS (SELECT FROM policy_version v WHERE v.provider_id = ${raw(t)}.provider_id AND v.policy_id = ${raw(t)}.id
    AND v.effective_at <= ${nowInstant}::timestamptz)
  AND NOT EXISTS (
    SELECT FROM policy_agreement a JOIN policy_version v ON v.provider_id = a.provider_id
      AND v.id = a.policy_version_id
    WHERE a.provider_id = ${raw(t)}.provider_id AND a.policy_id = ${raw(t)}.id AND a.customer_id = ${customer}
      AND NOT EXISTS (SELECT FROM policy_version n WHERE n.provider_id = v.provider_id AND n.policy_id = v.policy_id
        AND n.asks_again AND n.effective_at <= ${nowInstant}::timestamptz
        AND (n.effective_at, n.id) > (v.effective_at, v.id))))`;
