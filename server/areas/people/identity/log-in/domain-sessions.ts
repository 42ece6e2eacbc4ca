/**
 * Log-ins at the host name of a business. The owner of such a name can read what browsers send there, so nobody logs in
 * there: people log in at the installation, which hands over a session by a code, as OAuth does. The session is valid
 * at that name and for that business only. It is in a separate table, so everything that accepts sessions of the
 * installation refuses it. Needs a transaction across tenants throughout.
 */
import { findSessionById, LONGEST_MS, noteSeen, type Session } from './sessions.ts';
import { hashOf, isWellFormed, makeSecret } from '../tokens/opaque-secret.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { stillLetIn } from '../accounts/account.ts';
import { sessionByIdElsewhere } from './any-session.ts';
import type { AmongCells } from '../elsewhere.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

const CODE_MS = 60_000;
const CODE = 'rch_';
const SESSION = 'rcd_';

/** The target of a handover. `browser`: the browser there that asked, see `Visit.browser`. */
interface DomainDoor {
  readonly providerId: number;
  readonly host: string;
  readonly browser: string;
}

/** Returns the code for a session of the same person; it is shown only here. */
export async function handOver(
  tx: Transaction,
  { id, userId, cell }: Session,
  { providerId, host, browser, keep }: DomainDoor & { readonly keep: boolean },
  now: number,
): Promise<string> {
  const { secret, hash } = makeSecret(CODE);
  await tx.run(
    sql`
      INSERT INTO domain_session (provider_id, user_id, host, secret_hash, browser, session_id, session_cell, kept,
        created_at)
        VALUES (${providerId}, ${userId}, ${host}, ${hash}, ${browser}, ${id}, ${cell ?? null}, ${keep},
          ${instant(now)})`,
  );
  return secret;
}

/**
 * Exchanges the code for a session and returns its secret, which is shown only here. Null if the code is unknown, used,
 * expired, or for another business, host or browser. If several exchange it concurrently, one gets the session.
 */
export async function takeOver(
  tx: Transaction,
  code: string,
  { providerId, host, isBrowser }: Omit<DomainDoor, 'browser'> & { isBrowser(name: string): boolean },
  now: number,
): Promise<{ token: string; keep: boolean } | null> {
  if (!isWellFormed(CODE, code)) return null;
  const found = await tx.one<{ id: string; browser: string; keep: boolean }>(
    sql`SELECT id, browser, kept AS keep FROM domain_session
      WHERE provider_id = ${providerId} AND secret_hash = ${hashOf(code)}
        AND host = ${host} AND begun_at IS NULL AND created_at > ${instant(now - CODE_MS)} FOR UPDATE`,
  );
  if (!found || !isBrowser(found.browser)) return null;
  const { secret: token, hash } = makeSecret(SESSION);
  await tx.run(
    sql`UPDATE domain_session SET secret_hash = ${hash}, begun_at = ${instant(now)}
      WHERE provider_id = ${providerId} AND id = ${found.id}`,
  );
  return { token, keep: found.keep };
}

/**
 * Returns the session of somebody at the host name of a business. Null if it is for another business or host, the
 * log-in that it came from has ended, or the password was changed since: the log-in that changed it continues, but not
 * the sessions that were handed over.
 * @throws Problem `unavailable` while the cell of that log-in is unreachable
 */
export async function findDomainSession(
  door: AmongCells,
  token: string,
  { providerId, host }: Omit<DomainDoor, 'browser'>,
): Promise<Session | null> {
  if (!isWellFormed(SESSION, token)) return null;
  const now = door.now();
  const why = 'a session belongs to a person, not to a business';
  const found = await door.db.acrossTenants(why, async (tx) => {
    const row = await tx.one<{ session: number; cell: number | null; user: number }>(
      sql`SELECT d.session_id AS session, d.session_cell AS cell, d.user_id AS "user" FROM domain_session d
        JOIN user_account u ON u.id = d.user_id
          WHERE d.provider_id = ${providerId} AND d.secret_hash = ${hashOf(token)} AND d.host = ${host}
            AND d.begun_at > ${instant(now - LONGEST_MS)} AND ${stillLetIn(sql`d.created_at`)}`,
    );
    if (!row || row.cell !== null) return row ?? null;
    const session = await findSessionById(tx, row.session, now);
    if (session) await noteSeen(tx, session, now);
    return session && { ...row, from: session };
  });
  if (found === null) return null;
  const from =
    'from' in found ? found.from : door.cells && (await sessionByIdElsewhere(door, found.cell!, found.session));
  return from && from.userId === found.user ? { ...from, secondFactor: false, host } : null;
}

/** Deletes codes that nobody exchanged, and sessions whose log-in has ended, as far as this cell knows. */
export async function sweepDomainSessions(tx: Transaction, now: number): Promise<void> {
  await tx.run(
    sql`DELETE FROM domain_session d WHERE d.created_at <= ${instant(now - LONGEST_MS)}
          OR (d.begun_at IS NULL AND d.created_at <= ${instant(now - CODE_MS)})
          OR (d.session_cell IS NULL AND NOT EXISTS (SELECT FROM user_session s WHERE s.id = d.session_id))`,
  );
}
