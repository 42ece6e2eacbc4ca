/**
 * Requirements that customers must settle before a booking, for example a form. Later areas fill the port
 * `requirements`, and the rules of booking read what is missing.
 */
import { join, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { called, id, object, oneOf, text, uri } from '../../../../kernel/base/fields/kinds.ts';
import { Port, type Item } from '../../../../kernel/base/fields/port.ts';
import type { Requirement } from '../rules/booking.ts';

/** A requirement as its area finds it missing. */
export type Missing = Pick<Requirement, 'id' | 'title' | 'by' | 'before'>;

export interface RequirementAt {
  /** in epoch milliseconds */
  readonly now: number;
  readonly startsAt: number;
}

/** One kind of requirement. `name`: its word on the wire, for example `form`. */
export interface RequirementSource<Known = any> extends Item {
  /** name of the resource that the ids belong to */
  readonly resource: string;
  /**
   * Returns one jsonb with the facts about customer `c` for an event; null if there are none. It runs in each booking
   * and in lists of events, so it must be cheap for a business that has no such requirement. The event may be planned:
   * its row is in `event`, and `event` is its id.
   */
  readonly facts: (c: string, event: Sql) => Sql;
  /** Returns what the customer has not settled. Pure; `known` is never null. */
  readonly missing: (known: Known, at: RequirementAt) => readonly Missing[];
  /**
   * Returns the address of the page on which it is settled, below the address of the service. The page accepts
   * `return_to`.
   */
  readonly path: (provider: number, id: number, customer: number) => string;
}

/** A requirement as responses show it. */
export const requirementShape = called(
  'requirement',
  object({
    kind: text(),
    id: id(),
    title: text(),
    customer: id(),
    by: oneOf(['customer', 'guardian']),
    before: oneOf(['booking', 'check_in']),
    url: uri().describe('Its page.'),
  }),
);

/** Returns a requirement as responses show it; `pagesUrl`: the address below which pages are. */
export const requirementOn = (pagesUrl: string, { path, ...one }: Requirement) => ({
  ...one,
  url: `${pagesUrl}${path}`,
});

export class Requirements {
  readonly #sources: readonly RequirementSource[];

  constructor(sources: readonly RequirementSource[]) {
    this.#sources = sources;
  }

  /** Returns one jsonb with the facts of all sources about customer `c` for an event. */
  column(c: string, event: Sql): Sql {
    return this.#sources.length === 0
      ? sql`'[]'::jsonb`
      : sql`jsonb_build_array(${join(
          this.#sources.map((source) => source.facts(c, event)),
          ', ',
        )})`;
  }

  /** Returns what a customer has not settled, by the facts of `column`, in the order of areas. */
  missing(provider: number, customer: number, known: readonly unknown[], at: RequirementAt): Requirement[] {
    return this.#sources.flatMap((source, i) =>
      known[i] === null || known[i] === undefined
        ? []
        : source.missing(known[i], at).map((one) => ({
            ...one,
            kind: source.name,
            customer,
            path: source.path(provider, one.id, customer),
          })),
    );
  }
}

export const requirements = new Port<RequirementSource, Requirements>(
  'requirement',
  ({ resource }) => resource,
  (all) => new Requirements(all),
);
