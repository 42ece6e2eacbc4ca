/** Memberships that would pay for a run of a course. Each is tried, because only booking itself knows all the rules. */
import {
  acting,
  payerIn,
  usableMemberships,
  type Asker,
  type Desk,
  type Payer,
  type Person,
} from '../../frame/index.ts';
import type { Shown } from './read.ts';

/** Keyed by `{id of the run} {id of the customer}`. */
export type CoursePayers = ReadonlyMap<string, readonly Payer[]>;

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
    const found = new Map<string, Payer[]>();
    let left = MAX_PREVIEWS;
    for (const { id: customer } of people) {
      const usable = await usableMemberships(ask, customer);
      for (const run of open.filter(({ standing }) => !standing.has(customer)))
        for (const one of usable) {
          if (left-- <= 0) return found;
          const key = `${run.id} ${customer}`;
          const body = { customer, customer_membership: one.id };
          const payer = await payerIn(
            one,
            ask('POST /course_date_series/{id}/enroll', { params: { id: run.id }, query: { dry_run: true }, body }),
          );
          if (payer) found.set(key, [...(found.get(key) ?? []), payer]);
        }
    }
    return found;
  });
}
