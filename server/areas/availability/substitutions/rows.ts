/** Stored rows of requests. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { replaceLinks } from '../../../kernel/work/unit/row.ts';
import { statusAt } from './substitute-request.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export type RequestRow = Row<'substitute_request'>;

/** Returns the content of each feed item. */
export const requestPayload = ({ id, event_id: event, instructor_id: instructor }: RequestRow) => ({
  substitute_request: id,
  event,
  instructor,
});

/** Returns the request if a substitute is still wanted. */
export const openRequest = async ({ tx, providerId, now }: Work, id: number): Promise<boolean> =>
  (await tx.one(
    sql`SELECT FROM substitute_request r WHERE provider_id = ${providerId} AND id = ${id}
      AND ${statusAt('r', instant(now))} = 'open'`,
  )) !== undefined;

/** Returns ids of the instructors who offered, in order. */
export async function offersOf({ tx, providerId }: Work, request: number): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT instructor_id AS id FROM substitute_offer
      WHERE provider_id = ${providerId} AND substitute_request_id = ${request} ORDER BY instructor_id`,
  );
  return rows.map(({ id }) => id);
}

export const setOffers = (work: Work, request: number, instructors: readonly number[]): Promise<void> =>
  replaceLinks(
    work,
    'substitute_offer',
    { column: 'substitute_request_id', id: request },
    { column: 'instructor_id', ids: instructors },
  );
