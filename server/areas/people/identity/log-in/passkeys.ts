/**
 * Passkeys (WebAuthn): keys that a person's device stores and uses after verifying its user. A passkey replaces both
 * the password and the second factor: it requires the device and whatever unlocks it. A library verifies the ceremony;
 * this file decides which challenges are valid, and how often.
 */
import { bringAccount } from '../elsewhere.ts';
import { cellAway } from '../../../../kernel/work/unit/other-cells.ts';
import { mailTo } from '../mail/account-mail.ts';
import { hashOf } from '../tokens/opaque-secret.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { isFresh, type Session } from './sessions.ts';
import { noteUserEvent } from '../accounts/events.ts';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountDoor, Whence } from '../door.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

/** A passkey, as its owner sees it. */
export interface Passkey {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly usedAt: number | null;
}

const MAX_PASSKEYS = 20;
export const LONGEST_NAME = 64;
const CHALLENGE_MS = 10 * 60_000;
const NONCE_BYTES = 16;
const TIME_BYTES = 6;

const library = () => import('@simplewebauthn/server');

/** Options for the browser, to be read by `PublicKeyCredential.parse…OptionsFromJSON`. */
type PasskeyOptions = object;

/**
 * Returns the host at which passkeys work: that of our pages. Null if it is an IP address, which browsers don't accept.
 */
export function passkeyHost(baseUrl: string): string | null {
  const { hostname } = new URL(baseUrl);
  return /^[\d.]+$|:/.test(hostname) ? null : hostname;
}

/** Signs a challenge. `purpose`: what the challenge is for, and for whom. */
const signature = (door: AccountDoor, purpose: string, body: Buffer): Buffer =>
  // Answers are used up in the cell that issued the challenge, so the challenge is valid in no other cell.
  door.box.fingerprint(`passkey ${purpose}${door.cells ? ` ${door.cells.own}` : ''}`, body.toString('base64url'));

/**
 * Creates a challenge that contains its expiry and our signature: pages that nobody uses leave no rows behind. A
 * correct answer uses it up.
 */
function newChallenge(door: AccountDoor, purpose: string): Uint8Array<ArrayBuffer> {
  const body = Buffer.concat([Buffer.alloc(TIME_BYTES), randomBytes(NONCE_BYTES)]);
  body.writeUIntBE(door.now() + CHALLENGE_MS, 0, TIME_BYTES);
  return new Uint8Array(Buffer.concat([body, signature(door, purpose, body)]));
}

/** Returns true if the challenge is ours, for this purpose, and has not expired. */
function isChallenge(door: AccountDoor, purpose: string, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  const body = bytes.subarray(0, TIME_BYTES + NONCE_BYTES);
  const signed = bytes.subarray(TIME_BYTES + NONCE_BYTES);
  const expected = signature(door, purpose, body);
  if (signed.length !== expected.length || !timingSafeEqual(signed, expected)) return false;
  return body.readUIntBE(0, TIME_BYTES) > door.now();
}

/** Uses the challenge up; returns false if it was used before. */
const spend = async (tx: Transaction, challenge: string, now: number): Promise<boolean> =>
  (await tx.run(
    sql`INSERT INTO passkey_challenge (challenge_hash, expires_at)
      VALUES (${hashOf(challenge)}, ${instant(now + CHALLENGE_MS)}) ON CONFLICT DO NOTHING`,
  )) > 0;

const handleOf = (userId: number): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(String(userId)));

/** Parses the browser's answer; null if it is malformed. */
function parsed(response: string): { id: string; response: { userHandle?: unknown } } | null {
  try {
    const read = JSON.parse(response);
    return typeof read?.id === 'string' && read.id.length <= 1400 && typeof read.response === 'object' && read.response
      ? read
      : null;
  } catch {
    return null;
  }
}

/** An invalid answer is not an error of ours: it is refused. */
async function checked<T>(check: () => Promise<T>): Promise<T | null> {
  try {
    return await check();
  } catch {
    return null;
  }
}

