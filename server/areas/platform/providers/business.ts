/** A business as the kernel and other areas need it: its columns, its lock, and the one function that changes it. */
import { instant, join, raw, sql } from '../../../kernel/base/db/sql.ts';
import { readerIn } from '../../../kernel/base/languages/languages.ts';
import { providerFeed } from './feed.ts';
import { wordsOf, type OwnWords } from '../../../kernel/base/values/words.ts';
import type { Tenant, Work } from '../../../kernel/work/unit/work.ts';
import type { Reads } from '../../../kernel/base/db/database.ts';

export async function findTenant(tx: Reads, providerId: number): Promise<Tenant | null> {
  const row = await tx.one<TenantRow>(
    sql`SELECT ${TENANT_COLUMNS} FROM provider p ${AND_ITS_CLOCK} WHERE p.provider_id = ${providerId}`,
  );
  return row ? tenantOf(providerId, row) : null;
}

export interface TenantRow {
  readonly timezone: string;
  readonly currency: string;
  readonly ahead_ms: number | null;
  readonly words: OwnWords;
  readonly country: string;
  readonly language: string | null;
}

/** Columns for statements that read more of a business `p` than this. */
export const TENANT_COLUMNS = raw('p.timezone, p.currency, t.ahead_ms, p.words, p.country, p.language');
export const AND_ITS_CLOCK = raw('LEFT JOIN test_clock t ON t.provider_id = p.provider_id');

export const tenantOf = (
  providerId: number,
  { timezone, currency, ahead_ms: aheadMs, words, country, language }: TenantRow,
): Tenant => ({
  providerId,
  zone: timezone,
  currency,
  words: wordsOf(words),
  reader: readerIn(country, language),
  ...(aheadMs !== null && { testClock: { aheadMs } }),
});

/** Serializes decisions about the business as a whole; other writes of its row aren't blocked. */
export async function lockBusiness(work: Work): Promise<void> {
  await work.tx.run(sql`SELECT FROM provider WHERE provider_id = ${work.providerId} FOR NO KEY UPDATE`);
}

/** Sets columns to new values; undefined ones stay. `changed` are the properties in the interface's names. */
export async function changeBusiness(
  work: Work,
  values: Record<string, unknown>,
  changed: readonly string[],
): Promise<void> {
  const set = Object.entries(values)
    .filter(([, v]) => v !== undefined)
    .map(([column, v]) => sql`${raw(column)} = ${v}`);
  await work.tx.run(
    sql`UPDATE provider SET ${join([...set, sql`updated_at = ${instant(work.now)}`], ', ')}
      WHERE provider_id = ${work.providerId}`,
  );
  if (changed.length > 0)
    work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: [...changed] });
}

interface Pictures {
  /** ids of images; null for none, undefined if unchanged */
  readonly logo_id?: number | null;
  readonly cover_id?: number | null;
  readonly homescreen_logo_id?: number | null;
}

const listed = (id: number | null): number[] => (id === null ? [] : [id]);

/** Sets the pictures of the business itself; the audit shows them with the business. */
export async function changePictures(work: Work, pictures: Pictures): Promise<void> {
  const { tx, providerId } = work;
  const set = Object.entries(pictures).filter((entry): entry is [string, number | null] => entry[1] !== undefined);
  if (set.length === 0) return;
  const names = set.map(([column]) => raw(column));
  const ids = set.map(([, id]) => sql`${id}::bigint`);
  const to = names.map((name) => sql`${name} = excluded.${name}`);
  const [[was]] = await tx.all([
    sql`SELECT ${join(names, ', ')} FROM provider_theme WHERE provider_id = ${providerId} FOR UPDATE`,
    sql`INSERT INTO provider_theme (provider_id, ${join(names, ', ')}) VALUES (${providerId}, ${join(ids, ', ')})
      ON CONFLICT (provider_id) DO UPDATE SET ${join(to, ', ')}`,
  ]);
  for (const [name, id] of set)
    work.touchLinks('provider', providerId, {
      name,
      before: listed(was?.[name] ?? null),
      after: listed(id),
      ordered: true,
    });
}

/** Returns whether customers may choose to pay at the desk. */
export async function paysAtDesk({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>): Promise<boolean> {
  const row = await tx.one<{ may: boolean }>(
    sql`SELECT customers_pay_at_desk AS may FROM provider WHERE provider_id = ${providerId}`,
  );
  return row!.may;
}
