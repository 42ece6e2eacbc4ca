/**
 * Where the OpenID provider keeps what it must remember: interactions, codes, and the grants that bind a code to what
 * came of it. A record's id is a secret (of a code, it is the code itself): it is kept as a hash, and the rest is
 * sealed. What a code gave ends when somebody brings it a second time.
 */
import { createHash } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { endAuthorizations } from './tokens.ts';
import { stillLetIn } from '../../identity/index.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import type { Database, Transaction } from '../../../../kernel/base/db/database.ts';
import { NotOpened, type SecretBox } from '../../../../kernel/base/secret-box.ts';

export interface Store {
  readonly db: Database;
  readonly box: SecretBox;
  readonly now: () => number;
}

export const keyOf = (id: string): string => `\\x${createHash('sha256').update(id).digest('hex')}`;

interface RecordRow {
  payload: { sealed: string };
  expires_at: number | null;
  consumed_at: number | null;
}

/** The provider reads the clock of the machine, the service may be told another one: what is left is carried over. */
const onMachineClock = (ms: number, now: number): number => Math.floor((Date.now() + ms - now) / 1000);

export class Records implements Adapter {
  readonly #model: string;
  readonly #store: Store;

  constructor(model: string, store: Store) {
    this.#model = model;
    this.#store = store;
  }

  #across<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#store.db.acrossTenants('the records of log-ins by applications belong to no business', work);
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { box, now } = this.#store;
    const { jti: _id, exp: _exp, ...rest } = payload;
    const expiresAt = expiresIn ? instant(now() + expiresIn * 1000) : null;
    const sealed = { sealed: box.seal(this.#purpose(id), JSON.stringify(rest)) };
    await this.#across((tx) =>
      tx.run(
        sql`INSERT INTO oidc_record (model, key, payload, grant_id, made_at, expires_at)
            VALUES (${this.#model}, ${keyOf(id)}, ${json(sealed)}, ${payload.grantId ? hashText(payload.grantId) : null}, ${instant(now())}, ${expiresAt})
            ON CONFLICT (model, key) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`,
      ),
    );
  }

  /** Sealed for this one record: what is moved to another does not open. */
  #purpose(id: string): string {
    return `oidc:${this.#model}:${keyOf(id)}`;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { box, now } = this.#store;
    const row = await this.#across((tx) =>
      tx.one<RecordRow>(
        sql`SELECT payload, expires_at, consumed_at FROM oidc_record WHERE model = ${this.#model} AND key = ${keyOf(id)}`,
      ),
    );
    if (!row) return undefined;
    const payload = this.#opened(box, id, row.payload.sealed);
    // Of another secret key: the log-in begins again.
    if (!payload) return undefined;
    return {
      ...payload,
      jti: id,
      ...(row.expires_at !== null && { exp: onMachineClock(row.expires_at, now()) }),
      ...(row.consumed_at !== null && { consumed: onMachineClock(row.consumed_at, now()) }),
    };
  }

  #opened(box: SecretBox, id: string, sealed: string): AdapterPayload | null {
    try {
      return JSON.parse(box.open(this.#purpose(id), sealed));
    } catch (error) {
      if (error instanceof NotOpened) return null;
      throw error;
    }
  }

  /** Sessions are not kept here, and nothing else has such an id. */
  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  /** Of two who bring one code at the same moment, one gets here first. */
  async consume(id: string): Promise<void> {
    const at = instant(this.#store.now());
    const first = await this.#across(async (tx) => {
      const done = await tx.run(
        sql`UPDATE oidc_record SET consumed_at = ${at} WHERE model = ${this.#model} AND key = ${keyOf(id)} AND consumed_at IS NULL`,
      );
      if (done > 0) return true;
      const row = await tx.one<{ grant_id: string | null }>(
        sql`SELECT grant_id FROM oidc_record WHERE model = ${this.#model} AND key = ${keyOf(id)}`,
      );
      if (row?.grant_id) await endGrant(tx, row.grant_id, this.#store.now());
      return false;
    });
    if (first) return;
    const { errors } = await import('oidc-provider');
    throw new errors.InvalidGrant('authorization code already consumed');
  }

  async destroy(id: string): Promise<void> {
    await this.#across((tx) =>
      tx.run(sql`DELETE FROM oidc_record WHERE model = ${this.#model} AND key = ${keyOf(id)}`),
    );
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    // Asked for by every model in turn; the code's call does it for all.
    if (this.#model === 'AuthorizationCode')
      await this.#across((tx) => endGrant(tx, hashText(grantId), this.#store.now()));
  }
}

/** How a grant is named outside of its own record. */
export const hashText = (id: string): string => createHash('sha256').update(id).digest('hex');

/**
 * Ends what came of a code. Whoever starts an authorization holds the grant's record, so it is there by now or never
 * will be.
 */
async function endGrant(tx: Transaction, grant: string, now: number): Promise<void> {
  await tx.run(sql`DELETE FROM oidc_record WHERE model = 'Grant' AND key = decode(${grant}, 'hex')`);
  await endAuthorizations(tx, sql`oidc_grant_id = ${grant}`, 'code_replayed', now);
}

/**
 * Whether the grant still stands; nobody can end it until this transaction has. Whatever ended the access of the
 * account since, as a new password, ends it too.
 */
export const holdGrant = async (tx: Transaction, grantId: string, userId: number): Promise<boolean> =>
  (await tx.one(
    sql`SELECT 1 AS there FROM oidc_record r JOIN user_account u ON u.id = ${userId}
        WHERE r.model = 'Grant' AND r.key = ${keyOf(grantId)} AND ${stillLetIn(sql`r.made_at`)} FOR UPDATE OF r`,
  )) !== undefined;

export const sweepRecords = (tx: Transaction, now: number): Promise<number> =>
  tx.run(sql`DELETE FROM oidc_record WHERE expires_at < ${instant(now - 86_400_000)}`);
