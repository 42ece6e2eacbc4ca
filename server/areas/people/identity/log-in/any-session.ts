/**
 * Sessions in whichever cell they are. Only the cell that started a session knows if it is valid, so it is asked for
 * each request, and a log-out anywhere applies immediately.
 */
import { accountsElsewhere, type AmongCells, type SessionsElsewhere } from '../elsewhere.ts';
import { CellAway, firstToKnow, orUnavailable, type OtherCells } from '../../../../kernel/work/unit/other-cells.ts';
import { endSession, findSession, rotateSession, startSession, type Session } from './sessions.ts';
import { hashOf } from '../tokens/opaque-secret.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import { sessionCell } from './session-mark.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Whence } from '../door.ts';

const WHY = 'a session belongs to a person, not to a business';

/** Returns the other cell that issued the secret; null: it belongs to this cell, or names no cell. */
function otherCellOf({ cells }: Pick<AmongCells, 'cells'>, token: string): number | null {
  const cell = cells && sessionCell(token);
  return cell === cells?.own ? null : cell;
}

/** Returns the session by its id. @throws Problem `unavailable` while its cell is unreachable */
export const sessionByIdElsewhere = (door: AmongCells, cell: number, id: number): Promise<Session | null> =>
  door.cells!.at(accountsElsewhere).findSession(door, cell, { id });

/**
 * Returns the session of a secret that another cell issued. Undefined: it belongs to this cell, or no cell is named.
 * Null: it has ended.
 * @throws Problem `unavailable` while that cell is unreachable
 */
export async function sessionElsewhere(door: AmongCells, token: string): Promise<Session | null | undefined> {
  const cell = otherCellOf(door, token);
  return cell === null ? undefined : door.cells!.at(accountsElsewhere).findSession(door, cell, { hash: hashOf(token) });
}

/**
 * Returns the session of this secret, in whichever cell it is: for callers that open no transaction of their own.
 * @throws Problem `unavailable` while its cell is unreachable
 */
export async function sessionOfSecret(door: AmongCells, secret: string): Promise<Session | null> {
  const elsewhere = await sessionElsewhere(door, secret);
  return elsewhere === undefined ? door.db.acrossTenants(WHY, (tx) => findSession(tx, secret, door.now())) : elsewhere;
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

const endElsewhere = (
  cells: OtherCells,
  cell: number,
  session: Pick<Session, 'userId' | 'id'>,
  whence: Whence,
): Promise<boolean> => orUnavailable(cells.at(accountsElsewhere).endSession(cell, session, whence));

/**
 * Ends the session that a browser had until somebody logged in there again. If its cell is unreachable, the session is
 * left to expire: nobody has its secret any longer.
 */
export async function leaveSession(tx: Transaction, door: AmongCells, token: string, whence: Whence): Promise<void> {
  const cell = otherCellOf(door, token);
  if (cell === null) {
    const before = await findSession(tx, token, door.now());
    if (before) await endSession(tx, before.userId, before.id, whence, door.now());
    return;
  }
  try {
    await orUnavailable(door.cells!.at(accountsElsewhere).leaveSession(cell, hashOf(token), whence));
  } catch (error) {
    if (!(error instanceof CellAway || error instanceof Problem)) throw error;
  }
}

/** Ends the session, wherever it is. @throws Problem `unavailable` while its cell is unreachable */
export async function logOut(door: AmongCells, session: Session, whence: Whence): Promise<void> {
  if (session.cell !== undefined) await endElsewhere(door.cells!, session.cell, session, whence);
  else await endHere(door, session, whence);
}

const endHere = (
  { db, now }: AmongCells,
  { userId, id }: Pick<Session, 'userId' | 'id'>,
  whence: Whence,
): Promise<boolean> => db.acrossTenants(WHY, (tx) => endSession(tx, userId, id, whence, now()));

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
  const here = await endHere(door, { userId, id }, whence);
  if (here || door.cells === null) return here;
  const accounts = door.cells.at(accountsElsewhere);
  const end = async (cell: number) => (await accounts.endSession(cell, { userId, id }, whence)) || null;
  return (await orUnavailable(firstToKnow(door.cells.others.map(end)))) ?? false;
}

/** Returns the person's sessions in other cells, and whether some cells could not be asked. */
export const sessionsElsewhere = async ({ cells }: AmongCells, userId: number): Promise<SessionsElsewhere> =>
  cells === null ? { sessions: [], away: false } : cells.at(accountsElsewhere).listSessions(userId);

/** Does in the other cells what `endOtherSessions` does in this one. */
export const endSessionsElsewhere = (
  tx: Transaction,
  userId: number,
  keep: number | null,
  now: number,
): Promise<number> =>
  tx.run(sql`SELECT end_account_sessions(${userId}::bigint, ${instant(now)}::timestamptz, ${keep}::bigint)`);
