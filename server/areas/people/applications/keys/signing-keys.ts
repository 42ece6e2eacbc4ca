/**
 * The keys that sign tokens. The public key is published; the private key is sealed, and opened by the process that
 * signs. The database alone holds the keys, so all processes and the command line always agree.
 * A key is published for an hour before it signs, so that clients that cache the keys know it in time, and remains
 * published until its last token has expired. The very first key signs immediately, because nobody has cached any keys
 * yet.
 */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import { exchangeKeys } from './shared-keys.ts';
import type { OtherCells } from '../../../../kernel/work/unit/other-cells.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';

export const ALGORITHM = 'RS256';
const HOUR = 3_600_000;
/** The longest validity of anything that a key signs. */
export const TOKEN_LIFE_MS = 2 * HOUR;
const KNOWN_BEFORE_MS = HOUR;
const SIGNS_FOR_MS = 90 * 24 * HOUR;
/** Clocks of other machines are slightly wrong. */
const MARGIN_MS = 5 * 60_000;
const LOCK = 771_006;

export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly createdAt: number;
  readonly signsFrom: number;
  readonly retiredAt: number | null;
  readonly publishedUntil: number | null;
  readonly sealed: string;
}

interface Opened {
  readonly kid: string;
  readonly key: CryptoKey;
  readonly privateJwk: JWK;
}

interface KeyRow {
  kid: string;
  public_jwk: JWK;
  private_sealed: string;
  created_at: number;
  signs_from: number;
  retired_at: number | null;
  published_until: number | null;
}

const purpose = (kid: string): string => `signing_key:${kid}`;

/**
 * Returns the keys that are published at this moment; the one that signs comes first. Needs a transaction across
 * tenants, like all functions below.
 */
export async function publishedKeys(tx: Transaction, now: number): Promise<SigningKey[]> {
  const rows = await tx.rows<KeyRow>(
    sql`SELECT kid, public_jwk, private_sealed, created_at, signs_from, retired_at, published_until FROM signing_key
        WHERE published_until IS NULL OR published_until > ${instant(now)} ORDER BY signs_from DESC, kid`,
  );
  const keys = rows.map((r) => ({
    kid: r.kid,
    publicJwk: r.public_jwk,
    createdAt: r.created_at,
    signsFrom: r.signs_from,
    retiredAt: r.retired_at,
    publishedUntil: r.published_until,
    sealed: r.private_sealed,
  }));
  return keys.toSorted((a, b) => Number(signs(b, now)) - Number(signs(a, now)));
}

const signs = (key: SigningKey, now: number): boolean =>
  key.signsFrom <= now && (key.retiredAt === null || key.retiredAt > now);

/** Returns the state of a key, as `keys list` shows it. */
export const stateOf = (key: SigningKey, now: number): 'signs' | 'announced' | 'over' =>
  signs(key, now) ? 'signs' : key.signsFrom > now ? 'announced' : 'over';

const opened = new WeakMap<SecretBox, Map<string, Promise<Opened>>>();

/** Opens a sealed key. @throws NotOpened if the secret key of the installation has changed since */
export function openKey(box: SecretBox, { kid, sealed }: SigningKey): Promise<Opened> {
  const known = opened.get(box) ?? opened.set(box, new Map()).get(box)!;
  let key = known.get(kid);
  if (!key) {
    key = open(box, kid, sealed);
    known.set(kid, key);
    key.catch(() => known.delete(kid));
  }
  return key;
}

async function open(box: SecretBox, kid: string, sealed: string): Promise<Opened> {
  const privateJwk = JSON.parse(box.open(purpose(kid), sealed)) as JWK;
  return { kid, privateJwk, key: (await importJWK(privateJwk, ALGORITHM)) as CryptoKey };
}

export interface KeyRing {
  readonly box: SecretBox;
  /** the other cells of the installation, which share the keys; null or absent: there are none */
  readonly cells?: OtherCells | null;
  /** receives warnings about keys that were retired because they can't be opened */
  readonly warn?: (message: string) => void;
}

