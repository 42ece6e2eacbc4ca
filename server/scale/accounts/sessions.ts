/**
 * Sessions that were started in another cell. Only that cell knows if a session is valid, so it is asked for each
 * request. What the person may do is decided here, by this cell's copy of the account.
 */
import { bring, type Here, type Network } from './copies.ts';
import {
  endSession,
  findSessionByHash,
  findSessionById,
  laterParts,
  listSessions,
  partsOf,
  stillLetIn,
  type Part,
  type Session,
  type SessionKey,
  type SessionsElsewhere,
  type Whence,
} from '../../areas/people/identity/index.ts';
import { instant, sql } from '../../kernel/base/db/sql.ts';
import { orUnavailable, type OtherCells } from '../../kernel/work/unit/other-cells.ts';
import type { CellMeans } from '../cells/question.ts';

const WHY = 'a session belongs to a person, not to a business';

interface Held {
  readonly session: Session;
  /** since when each part of the account has its present state there */
  readonly parts: readonly Part[];
}

/** Answers the question `session`. */
export const answerSession = ({ db, now }: CellMeans, key: SessionKey): Promise<Held | null> =>
  db.acrossTenants(WHY, async (tx) => {
    const session = 'hash' in key ? await findSessionByHash(tx, key.hash, now) : await findSessionById(tx, key.id, now);
    if (!session) return null;
    const row = await tx.one<{ parts: Part[] }>(
      sql`SELECT ${partsOf} AS parts FROM user_account u WHERE u.id = ${session.userId}`,
    );
    return { session, parts: row!.parts };
  });

/** Answers the question `end_session`; returns true if there was one. */
export const answerEndSession = (
  { db, now }: CellMeans,
  { user, session, whence }: { user: number; session: number; whence: Whence },
): Promise<{ ended: boolean }> =>
  db.acrossTenants(WHY, async (tx) => ({ ended: await endSession(tx, user, session, whence, now) }));

/** Answers the question `sessions`. */
export const answerSessions = ({ db, now }: CellMeans, { user }: { user: number }): Promise<Session[]> =>
  db.lookingAcross(WHY, (tx) => listSessions(tx, user, now));

/** Returns the session that the cell has; null: it has ended. @throws Problem `unavailable` if it is unreachable */
export async function findSession(
  network: Network,
  here: Here,
  cell: number,
  key: SessionKey,
): Promise<Session | null> {
  if (!network.cells.others.includes(cell)) return null;
  const held = await orUnavailable(network.cells.ask<Held | null>(cell, 'session', key));
  if (!held) return null;
  const { session, parts } = held;
  const { userId, authenticatedAt } = session;
  const lets = await letsIn(network, here, cell, { userId, since: authenticatedAt, parts });
  return lets ? { ...session, cell } : null;
}

/**
 * Returns true if access that the account granted at that moment is still valid. Uses this cell's copy after an update
 * from the other cell: either may know of an end that the other does not.
 */
export async function letsIn(
  network: Network,
  here: Here,
  cell: number,
  { userId, since, parts }: { userId: number; since: number; parts: readonly Part[] },
): Promise<boolean> {
  const look = () =>
    here.db.lookingAcross('an account belongs to no business', (tx) =>
      tx.one<{ lets: boolean; parts: Part[] }>(
        sql`SELECT ${stillLetIn(sql`${instant(since)}::timestamptz`)} AS lets, ${partsOf} AS parts FROM user_account u
          WHERE u.id = ${userId}`,
      ),
    );
  let copy = await look();
  if (!copy || laterParts(parts, copy.parts).length > 0) {
    await bring(network, here, { id: userId }, [cell]);
    copy = await look();
  }
  return copy?.lets ?? false;
}

/** Ends a session; returns true if the cell had it. @throws CellAway */
export async function endSessionAt(
  cells: OtherCells,
  cell: number,
  { userId, id }: Pick<Session, 'userId' | 'id'>,
  whence: Whence,
): Promise<boolean> {
  return (await cells.ask<{ ended: boolean }>(cell, 'end_session', { user: userId, session: id, whence })).ended;
}

/** Ends the session with this secret, if the cell has it. @throws CellAway */
export async function leaveSession(cells: OtherCells, cell: number, hash: string, whence: Whence): Promise<void> {
  if (!cells.others.includes(cell)) return;
  const held = await cells.ask<Held | null>(cell, 'session', { hash });
  if (held) await endSessionAt(cells, cell, held.session, whence);
}

/** Returns the person's sessions in other cells. */
export async function sessionsElsewhere(cells: OtherCells, user: number): Promise<SessionsElsewhere> {
  const answers = await Promise.allSettled(
    cells.others.map(async (cell) =>
      (await cells.ask<Session[]>(cell, 'sessions', { user })).map((session) => ({ ...session, cell })),
    ),
  );
  return {
    sessions: answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
    away: answers.some(({ status }) => status === 'rejected'),
  };
}
