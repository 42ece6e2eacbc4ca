import { boolean, id, listOf, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { filter, paging, read, selecting, listAndGet } from '../../../kernel/api/endpoint.ts';
import { instant, raw, sql } from '../../../kernel/base/db/sql.ts';
import { judgeSubstitutes, type SubstitutedEvent } from '../hours/index.ts';
import { nowInstant, viewingStaff } from '../../../kernel/work/access/viewer.ts';
import { ownInstructor, whoTeaches } from './acting.ts';
import { statusAt, STATUSES, substituteRequest } from './substitute-request.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Number of open requests that are examined for one instructor, soonest first. */
const LOOKED_AT = 50;

const startOf = (t: string) =>
  raw(`(SELECT e.starts_at FROM event e WHERE e.provider_id = ${t}.provider_id AND e.id = ${t}.event_id)`);

type Wanted = SubstitutedEvent & { readonly request: number; readonly offered: boolean };

/**
 * Returns open requests of others for events that this instructor is qualified to teach, or has already offered to
 * teach.
 */
function openTo({ tx, providerId, viewer, now }: Work, me: number): Promise<Wanted[]> {
  const offered = sql`EXISTS (SELECT FROM substitute_offer o
    WHERE o.provider_id = r.provider_id AND o.substitute_request_id = r.id AND o.instructor_id = ${me})`;
  return tx.rows<Wanted & Record<string, unknown>>(sql`
    SELECT r.id AS request, e.id, e.offering_type_id, e.venue_id, e.timezone, e.starts_at, e.ends_at, e.buffer_before,
      e.buffer_after, ${offered} AS offered
    FROM substitute_request r JOIN event e ON e.provider_id = r.provider_id AND e.id = r.event_id
    WHERE r.provider_id = ${providerId} AND r.status = 'open' AND ${statusAt('r', instant(now))} = 'open'
      AND (${viewer.venues}::bigint[] IS NULL OR e.venue_id = ANY(${viewer.venues}::bigint[]))
      AND NOT EXISTS (SELECT FROM event_instructor t
        WHERE t.provider_id = e.provider_id AND t.event_id = e.id AND t.instructor_id = ${me})
      AND (${offered} OR EXISTS (SELECT FROM offering_type_instructor l
        WHERE l.provider_id = e.provider_id AND l.offering_type_id = e.offering_type_id AND l.instructor_id = ${me})
        OR EXISTS (SELECT FROM availability_schedule s
        JOIN availability_schedule_offering_type n ON n.provider_id = s.provider_id
          AND n.availability_schedule_id = s.id
          WHERE s.provider_id = e.provider_id AND s.instructor_id = ${me} AND n.offering_type_id = e.offering_type_id))
    ORDER BY e.starts_at, r.id LIMIT ${LOOKED_AT}`);
}

export const findRequests = [
  ...listAndGet(substituteRequest, {
    path: '/substitute_requests',
    summary: 'List requests for substitutes',
    get: 'Get a request for a substitute',
    who: whoTeaches,
    filters: {
      status: filter(
        listOf(oneOf(STATUSES)),
        (t, statuses) => sql`(${statusAt(t, nowInstant)}) = ANY(${statuses}::text[])`,
      ),
      event: filter(listOf(id()), (t, ids) => sql`${raw(t)}.event_id = ANY(${ids}::bigint[])`),
      instructor: filter(
        listOf(id()).describe('Comma-separated list of ids: requests of these instructors.'),
        (t, ids) => sql`${raw(t)}.instructor_id = ANY(${ids}::bigint[])`,
      ),
      mine: filter(
        boolean().describe('If true, only requests of the caller; if false, only those of others.'),
        (t, mine) => sql`EXISTS (SELECT FROM instructor me WHERE me.provider_id = ${raw(t)}.provider_id
          AND me.id = ${raw(t)}.instructor_id AND me.staff_id = ${viewingStaff}::bigint) = ${mine}::boolean`,
      ),
    },
    sort: { start: { by: startOf }, created_at: { by: (t) => raw(`${t}.created_at`) } },
    defaultSort: 'start',
  }),
  read({
    path: '/substitute_requests/for_me',
    summary: 'List the events that the caller could teach instead',
    description: `Returns the open requests of other instructors for events that nothing keeps the caller from teaching, by the rules of \`GET /events/{id}/substitutes\`, and those for which they already offered to. The soonest come first; at most ${LOOKED_AT} requests are looked at.`,
    who: whoTeaches,
    query: paging(),
    returns: selecting.pageOf({
      substitute_request: ref('substitute_request'),
      event: ref('event'),
      offered: boolean().describe('The caller already offered to teach it.'),
    }),
    run: async ({ work, query: { page, page_size: size } }) => {
      const me = await ownInstructor(work);
      const found: { substitute_request: number; event: number; offered: boolean }[] = [];
      for (const { request, offered, ...event } of me === null ? [] : await openTo(work, me)) {
        const [judged] = offered ? [] : await judgeSubstitutes(work, event, me);
        if (offered || judged?.available) found.push({ substitute_request: request, event: event.id, offered });
      }
      return { count: found.length, results: found.slice((page - 1) * size, page * size) };
    },
  }),
];