/** Returns the key that signs at this moment; creates one if none can be opened. */
export async function signingKey(tx: Transaction, ring: KeyRing, now: number): Promise<Opened> {
  const found = await usable(tx, ring, now);
  if (found) return found;
  // If two processes find no key, only one creates it: the second finds the key of the first.
  await tx.run(sql`SELECT pg_advisory_xact_lock(${LOCK})`);
  const meanwhile = await usable(tx, ring, now);
  if (meanwhile) return meanwhile;
  if (ring.cells) {
    await exchangeKeys(tx, ring.cells, now);
    const taken = await usable(tx, ring, now);
    if (taken) return taken;
  }
  for (const key of (await publishedKeys(tx, now)).filter((k) => k.retiredAt === null || k.retiredAt > now))
    await giveUp(tx, ring, key, now);
  const made = await makeKey(tx, ring.box, now, atOnce(now));
  if (!ring.cells) return made;
  await exchangeKeys(tx, ring.cells, now);
  // If two cells created a key at the same moment, all sign with one of them.
  return (await usable(tx, ring, now)) ?? made;
}

/**
 * Returns a start that is in the past even for a clock that is slightly behind: a concurrent request must find the key
 * instead of creating another.
 */
const atOnce = (now: number): number => now - MARGIN_MS;

async function usable(tx: Transaction, { box }: KeyRing, now: number): Promise<Opened | null> {
  const [key] = await publishedKeys(tx, now);
  return key && signs(key, now) ? openKey(box, key).catch(() => null) : null;
}

/** Retires a key that can't be opened. Tokens that it signed remain valid, because they only need its public key. */
async function giveUp(tx: Transaction, ring: KeyRing, key: SigningKey, now: number): Promise<void> {
  if (
    await openKey(ring.box, key).then(
      () => true,
      () => false,
    )
  )
    return;
  await retire(tx, key.kid, now);
  ring.warn?.(
    `the signing key ${key.kid} was sealed with another secret key and cannot be opened: another one takes its place`,
  );
}

const retire = (tx: Transaction, kid: string, at: number) =>
  tx.run(
    sql`UPDATE signing_key SET retired_at = ${instant(at)}, published_until = ${instant(at + TOKEN_LIFE_MS + MARGIN_MS)}
      WHERE kid = ${kid}`,
  );

async function makeKey(tx: Transaction, box: SecretBox, now: number, signsFrom: number): Promise<Opened> {
  const pair = await generateKeyPair(ALGORITHM, { modulusLength: 2048, extractable: true });
  const bare = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(bare);
  const common = { kid, alg: ALGORITHM, use: 'sig' };
  const privateJwk = { ...(await exportJWK(pair.privateKey)), ...common };
  await tx.run(
    sql`INSERT INTO signing_key (kid, alg, public_jwk, private_sealed, created_at, signs_from)
        VALUES (${kid}, ${ALGORITHM}, ${json({ ...bare, ...common })},
          ${box.seal(purpose(kid), JSON.stringify(privateJwk))}, ${instant(now)}, ${instant(signsFrom)})`,
  );
  return { kid, privateJwk, key: pair.privateKey };
}

/**
 * Announces a new key, which takes over in an hour, or returns the one that is announced already. Returns its id and
 * when it starts to sign.
 */
export async function rotateKeys(
  tx: Transaction,
  ring: KeyRing,
  now: number,
): Promise<{ kid: string; signsFrom: number }> {
  await tx.run(sql`SELECT pg_advisory_xact_lock(${LOCK})`);
  await exchangeKeys(tx, ring.cells, now);
  const keys = await publishedKeys(tx, now);
  const announced = keys.find((k) => k.signsFrom > now);
  if (
    announced &&
    (await openKey(ring.box, announced).then(
      () => true,
      () => false,
    ))
  )
    return announced;
  if (announced) await retire(tx, announced.kid, now);
  // There may be several, if two cells each announced one at the same moment.
  const current = keys.filter((k) => signs(k, now));
  const signsFrom = current.length > 0 ? now + KNOWN_BEFORE_MS : atOnce(now);
  const { kid } = await makeKey(tx, ring.box, now, signsFrom);
  for (const each of current) await retire(tx, each.kid, signsFrom);
  await exchangeKeys(tx, ring.cells, now);
  return { kid, signsFrom };
}

/**
 * Maintains the keys, called by the worker from time to time: creates a new key every 90 days, and deletes keys that
 * are no longer needed.
 */
export async function tendKeys(tx: Transaction, ring: KeyRing, now: number): Promise<void> {
  await tx.run(sql`DELETE FROM signing_key WHERE published_until <= ${instant(now)}`);
  await exchangeKeys(tx, ring.cells, now);
  const keys = await publishedKeys(tx, now);
  const newest = Math.max(...keys.map((k) => k.signsFrom));
  // Before the first token is requested, there is no key, and none is created.
  if (keys.length > 0 && newest + SIGNS_FOR_MS - KNOWN_BEFORE_MS <= now) await rotateKeys(tx, ring, now);
}