export const listPasskeys = (tx: Transaction, userId: number): Promise<Passkey[]> =>
  tx.rows<Passkey>(
    sql`SELECT id, name, created_at AS "createdAt", used_at AS "usedAt" FROM passkey WHERE user_id = ${userId}
      ORDER BY id LIMIT ${MAX_PASSKEYS}`,
  );

/** Returns the options with which a browser creates a passkey. */
export async function passkeyCreation(
  door: AccountDoor,
  { id: userId, email, name }: { id: number; email: string; name: string },
  host: string,
  business: string,
): Promise<PasskeyOptions> {
  const known = await door.db.acrossTenants('a person adds a passkey', (tx) =>
    tx.rows<{ id: string }>(sql`SELECT credential_id AS id FROM passkey WHERE user_id = ${userId}`),
  );
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: business,
    rpID: host,
    userName: email,
    userDisplayName: name,
    userID: handleOf(userId),
    challenge: newChallenge(door, `creation ${userId}`),
    excludeCredentials: known,
    timeout: CHALLENGE_MS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * Adds the passkey that the browser created. Requires authentication within the last 15 minutes; an email notifies the
 * person. `full`: they have reached the maximum.
 */
export async function addPasskey(
  door: AccountDoor,
  session: Session,
  { response, name, baseUrl }: { response: string; name: string; baseUrl: string },
  whence: Whence,
): Promise<{ outcome: 'accepted' } | { outcome: 'refused' } | { outcome: 'full' }> {
  const { userId } = session;
  const [host, sent] = [passkeyHost(baseUrl), parsed(response)];
  if (host === null || sent === null || !isFresh(session, door.now())) return { outcome: 'refused' };
  const { verifyRegistrationResponse } = await library();
  let challenge = '';
  const made = await checked(() =>
    verifyRegistrationResponse({
      response: sent as never,
      expectedChallenge: (found) => isChallenge(door, `creation ${userId}`, (challenge = found)),
      expectedOrigin: new URL(baseUrl).origin,
      expectedRPID: host,
      requireUserVerification: true,
    }),
  );
  if (!made?.verified) return { outcome: 'refused' };
  const { id, publicKey, counter } = made.registrationInfo.credential;
  return door.changing('a person adds a passkey', async (tx) => {
    const now = door.now();
    const account = await tx.one<{ many: number }>(
      sql`SELECT (SELECT count(*) FROM passkey p WHERE p.user_id = u.id) AS many FROM user_account u
          WHERE u.id = ${userId} AND u.email_confirmed_at IS NOT NULL AND u.disabled_at IS NULL FOR UPDATE`,
    );
    if (!account || !(await spend(tx, challenge, now))) return { outcome: 'refused' };
    if (account.many >= MAX_PASSKEYS) return { outcome: 'full' };
    const added = await tx.run(
      sql`INSERT INTO passkey (user_id, rp_id, credential_id, public_key, counter, name, created_at)
          VALUES (${userId}, ${host}, ${id}, ${`\\x${Buffer.from(publicKey).toString('hex')}`}::bytea, ${counter},
            ${name}, ${instant(now)})
          ON CONFLICT DO NOTHING`,
    );
    if (added === 0) return { outcome: 'refused' };
    await noteUserEvent(tx, userId, 'passkey_added', whence, now);
    await mailTo(tx, { kind: 'passkey_added', user: userId }, whence);
    return { outcome: 'accepted' };
  });
}

/** Renames a passkey; returns false if it does not exist. Requires authentication within the last 15 minutes. */
export async function renamePasskey(door: AccountDoor, session: Session, id: number, name: string): Promise<boolean> {
  if (!isFresh(session, door.now())) return false;
  const { userId } = session;
  const renamed = await door.changing('a person names a passkey', (tx) =>
    tx.run(sql`UPDATE passkey SET name = ${name} WHERE id = ${id} AND user_id = ${userId}`),
  );
  return renamed > 0;
}

/** Removes a passkey, under the same conditions. An email notifies the person. */
export async function removePasskey(door: AccountDoor, session: Session, id: number, whence: Whence): Promise<boolean> {
  if (!isFresh(session, door.now())) return false;
  const { userId } = session;
  return door.changing('a person removes a passkey', async (tx) => {
    if ((await tx.run(sql`DELETE FROM passkey WHERE id = ${id} AND user_id = ${userId}`)) === 0) return false;
    await noteUserEvent(tx, userId, 'passkey_removed', whence, door.now());
    await mailTo(tx, { kind: 'passkey_removed', user: userId }, whence);
    return true;
  });
}

/** Returns the options for a log-in: they accept any passkey that the browser has for us. */
export async function passkeyRequest(door: AccountDoor, host: string): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: host,
    challenge: newChallenge(door, 'log_in'),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
}

