/** The only code that writes policies, versions and agreements. */
import { isDeepStrictEqual } from 'node:util';
import { checkActsFor, lockCustomers } from '../../people/customers/index.ts';
import { currentOrImpending } from './rules/versions.ts';
import { insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { instant, json, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { checkLanguages, type Translation } from './texts.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { policyAgreementFeed, policyVersionFeed } from './feed.ts';
import { say } from '../../../kernel/base/values/words.ts';
import { startOfDay } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Wording {
  readonly text: string;
  readonly translations?: readonly Translation[];
  /** a day of the business; absent or in the past: now */
  readonly effective_on?: string;
  readonly ask_again?: boolean;
}

/** Adds a version to a policy and returns its id. */
export async function publish(work: Work, policy: number, wording: Wording): Promise<number> {
  const { text, effective_on, translations = [], ask_again = true } = wording;
  checkLanguages(translations);
  const id = await insertRow(work, 'policy_version', {
    policy_id: policy,
    text,
    asks_again: ask_again,
    translations: json(translations),
    effective_at: instant(Math.max(work.now, effective_on ? startOfDay(effective_on, work.tenant.zone) : 0)),
  });
  work.record(policyVersionFeed.created, id, { policy_version: id, policy });
  return id;
}

interface Wanted {
  readonly id: number;
  readonly text: string;
  readonly translations: readonly Translation[];
  readonly asksAgain: boolean;
}

/**
 * Publishes a version with what changes of the one that the policy shows. If such a text is in effect or already
 * waits, none is published, and only whether it asks again may change.
 */
export async function publishChange(work: Work, policy: number, sent: Partial<Wording>): Promise<void> {
  const one = (order: Sql): Sql => sql`(SELECT id, text, translations, asks_again AS "asksAgain" FROM policy_version
    WHERE provider_id = ${work.providerId} AND policy_id = ${policy} ORDER BY ${order}, id DESC LIMIT 1)`;
  const isLater = sql`effective_at > ${instant(work.now)}::timestamptz`;
  const found = await work.tx.rows<Wanted>(sql`
    ${one(sql`${isLater}, CASE WHEN ${isLater} THEN effective_at END, effective_at DESC`)}
    UNION ALL ${one(sql`effective_at DESC`)}`);
  const [shown] = found;
  const { text = shown.text, translations = shown.translations, ask_again } = sent;
  const same = found.find((known) => text === known.text && isDeepStrictEqual([...translations], known.translations));
  if (!same) await publish(work, policy, { ...sent, text, translations });
  else if (ask_again !== undefined && ask_again !== same.asksAgain)
    await updateRow(work, 'policy_version', same.id, { asks_again: ask_again });
}

interface Agreed {
  readonly policy: number;
  readonly version: number;
  readonly customer?: number;
}

/** Stores an agreement and returns its id; one that exists is returned. `ip`: address of the client. */
export async function agree(work: Work, { policy, version, customer }: Agreed, ip: string): Promise<number> {
  const { tx, providerId, viewer, now } = work;
  const subject = customer ?? viewer.customerId;
  if (subject === null) throw invalid('customer', 'Name the customer who agreed.');
  if (viewer.mode === 'provider' && !may(viewer, 'customers', 'pos', 'attendances'))
    throw new Problem('permission_denied', 'You need the permission `customers`, `pos` or `attendances`.');
  await checkActsFor(work, subject);
  const [row] = await lockCustomers(work, [subject]);
  if (!row || row.deleted_at !== null) throw invalid('customer', `There is no customer with the id ${subject}.`);
  const versions = await tx.rows<{ id: number; effectiveAt: number; asksAgain: boolean; archived: boolean }>(sql`
    SELECT v.id, v.effective_at AS "effectiveAt", v.asks_again AS "asksAgain", p.archived
    FROM policy_version v JOIN policy p ON p.provider_id = v.provider_id AND p.id = v.policy_id
    WHERE v.provider_id = ${providerId} AND v.policy_id = ${policy}`);
  if (!versions.some(({ id }) => id === version))
    throw invalid('version', 'This version belongs to another policy. Send a version of this one.');
  const before = await tx.one<{ id: number }>(
    sql`SELECT id FROM policy_agreement WHERE provider_id = ${providerId} AND policy_version_id = ${version}
      AND customer_id = ${subject}`,
  );
  if (before) return before.id;
  if (versions[0].archived) throw new Problem('conflict', 'The policy is archived. Nobody agrees to it any more.');
  const current = currentOrImpending(versions, now)!;
  const upcoming = versions.find(({ id }) => id === version)!.effectiveAt > now;
  if (version !== current.id && !upcoming)
    throw new Problem('conflict', {
      staff: `This version is no longer in effect. Ask for an agreement to version ${current.id}.`,
      customer: say`The text has changed in the meantime. Read the new one, and agree again.`,
    });
  const id = await insertRow(work, 'policy_agreement', {
    policy_id: policy,
    policy_version_id: version,
    customer_id: subject,
    agreed_at: instant(now),
    by_customer_id: viewer.customerId === subject ? null : viewer.customerId,
    by_staff_id: viewer.mode === 'provider' ? viewer.staffId : null,
    address_hash: work.installation.box.fingerprint(`agreement:${providerId}`, ip).toString('base64url'),
  });
  work.record(policyAgreementFeed.created, id, {
    policy_agreement: id,
    policy,
    policy_version: version,
    customer: subject,
  });
  return id;
}
