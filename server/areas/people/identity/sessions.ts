/** Who is logged in with a browser: an opaque cookie, kept as a hash. All of it needs a transaction across tenants. */
import { eventInsert, shortAgent } from './events.ts';
import { hashOf, makeSecret } from './opaque-secret.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { sessionPrefix } from '../../../kernel/pages/session-mark.ts';
import type { OtherCells } from '../../../kernel/work/unit/other-cells.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Whence } from './door.ts';

const DAY = 86_400_000;
/** A session ends so long after it was last used, */
export const UNUSED_MS = 14 * DAY;
/** and so long after it began in any case. */
export const LONGEST_MS = 90 * DAY;
const SEEN_EVERY_MS = 60_000;
const FRESH_MS = 15 * 60_000;

export interface Session {
  readonly id: number;
  readonly userId: number;
  /** it was begun, or confirmed, with more than a password */
  readonly secondFactor: boolean;
  readonly createdAt: number;
  readonly seenAt: number;
  /** when the person last proved who it is */
  readonly authenticatedAt: number;
  readonly agent: string;
  /** the other cell that it is of; absent: it is of this one */
  readonly cell?: number;
  /** the host name of a business that it was handed over to, where its person is a customer and nothing else */
  readonly host?: string;
}

const COLUMNS = sql`s.id, s.user_id AS "userId", s.second_factor AS "secondFactor", s.created_at AS "createdAt", s.seen_at AS "seenAt",
  s.authenticated_at AS "authenticatedAt", s.agent`;
const lives = (now: number) =>
  sql`s.seen_at > ${instant(now - UNUSED_MS)} AND s.created_at > ${instant(now - LONGEST_MS)}`;

/** Returns the cookie's value: its only appearance. `cells`: of the installation, where it has several. */
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
        VALUES (${userId}, ${hash}, ${shortAgent(agent)}, ${secondFactor}, ${instant(now)}, ${instant(now)}, ${instant(now)}) RETURNING ${COLUMNS}`,
  );
  return { session: session!, token };
}

/** Null: unknown, over, or the account is disabled. Notes that it was seen, at most once a minute. */
export const findSession = async (tx: Transaction, token: string, now: number): Promise<Session | null> =>
  token.length > 100 ? null : findSessionByHash(tx, hashOf(token), now);

/** The same by the hash of its secret. */
export async function findSessionByHash(tx: Transaction, hash: string, now: number): Promise<Session | null> {
  const session = await tx.one<Session>(
    sql`SELECT ${COLUMNS} FROM user_session s JOIN user_account u ON u.id = s.user_id
        WHERE s.token_hash = ${hash} AND ${lives(now)} AND u.disabled_at IS NULL`,
  );
  if (session) await noteSeen(tx, session, now);
  return session ?? null;
}

/** That it was used; at most once a minute. */
export async function noteSeen(tx: Transaction, { id, seenAt }: Session, now: number): Promise<void> {
  if (seenAt > now - SEEN_EVERY_MS) return;
  await tx.run(sql`UPDATE user_session SET seen_at = ${instant(now)} WHERE id = ${id} AND seen_at < ${instant(now)}`);
}

/** A session by its number, for what was made from its cookie before. Null as above. */
export async function findSessionById(tx: Transaction, id: number, now: number): Promise<Session | null> {
  const session = await tx.one<Session>(
    sql`SELECT ${COLUMNS} FROM user_session s JOIN user_account u ON u.id = s.user_id
        WHERE s.id = ${id} AND ${lives(now)} AND u.disabled_at IS NULL`,
  );
  return session ?? null;
}

/**
 * A new token for the session, and its only appearance; the old one ends. For every change of what the session may do.
 * Null: it has ended.
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
          authenticated_at = coalesce(${instant(change.authenticatedAt ?? null)}, authenticated_at) WHERE id = ${sessionId}`,
  );
  return changed === 0 ? null : token;
}

/** Those that live, the last seen first. */
export const listSessions = (tx: Transaction, userId: number, now: number): Promise<Session[]> =>
  tx.rows<Session>(
    sql`SELECT ${COLUMNS} FROM user_session s WHERE s.user_id = ${userId} AND ${lives(now)} ORDER BY s.seen_at DESC, s.id DESC`,
  );

/** False: there is no such session of this person. */
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

/** Ends all of the person's sessions of this cell but `keep`; returns how many. */
export const endOtherSessions = (tx: Transaction, userId: number, keep: number | null): Promise<number> =>
  tx.run(sql`DELETE FROM user_session WHERE user_id = ${userId} AND id <> ${keep ?? 0}`);

/** Whether the person proved who it is a short while ago: asked for before sensitive changes. Never at the host name of a business. */
export const isFresh = (session: Session, now: number): boolean =>
  session.host === undefined && session.authenticatedAt > now - FRESH_MS;
