/** The history of an account, for its owner to read. Kept for a year. */
import { coarseNetwork } from '../../../../kernel/base/values/network.ts';
import { instant, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Whence } from '../door.ts';

export interface UserEvent {
  /** for example `log_in` or `password_changed` */
  readonly kind: string;
  readonly at: number;
  readonly providerId: number | null;
  readonly application: string | null;
  /** /24 or /48 */
  readonly network: string | null;
  readonly agent: string | null;
}

const LONGEST_AGENT = 200;
/** A network counts as the person's own for this long after a log-in from it. */
const AT_HOME_MS = 90 * 86_400_000;

/** Returns the user agent of a browser, shortened and in one line. */
export const shortAgent = (agent: string): string => agent.replaceAll(/\p{Cc}+/gu, ' ').slice(0, LONGEST_AGENT);

/**
 * Returns the statement that records the event. `whence`: null for the operator, who has no origin. `where`: a
 * condition over the account `u`.
 */
export const eventInsert = (
  userId: number,
  kind: string,
  whence: Whence | null,
  now: number,
  where: Sql = sql`true`,
): Sql =>
  sql`INSERT INTO user_event (user_id, kind, at, provider_id, application, network, agent)
      SELECT u.id, ${kind}, ${instant(now)}::timestamptz, ${whence?.providerId ?? null}::bigint, ${whence?.application?.slice(0, 255) ?? null}, ${whence && coarseNetwork(whence.address)}, ${whence && shortAgent(whence.agent)}
      FROM user_account u WHERE u.id = ${userId} AND ${where}`;

export async function noteUserEvent(
  tx: Transaction,
  userId: number,
  kind: string,
  whence: Whence,
  now: number,
): Promise<void> {
  await tx.run(eventInsert(userId, kind, whence, now));
}

/** Returns a condition: the owner of the account (alias `u`) has logged in from this network, or an adjacent one. */
export const loggedInFrom = (u: string, whence: Whence, now: number): Sql =>
  sql`EXISTS (SELECT FROM user_event e WHERE e.user_id = ${raw(u)}.id AND e.kind = 'log_in' AND e.network = ${coarseNetwork(whence.address)} AND e.at > ${instant(now - AT_HOME_MS)}::timestamptz)`;

/** Returns events, the newest first. */
export function listUserEvents(tx: Transaction, userId: number, most = 50): Promise<UserEvent[]> {
  return tx.rows<UserEvent>(
    sql`SELECT kind, at, provider_id AS "providerId", application, network, agent FROM user_event WHERE user_id = ${userId} ORDER BY id DESC LIMIT ${most}`,
  );
}
