/** Browser sessions: an opaque cookie, stored as a hash. Needs a transaction across tenants throughout. */
import { eventInsert, shortAgent } from '../accounts/events.ts';
import { hashOf, makeSecret } from '../tokens/opaque-secret.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { sessionPrefix } from './session-mark.ts';
import type { OtherCells } from '../../../../kernel/work/unit/other-cells.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Whence } from '../door.ts';

const DAY = 86_400_000;
/** A session ends this long after its last use, */
export const UNUSED_MS = 14 * DAY;
/** and this long after its start in any case. */
export const LONGEST_MS = 90 * DAY;
const SEEN_EVERY_MS = 60_000;
const FRESH_MS = 15 * 60_000;

export interface Session {
  readonly id: number;
  readonly userId: number;
  /** it was started or confirmed with more than a password */
  readonly secondFactor: boolean;
  readonly createdAt: number;
  readonly seenAt: number;
  /** time of the person's last authentication */
  readonly authenticatedAt: number;
  readonly agent: string;
  /** the other cell that has the session; absent: this one */
  readonly cell?: number;
  /** the business host name that it was handed over to, at which its person is a customer and nothing else */
  readonly host?: string;
}

const COLUMNS = sql`s.id, s.user_id AS "userId", s.second_factor AS "secondFactor", s.created_at AS "createdAt",
  s.seen_at AS "seenAt",
  s.authenticated_at AS "authenticatedAt", s.agent`;
const lives = (now: number) =>
  sql`s.seen_at > ${instant(now - UNUSED_MS)} AND s.created_at > ${instant(now - LONGEST_MS)}`;

/**
 * Starts a session and returns the cookie's value, which is shown only here. `cells`: those of the installation, if
 * there are several.
 */
export async function startSession(
  tx: Transaction,
  {
    userId,
    secondFactor,
    agent,
    now,
    cells = null,
  }: { userId: number; secondFactor: boolean; agent: string; now: number; cells?: OtherCells | null },
): Promise<{ session: Session; token: string }> {
  const { secret: token, hash } = makeSecret(sessionPrefix(cells?.own ?? null));
  const session = await tx.one<Session>(
    sql`INSERT INTO user_session AS s (user_id, token_hash, agent, second_factor, created_at, seen_at, authenticated_at)
        VALUES (${userId}, ${hash}, ${shortAgent(agent)}, ${secondFactor}, ${instant(now)}, ${instant(now)},
          ${instant(now)}) RETURNING ${COLUMNS}`,
  );
  return { session: session!, token };
}

/**
 * Finds a session. Null if it is unknown or has ended, or the account is disabled. Records its use, at most once a
 * minute.
 */
export const findSession = async (tx: Transaction, token: string, now: number): Promise<Session | null> =>
  token.length > 100 ? null : findSessionByHash(tx, hashOf(token), now);

/** Finds a session by the hash of its secret. */
export async function findSessionByHash(tx: Transaction, hash: string, now: number): Promise<Session | null> {
  const session = await tx.one<Session>(
    sql`SELECT ${COLUMNS} FROM user_session s JOIN user_account u ON u.id = s.user_id
        WHERE s.token_hash = ${hash} AND ${lives(now)} AND u.disabled_at IS NULL`,
  );
  if (session) await noteSeen(tx, session, now);
  return session ?? null;
}

/** Records that the session was used, at most once a minute. */
export async function noteSeen(tx: Transaction, { id, seenAt }: Session, now: number): Promise<void> {
  if (seenAt > now - SEEN_EVERY_MS) return;
  await tx.run(sql`UPDATE user_session SET seen_at = ${instant(now)} WHERE id = ${id} AND seen_at < ${instant(now)}`);
}

/** Finds a session by its id, for what was created from its cookie before. Null as above. */
export async function findSessionById(tx: Transaction, id: number, now: number): Promise<Session | null> {
  const session = await tx.one<Session>(
    sql`SELECT ${COLUMNS} FROM user_session s JOIN user_account u ON u.id = s.user_id
        WHERE s.id = ${id} AND ${lives(now)} AND u.disabled_at IS NULL`,
  );
  return session ?? null;
}

/**
 * Replaces the session's token and returns the new one, which is shown only here. Call it for every change of what the
 * session may do. Null if it has ended.
 */
export async function rotateSession(
  tx: Transaction,
  sessionId: number,
  change: { secondFactor?: boolean; authenticatedAt?: number } = {},
  cells: OtherCells | null = null,
): Promise<string | null> {
  const { secret: token, hash } = makeSecret(sessionPrefix(cells?.own ?? null));
  const changed = await tx.run(
    sql`UPDATE user_session SET token_hash = ${hash}, second_factor = second_factor OR ${change.secondFactor ?? false},
          authenticated_at = coalesce(${instant(change.authenticatedAt ?? null)}, authenticated_at)
          WHERE id = ${sessionId}`,
  );
  return changed === 0 ? null : token;
}

/** Returns active sessions, the most recently used first. */
export const listSessions = (tx: Transaction, userId: number, now: number): Promise<Session[]> =>
  tx.rows<Session>(
    sql`SELECT ${COLUMNS} FROM user_session s WHERE s.user_id = ${userId} AND ${lives(now)}
      ORDER BY s.seen_at DESC, s.id DESC`,
  );

/** Ends a session; returns false if the person has no such session. */
export async function endSession(
  tx: Transaction,
  userId: number,
  sessionId: number,
  whence: Whence,
  now: number,
): Promise<boolean> {
  if ((await tx.run(sql`DELETE FROM user_session WHERE id = ${sessionId} AND user_id = ${userId}`)) === 0) return false;
  await tx.run(eventInsert(userId, 'session_ended', whence, now));
  return true;
}

/** Ends all of the person's sessions in this cell except `keep`; returns their number. */
export const endOtherSessions = (tx: Transaction, userId: number, keep: number | null): Promise<number> =>
  tx.run(sql`DELETE FROM user_session WHERE user_id = ${userId} AND id <> ${keep ?? 0}`);

/**
 * Returns true if the person authenticated a short while ago: required before sensitive changes. Never at the host name
 * of a business.
 */
export const isFresh = (session: Session, now: number): boolean =>
  session.host === undefined && session.authenticatedAt > now - FRESH_MS;
