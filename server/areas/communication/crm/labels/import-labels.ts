/** Labels of imported customers. Labels that don't exist are created. */
import { customerLabelFeed, customerLabelsFeed } from './feed.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { lockCustomers } from '../../../people/customers/index.ts';
import { slugOf } from '../rules/slug.ts';
import { takeIds } from '../../../../kernel/work/unit/row.ts';
import type { Label } from './writes.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const MAX_NAME = 64;

export interface ImportedLabels {
  readonly customer: number;
  readonly names: readonly string[];
}

export interface WrittenLabels {
  /** customers who got a label */
  readonly changed: ReadonlySet<number>;
  /** names of which no label can be made */
  readonly refused: ReadonlySet<string>;
}

/** In filters, `null` means none. */
const usable = (slug: string | null | undefined): slug is string => typeof slug === 'string' && slug !== 'null';

/** Adds labels by their names, ignoring case. Labels that a customer has beside them stay. */
export async function importLabels(work: Work, wanted: readonly ImportedLabels[]): Promise<WrittenLabels> {
  const { tx, providerId, now } = work;
  const slugs = new Map(
    wanted.flatMap(({ names }) => names.map((name) => [name, name.length > MAX_NAME ? null : slugOf(name)] as const)),
  );
  const refused = new Set([...slugs].flatMap(([name, slug]) => (usable(slug) ? [] : [name])));
  const labels = await labelsFor(work, new Map([...slugs].filter(([, slug]) => usable(slug)) as [string, string][]));
  const links = wanted.flatMap(({ customer, names }) =>
    [...new Set(names.flatMap((name) => labels.get(slugs.get(name) ?? '') ?? []))].map((label) => ({
      customer,
      label,
    })),
  );
  if (links.length === 0) return { changed: new Set(), refused };
  // Locked like wherever labels are added, so that the same label isn't added twice.
  const ids = [...new Set(links.map(({ customer }) => customer))].toSorted((a, b) => a - b);
  await lockCustomers(work, ids);
  const added = await tx.rows<{ customer_id: number; customer_label_id: number }>(sql`
    INSERT INTO customer_label_link (provider_id, customer_id, customer_label_id, created_at)
    SELECT ${providerId}::bigint, c, l, ${instant(now)}::timestamptz
    FROM unnest(${links.map(({ customer }) => customer)}::bigint[], ${links.map(({ label }) => label.id)}::bigint[])
      AS k (c, l)
    ORDER BY c, l
    ON CONFLICT DO NOTHING RETURNING customer_id, customer_label_id`);
  const slugBy = new Map([...labels.values()].map(({ id, slug }) => [id, slug]));
  for (const { customer_id: customer, customer_label_id: label } of added)
    work.record(customerLabelsFeed.added, customer, {
      customer,
      customer_label: label,
      label: slugBy.get(label)!,
      workflow_run: null,
    });
  return { changed: new Set(added.map((row) => row.customer_id)), refused };
}

/** Returns the labels by slug, and creates the missing ones. */
async function labelsFor(work: Work, slugs: ReadonlyMap<string, string>): Promise<Map<string, Label>> {
  const { tx, providerId, now } = work;
  const wanted = new Map([...slugs].map(([name, slug]) => [slug, name]));
  const stored = await tx.rows<Label & Record<string, unknown>>(
    sql`SELECT id, slug FROM customer_label WHERE provider_id = ${providerId}
        AND slug = ANY(${[...wanted.keys()]}::text[])`,
  );
  const labels = new Map<string, Label>(stored.map(({ id, slug }) => [slug, { id, slug }]));
  const missing = [...wanted.keys()].filter((slug) => !labels.has(slug));
  if (missing.length === 0) return labels;
  const ids = await takeIds(work, 'customer_label', missing.length);
  const at = instant(now);
  await tx.run(sql`
    INSERT INTO customer_label (provider_id, id, name, slug, created_at, updated_at)
    SELECT ${providerId}::bigint, i, n, s, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${ids}::bigint[], ${missing.map((slug) => wanted.get(slug)!)}::text[], ${missing}::text[])
      AS l (i, n, s)`);
  for (const [i, slug] of missing.entries()) {
    labels.set(slug, { id: ids[i], slug });
    work.record(customerLabelFeed.created, ids[i], { customer_label: ids[i] });
    work.touch('customer_label', ids[i], null);
  }
  return labels;
}
