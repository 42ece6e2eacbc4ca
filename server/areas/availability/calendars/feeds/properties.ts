/** The addresses of calendars, as properties of the objects that they belong to. */
import { linksOf, links } from './links.ts';
import { object } from '../../../../kernel/base/fields/kinds.ts';
import { param, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { seesAll } from '../outside/resources.ts';
import { viewingStaff, type Input } from '../../../../kernel/work/access/viewer.ts';
import type { FeedKind } from './address.ts';

const plansAll = param<Input>(({ viewer }) => viewer.mode === 'provider' && seesAll(viewer));

/** `subject` is null for viewers who don't see the address. */
const property = (kind: FeedKind, subject: (t: string) => Sql, feed: (t: string) => Sql) =>
  object(links)
    .computed(
      (t) => [
        raw(`${t}.provider_id`),
        subject(t),
        sql`
          coalesce((SELECT f.generation FROM calendar_feed f
            WHERE f.provider_id = ${raw(t)}.provider_id AND f.kind = ${raw(`'${kind}'`)} AND ${feed(t)}), 0)`,
      ],
      ([provider, id, generation], { secrets, pagesUrl }) =>
        id === null
          ? null
          : linksOf(secrets, pagesUrl, { providerId: Number(provider), kind, subject: Number(id) }, Number(generation)),
    )
    .nullable()
    .deferred();

export const instructorLinks = property(
  'instructor',
  (t) => sql`CASE WHEN ${plansAll}::boolean OR ${raw(t)}.staff_id = ${viewingStaff}::bigint THEN ${raw(t)}.id END`,
  (t) => raw(`f.instructor_id = ${t}.id`),
).describe('URL to subscribe to the events that they teach. Null for everyone but themselves and `manage_events`.');

export const providerLinks = property(
  'business',
  () => sql`CASE WHEN ${plansAll}::boolean THEN 0 END`,
  () => raw('true'),
).describe('URL to subscribe to all events. Null for everyone but staff with `manage_events` at all venues.');
