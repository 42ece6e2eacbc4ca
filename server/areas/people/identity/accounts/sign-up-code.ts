/**
 * Codes that confirm an address, sent by email: after a sign-up, and to log in. A code is entered in the browser that
 * asked for it, which a cookie identifies: the code alone, which a stranger may talk somebody into revealing, does
 * nothing elsewhere, and no page address contains a secret.
 */
import { endTickets } from '../tokens/tickets.ts';
import { hashOf } from '../tokens/opaque-secret.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { noteUserEvent } from './events.ts';
import { randomInt, timingSafeEqual } from 'node:crypto';
import { stillLetIn } from './account.ts';
import type { AccountDoor, Whence } from '../door.ts';
import type { Gone } from './answers.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

const TTL_MS = 30 * 60_000;
/** out of a million codes */
const MAX_TRIES = 5;

const fingerprint = (box: SecretBox, id: string, code: string): Buffer =>
  box.fingerprint('sign_up_code', `${id} ${code}`);

/** A browser has at most one code for each purpose. */
type Purpose = 'sign-up' | 'log-in';

export const hashOfBrowser = (purpose: Purpose, browser: string): string => hashOf(`${purpose} in ${browser}`);

/**
 * Starts waiting for a code in a browser, replacing an earlier wait; returns an id for the email. `browser`: see
 * `Visit.browser`. `email`: the address, for a code to log in.
 */
export async function awaitCode(
  tx: Transaction,
  { browser, email = null }: { readonly browser: string; readonly email?: string | null },
  now: number,
): Promise<string> {
  const [at, until] = [instant(now), instant(now + TTL_MS)];
  const row = await tx.one<{ id: string }>(
    sql`INSERT INTO sign_up_code (secret_hash, email, created_at, expires_at)
      VALUES (${hashOfBrowser(email === null ? 'sign-up' : 'log-in', browser)}, ${email}, ${at}, ${until})
        ON CONFLICT (secret_hash) DO UPDATE SET id = gen_random_uuid(), user_id = NULL, email = excluded.email,
          code_hash = NULL, tries = 0, created_at = excluded.created_at, expires_at = excluded.expires_at,
          used_at = NULL RETURNING id`,
  );
  return row!.id;
}

/**
 * Records the account whose address the code confirms; null: the address had an account already, and no code confirms
 * anything.
 */
export async function codeIsFor(tx: Transaction, id: string, userId: number | null): Promise<void> {
  await tx.run(sql`UPDATE sign_up_code SET user_id = ${userId} WHERE id = ${id}`);
}

/** Creates the code for the email; it is shown only here. Null if nobody waits for it any longer. */
export async function makeCode(tx: Transaction, box: SecretBox, id: string, now: number): Promise<string | null> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const hash = `\\x${fingerprint(box, id, code).toString('hex')}`;
  const waits = await tx.run(
    sql`UPDATE sign_up_code SET code_hash = ${hash}::bytea
      WHERE id = ${id} AND used_at IS NULL AND expires_at > ${instant(now)}`,
  );
  return waits > 0 ? code : null;
}

interface Entered {
  readonly id: string;
  readonly userId: number | null;
  readonly email: string | null;
  /** epoch milliseconds */
  readonly createdAt: number;
}

/**
 * Compares the code with the one that this browser waits for. An attempt is counted before it is checked. `refused`:
 * another attempt is possible; `gone`: none is.
 */
export async function enterCode(
  tx: Transaction,
  { box, now }: Pick<AccountDoor, 'box' | 'now'>,
  { purpose, browser, code }: { readonly purpose: Purpose; readonly browser: string; readonly code: string },
): Promise<({ readonly outcome: 'right' } & Entered) | { readonly outcome: 'refused' } | Gone> {
  const found = await tx.one<Entered & { codeHash: string | null; tries: number }>(
    sql`UPDATE sign_up_code SET tries = tries + 1
        WHERE secret_hash = ${hashOfBrowser(purpose, browser)} AND used_at IS NULL AND tries < ${MAX_TRIES}
          AND expires_at > ${instant(now())}
        RETURNING id, user_id AS "userId", email, created_at AS "createdAt", encode(code_hash, 'hex') AS "codeHash",
          tries`,
  );
  if (!found) return { outcome: 'gone' };
  const { id, userId, email, createdAt, codeHash } = found;
  const right = codeHash !== null && timingSafeEqual(fingerprint(box, id, code), Buffer.from(codeHash, 'hex'));
  if (!right || (userId === null && email === null)) return { outcome: found.tries < MAX_TRIES ? 'refused' : 'gone' };
  return { outcome: 'right', id, userId, email, createdAt };
}

export const useCode = (tx: Transaction, { id }: Pick<Entered, 'id'>, now: number): Promise<number> =>
  tx.run(sql`UPDATE sign_up_code SET used_at = ${instant(now)} WHERE id = ${id}`);

/**
 * Accepts the emailed code in the browser that signed up, see `enterCode`. `gone` also if the address was confirmed or
 * the password changed in the meantime.
 */
export function confirmByCode(
  door: AccountDoor,
  { browser, code }: { browser: string; code: string },
  whence: Whence,
): Promise<{ outcome: 'accepted'; userId: number } | { outcome: 'refused' } | Gone> {
  return door.changing('a person confirms an address with a code', async (tx) => {
    const now = door.now();
    const entered = await enterCode(tx, door, { purpose: 'sign-up', browser, code });
    if (entered.outcome !== 'right') return entered;
    const { id, userId } = entered;
    const confirmed = await tx.run(
      sql`UPDATE user_account u SET email_confirmed_at = ${instant(now)} FROM sign_up_code c
          WHERE c.id = ${id} AND u.id = c.user_id AND u.email_confirmed_at IS NULL
            AND ${stillLetIn(sql`c.created_at`)}`,
    );
    if (confirmed === 0) return { outcome: 'gone' };
    await useCode(tx, entered, now);
    await endTickets(tx, userId!, ['confirm_email'], now);
    await noteUserEvent(tx, userId!, 'email_confirmed', whence, now);
    return { outcome: 'accepted', userId: userId! };
  });
}
