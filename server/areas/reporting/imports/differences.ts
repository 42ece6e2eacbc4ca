/** Differences that rows make to existing objects: their states before and after. */
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { KindName } from './columns/index.ts';
import type { Outcomes } from './kinds/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Change {
  /** of the file */
  readonly property: string;
  readonly before: string | null;
  readonly after: string | null;
}

type State = Readonly<Record<string, string | null>>;

/** By the id of the object. */
export type States = ReadonlyMap<number, State>;

/** Selects the properties that rows of a kind can change. */
const SELECTS: { readonly [K in KindName]?: Sql } = {
  customers: sql`SELECT t.id, jsonb_build_object('first_name', t.first_name, 'last_name', t.last_name,
      'date_of_birth', t.date_of_birth::text) AS state FROM customer t`,
  memberships: sql`SELECT t.id, jsonb_build_object('expiration_date', t.expiration_date::text) AS state
    FROM customer_membership t`,
  schedule: sql`SELECT t.id, jsonb_build_object('name', t.name,
      'start_date', to_char(t.local_starts_at, 'YYYY-MM-DD HH24:MI'),
      'end_time', to_char(t.local_ends_at, 'HH24:MI'), 'max_occupancy', t.max_occupancy::text,
      'venue', (SELECT v.name FROM venue v WHERE v.provider_id = t.provider_id AND v.id = t.venue_id)) AS state
    FROM event t`,
  visits: sql`SELECT t.id, jsonb_build_object('event', t.name, 'start_date', t.date::text,
      'start_time', to_char(t.start_time, 'HH24:MI'), 'status', replace(t.status, '_', ' '),
      'instructor', t.instructor_name, 'venue', t.venue_name) AS state
    FROM past_visit t`,
  staff: sql`SELECT t.id, jsonb_build_object('first_name', t.first_name, 'last_name', t.last_name) AS state
    FROM staff t`,
};

/** Returns the ids of the objects that the rows change. */
export const changedIn = (outcomes: Outcomes): number[] =>
  [...outcomes.values()].flatMap(({ fate, object }) => (fate === 'changed' && object !== null ? [object] : []));

export async function readStates({ tx, providerId }: Work, kind: KindName, ids: readonly number[]): Promise<States> {
  const select = SELECTS[kind];
  if (!select || ids.length === 0) return new Map();
  const rows = await tx.rows<{ id: number; state: State }>(
    sql`${select} WHERE t.provider_id = ${providerId} AND t.id = ANY(${ids}::bigint[])`,
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** Returns the differences by line. */
export function changesOf(outcomes: Outcomes, before: States, after: States): Map<number, readonly Change[]> {
  const changes = new Map<number, readonly Change[]>();
  for (const [line, { fate, object }] of outcomes) {
    const [was, is] = [before.get(object ?? 0), after.get(object ?? 0)];
    if (fate !== 'changed' || !was || !is) continue;
    const different = Object.keys(is).filter((property) => was[property] !== is[property]);
    changes.set(
      line,
      different.map((property) => ({ property, before: was[property], after: is[property] })),
    );
  }
  return changes;
}
