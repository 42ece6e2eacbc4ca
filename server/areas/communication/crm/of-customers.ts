/** Properties that this area adds to customers: the status, the labels and the pinned note, and filters. */
import { customerLabelLink } from './labels/customer-label.ts';
import { Field } from '../../../kernel/base/fields/field.ts';
import { filter, type Filter, type SortKey } from '../../../kernel/api/endpoint.ts';
import { id, idsOf, listOf, refBy, slugOrId, slugRef } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { viewedByCarers } from '../../people/customers/index.ts';
import type { Properties, Shown } from '../../../kernel/api/resource.ts';

const slugOfStatus = (t: string) =>
  raw(`(SELECT s.slug FROM customer_status s WHERE s.provider_id = ${t}.provider_id AND s.id = ${t}.status_id)`);

/** A business's opinions about customers are hidden from the customers themselves. */
const forCarersAlone: Shown = { provider: ['customers'], customer: false };

export const customerProperties: Properties = {
  fields: {
    status: slugRef('customer_status', 'status_id', slugOfStatus)
      .nullable()
      .describe('Slug of the status of the customer. Null if there is none, and for customers themselves.'),
    labels: idsOf('customer_label', customerLabelLink).deferred().describe('Empty for customers themselves.'),
    pinned_note: refBy('customer_note', (t) =>
      raw(`(SELECT n.id FROM customer_note n WHERE n.provider_id = ${t}.provider_id AND n.customer_id = ${t}.id
        AND n.pinned ORDER BY n.at DESC, n.id DESC LIMIT 1)`),
    )
      .nullable()
      .deferred()
      .describe('The latest note that is pinned. Null if there is none, and for customers themselves.'),
  },
  shown: { status: forCarersAlone, labels: forCarersAlone, pinned_note: forCarersAlone },
};

const hasLabel = (t: string, label: unknown) =>
  sql`EXISTS (SELECT FROM customer_label_link l
    WHERE l.provider_id = ${raw(t)}.provider_id AND l.customer_id = ${raw(t)}.id AND l.customer_label_id = ${label})`;

/** Nobody can find out by a filter or an order what is hidden from them. */
const forCarers = (condition: Sql): Sql => sql`${viewedByCarers}::boolean AND ${condition}`;

/** A status by its slug or id. Null, in a query the word `null`, means no status. */
function statusOrNone(): Field<string | number | null> {
  const { spec } = slugOrId('customer_status').nullable();
  const { relation: _, ...plain } = spec;
  return new Field({
    ...plain,
    schema: { type: ['string', 'integer', 'null'] },
    read: (input, path, reading) =>
      reading.text && String(input).trim() === 'null' ? null : spec.read(input, path, reading),
  });
}

/**
 * The slug of one status is never mistaken for the id of another. An array that is computed first allows an index
 * lookup.
 */
const inStatus = (t: string, named: unknown): Sql => sql`(
  ${raw(t)}.status_id = ANY(ARRAY(
    SELECT s.id FROM customer_status s WHERE s.provider_id = current_provider_id()
      AND (s.slug = ANY(${named}::text[]) OR (s.id::text = ANY(${named}::text[])
      AND NOT EXISTS (SELECT FROM customer_status other
        WHERE other.provider_id = s.provider_id AND other.slug = s.id::text)))))
  OR (${raw(t)}.status_id IS NULL AND array_position(${named}::text[], NULL) IS NOT NULL))`;

const positionOfStatus = (t: string) =>
  sql`
    CASE WHEN ${viewedByCarers}::boolean THEN (SELECT s.position FROM customer_status s
      WHERE s.provider_id = ${raw(t)}.provider_id AND s.id = ${raw(t)}.status_id) END`;

export const customerFilters: Readonly<Record<string, Filter>> = {
  status: filter(
    listOf(statusOrNone(), { max: 100 }).describe(
      'Only customers with any of these statuses, by slug or id. `null` finds customers without a status: `status=converted,null`.',
    ),
    (t, named) => forCarers(inStatus(t, named)),
  ),
  label: filter(id().describe('Only customers with this label.'), (t, label) => forCarers(hasLabel(t, label))),
  labels: filter(listOf(id(), { max: 100 }).describe('Only customers with all of these labels.'), (t, labels) =>
    forCarers(sql`NOT EXISTS (SELECT FROM unnest(${labels}::bigint[]) wanted WHERE NOT ${hasLabel(t, raw('wanted'))})`),
  ),
};

export const customerSorts: Readonly<Record<string, SortKey>> = { status: { by: positionOfStatus } };
