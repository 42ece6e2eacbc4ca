/** Memberships that would pay for a run of a course. Each is tried, because only booking itself knows all the rules. */
import { type Desk, type Person, type Ask, acting, type Asker } from '../../frame/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { Shown } from './read.ts';

export interface CoursePayer {
  /** customer membership id */
  readonly id: number;
  readonly name: string;
}

/** Keyed by `{id of the run} {id of the customer}`. */
export type CoursePayers = ReadonlyMap<string, readonly CoursePayer[]>;

export const NO_PAYERS: CoursePayers = new Map();

/** Limit for one page, however large the family: the interface accepts any other membership by its id. */
const MAX_PREVIEWS = 12;

export async function payersOf(
  desk: Desk,
  turn: Asker,
  { runs, people }: { readonly runs: readonly Shown[]; readonly people: readonly Person[] },
): Promise<CoursePayers> {
  const open = runs.filter(({ canJoin, full, priceNow }) => canJoin && !full && priceNow.minor > 0);
  if (open.length === 0) return NO_PAYERS;
  return acting(desk, turn, async ({ ask }) => {
    const found = new Map<string, CoursePayer[]>();
    let left = MAX_PREVIEWS;
    for (const { id: customer } of people) {
      const usable = await usableBy(ask, customer);
      for (const run of open.filter(({ standing }) => !standing.has(customer)))
        for (const one of usable) {
          if (left-- <= 0) return found;
          const key = `${run.id} ${customer}`;
          if (await pays(ask, { run: run.id, customer, one })) found.set(key, [...(found.get(key) ?? []), one]);
        }
    }
    return found;
  });
}

async function usableBy(ask: Ask, customer: number): Promise<readonly CoursePayer[]> {
  const { results } = await ask('GET /customer_memberships', {
    query: { owned_or_shared_with_customer: customer, status: 'active', fields: 'id,name', page_size: MAX_PREVIEWS },
  });
  return results;
}

const pays = (
  ask: Ask,
  { run, customer, one }: { run: number; customer: number; one: CoursePayer },
): Promise<boolean> =>
  ask('POST /course_date_series/{id}/enroll', {
    params: { id: run },
    query: { dry_run: true },
    body: { customer, customer_membership: one.id },
  }).then(
    () => true,
    (error: unknown) => (error instanceof Problem ? false : Promise.reject(error)),
  );
