/**
 * Sessions that were started in another cell. Only that cell knows if a session is valid, so it is asked for each
 * request, and a log-out anywhere applies immediately. What the person may do is decided here, by this cell's copy of
 * the account.
 */
import { bringAccount, orUnavailable, type AmongCells } from './elsewhere.ts';
import {
  endSession,
  findSession,
  findSessionByHash,
  findSessionById,
  listSessions,
  rotateSession,
  startSession,
  type Session,
} from '../log-in/sessions.ts';
import { hashOf } from '../tokens/opaque-secret.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { laterParts, partsOf, type Part } from './state.ts';
import { sessionCell } from '../log-in/session-mark.ts';
import { stillLetIn } from '../accounts/account.ts';
import type { CellMeans } from '../../../../kernel/api/cell-declarations.ts';
import { CellAway, firstToKnow, type OtherCells } from '../../../../kernel/work/unit/other-cells.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Whence } from '../door.ts';

/** By the hash of its secret, or by its id. */
type Asked = { readonly hash: string } | { readonly id: number };

interface Held {
  readonly session: Session;
  /** since when each part of the account has its present state there */
  readonly parts: readonly Part[];
}

/** Answers the question `session`. */
export const answerSession = ({ db, now }: CellMeans, asked: Asked): Promise<Held | null> =>
  db.acrossTenants('a session belongs to a person, not to a business', async (tx) => {
    const session =
      'hash' in asked ? await findSessionByHash(tx, asked.hash, now) : await findSessionById(tx, asked.id, now);
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
  db.acrossTenants('a session belongs to a person, not to a business', async (tx) => ({
    ended: await endSession(tx, user, session, whence, now),
  }));

/** Answers the question `sessions`. */
export const answerSessions = ({ db, now }: CellMeans, { user }: { user: number }): Promise<Session[]> =>
  db.lookingAcross('a session belongs to a person, not to a business', (tx) => listSessions(tx, user, now));

/**
 * Returns the session of a secret that another cell issued. Undefined: it belongs to this cell, or no cell is named.
 * Null: it has ended.
 * @throws Problem `unavailable` while that cell is unreachable
 */
export async function sessionElsewhere(door: AmongCells, token: string): Promise<Session | null | undefined> {
  const cell = door.cells && sessionCell(token);
  return cell === null || cell === door.cells!.own ? undefined : sessionOf(door, cell, { hash: hashOf(token) });
}

/**
 * Returns the session of this secret, in whichever cell it is: for callers that open no transaction of their own.
 * @throws Problem `unavailable` while its cell is unreachable
 */
export async function sessionOfSecret(door: AmongCells, secret: string): Promise<Session | null> {
  const elsewhere = await sessionElsewhere(door, secret);
  if (elsewhere !== undefined) return elsewhere;
  return door.db.acrossTenants('a session belongs to a person, not to a business', (tx) =>
    findSession(tx, secret, door.now()),
  );
}

/** Returns the session by its id. */
export const sessionByIdElsewhere = (door: AmongCells, cell: number, id: number): Promise<Session | null> =>
  sessionOf(door, cell, { id });

async function sessionOf(door: AmongCells, cell: number, asked: Asked): Promise<Session | null> {
  if (!door.cells!.others.includes(cell)) return null;
  const held = await orUnavailable(door.cells!.ask<Held | null>(cell, 'session', asked));
  if (!held) return null;
  const { session, parts } = held;
  const { userId, authenticatedAt } = session;
  return (await letsIn(door, cell, { userId, since: authenticatedAt, parts })) ? { ...session, cell } : null;
}

/**
 * Returns true if access that the account granted at that moment is still valid. Uses this cell's copy after an update
 * from the other cell: either may know of an end that the other does not.
 */
export async function letsIn(
  door: AmongCells,
  cell: number,
  { userId, since, parts }: { userId: number; since: number; parts: readonly Part[] },
): Promise<boolean> {
  const look = () =>
    door.db.lookingAcross('an account belongs to no business', (tx) =>
      tx.one<{ lets: boolean; parts: Part[] }>(
        sql`SELECT ${stillLetIn(sql`${instant(since)}::timestamptz`)} AS lets, ${partsOf} AS parts FROM user_account u
          WHERE u.id = ${userId}`,
      ),
    );
  let here = await look();
  if (!here || laterParts(parts, here.parts).length > 0) {
    await bringAccount(door, { id: userId }, [cell]);
    here = await look();
  }
  return here?.lets ?? false;
}

/**
 * Renews the session under a new token, with its changes; a session of another cell continues in this one, under a new
 * id. Null if it has ended.
 */
export async function renewSession(
  tx: Transaction,
  cells: OtherCells | null,
  session: Session,
  change: { secondFactor?: boolean; authenticatedAt?: number },
  whence: Whence,
): Promise<{ token: string; id: number } | null> {
  if (session.cell === undefined) {
    const token = await rotateSession(tx, session.id, change, cells);
    return token === null ? null : { token, id: session.id };
  }
  if (!(await endElsewhere(cells!, session.cell, session, whence))) return null;
  const { userId, agent, createdAt, authenticatedAt } = session;
  const secondFactor = session.secondFactor || (change.secondFactor ?? false);
  const begun = await startSession(tx, { userId, agent, secondFactor, now: createdAt, cells });
  const at = instant(change.authenticatedAt ?? authenticatedAt);
  await tx.run(
    sql`UPDATE user_session SET seen_at = greatest(seen_at, ${at}::timestamptz), authenticated_at = ${at}
      WHERE id = ${begun.session.id}`,
  );
  return { token: begun.token, id: begun.session.id };
}

type Ended = [cells: OtherCells, cell: number, session: Pick<Session, 'userId' | 'id'>, whence: Whence];

/** Returns true if the cell had the session. @throws CellAway */
async function askToEnd(...[cells, cell, { userId, id }, whence]: Ended): Promise<boolean> {
  return (await cells.ask<{ ended: boolean }>(cell, 'end_session', { user: userId, session: id, whence })).ended;
}

const endElsewhere = (...session: Ended): Promise<boolean> => orUnavailable(askToEnd(...session));

/**
 * Ends the session that a browser had until somebody logged in there again. If its cell is unreachable, the session is
 * left to expire: nobody has its secret any longer.
 */
export async function leaveSession(tx: Transaction, door: AmongCells, token: string, whence: Whence): Promise<void> {
  const cell = door.cells && sessionCell(token);
  if (cell === null || cell === door.cells!.own) {
    const before = await findSession(tx, token, door.now());
    if (before) await endSession(tx, before.userId, before.id, whence, door.now());
    return;
  }
  if (!door.cells!.others.includes(cell)) return;
  try {
    const held = await door.cells!.ask<Held | null>(cell, 'session', { hash: hashOf(token) });
    if (held) await endElsewhere(door.cells!, cell, held.session, whence);
  } catch (error) {
    if (!(error instanceof CellAway || error instanceof Problem)) throw error;
  }
}

/** Ends the session, wherever it is. @throws Problem `unavailable` while its cell is unreachable */
export async function logOut(door: AmongCells, session: Session, whence: Whence): Promise<void> {
  if (session.cell !== undefined) await endElsewhere(door.cells!, session.cell, session, whence);
  else
    await door.db.acrossTenants('a session belongs to a person, not to a business', (tx) =>
      endSession(tx, session.userId, session.id, whence, door.now()),
    );
}

/**
 * Ends one of the person's sessions by its id, in whichever cell it is; returns false if there is none.
 * @throws Problem `unavailable` if no cell that responds has it, and one is unreachable
 */
export async function endSessionAnywhere(
  door: AmongCells,
  userId: number,
  id: number,
  whence: Whence,
): Promise<boolean> {
  const here = await door.db.acrossTenants('a session belongs to a person, not to a business', (tx) =>
    endSession(tx, userId, id, whence, door.now()),
  );
  if (here || door.cells === null) return here;
  const { cells } = door;
  const end = async (cell: number) => (await askToEnd(cells, cell, { userId, id }, whence)) || null;
  return (await orUnavailable(firstToKnow(cells.others.map(end)))) ?? false;
}

/** Returns the person's sessions in other cells, and whether some cells could not be asked. */
export async function sessionsElsewhere(
  door: AmongCells,
  userId: number,
): Promise<{ sessions: Session[]; away: boolean }> {
  const { cells } = door;
  if (cells === null) return { sessions: [], away: false };
  const told = await Promise.allSettled(
    cells.others.map(async (cell) =>
      (await cells.ask<Session[]>(cell, 'sessions', { user: userId })).map((session) => ({ ...session, cell })),
    ),
  );
  return {
    sessions: told.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
    away: told.some(({ status }) => status === 'rejected'),
  };
}

/** Does in the other cells what `endOtherSessions` does in this one. */
export const endSessionsElsewhere = (
  tx: Transaction,
  userId: number,
  keep: number | null,
  now: number,
): Promise<number> =>
  tx.run(sql`SELECT end_account_sessions(${userId}::bigint, ${instant(now)}::timestamptz, ${keep}::bigint)`);