interface Stored {
  readonly id: number;
  readonly userId: number;
  readonly host: string;
  readonly publicKey: string;
  readonly counter: number;
}

const findPasskey = (door: AccountDoor, credential: string): Promise<Stored | undefined> =>
  door.db.acrossTenants('a passkey says whose it is', (tx) =>
    tx.one<Stored>(
      sql`SELECT id, user_id AS "userId", rp_id AS host, encode(public_key, 'hex') AS "publicKey", counter FROM passkey
        WHERE credential_id = ${credential}`,
    ),
  );

/**
 * Looks the passkey up in other cells. @throws Problem `unavailable` if no cell that responds has it, and one is
 * unreachable
 */
async function findPasskeyElsewhere(door: AccountDoor, credential: string): Promise<Stored | undefined> {
  if (door.cells === null) return undefined;
  const away = await bringAccount(door, { credential });
  const found = await findPasskey(door, credential);
  if (!found && away.length > 0) throw cellAway();
  return found;
}

/** Logs somebody in. Unknown, wrong, used, expired and disabled are indistinguishable. */
export async function logInWithPasskey(
  door: AccountDoor,
  { response, baseUrl }: { response: string; baseUrl: string },
  whence: Whence,
): Promise<{ outcome: 'accepted'; userId: number } | { outcome: 'refused' }> {
  const refused = { outcome: 'refused' } as const;
  const [host, sent] = [passkeyHost(baseUrl), parsed(response)];
  if (host === null || sent === null) return refused;
  const stored = (await findPasskey(door, sent.id)) ?? (await findPasskeyElsewhere(door, sent.id));
  // Passkeys that were created at another host are refused, even if they are presented correctly.
  if (!stored || stored.host !== host) return refused;
  const { userId } = stored;
  if (sent.response.userHandle !== Buffer.from(handleOf(userId)).toString('base64url')) return refused;
  const { verifyAuthenticationResponse } = await library();
  let challenge = '';
  // The library refuses a counter that does not increase: somebody has a copy of the key.
  const used = await checked(() =>
    verifyAuthenticationResponse({
      response: sent as never,
      expectedChallenge: (found) => isChallenge(door, 'log_in', (challenge = found)),
      expectedOrigin: new URL(baseUrl).origin,
      expectedRPID: host,
      credential: {
        id: sent.id,
        publicKey: new Uint8Array(Buffer.from(stored.publicKey, 'hex')),
        counter: stored.counter,
      },
      requireUserVerification: true,
    }),
  );
  return door.changing('a person logs in with a passkey', async (tx) => {
    const now = door.now();
    if (!used?.verified) {
      await noteUserEvent(tx, userId, 'log_in_failed', whence, now);
      return refused;
    }
    if (!(await spend(tx, challenge, now))) return refused;
    // If two answers arrive concurrently, only one can replace the counter that was read.
    const taken = await tx.run(
      sql`UPDATE passkey p SET counter = ${used.authenticationInfo.newCounter}, used_at = ${instant(now)}
        FROM user_account u
          WHERE p.id = ${stored.id} AND p.counter = ${stored.counter} AND u.id = p.user_id AND u.disabled_at IS NULL`,
    );
    if (taken === 0) return refused;
    await noteUserEvent(tx, userId, 'log_in', whence, now);
    return { outcome: 'accepted', userId };
  });
}
