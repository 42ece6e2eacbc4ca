/**
 * Records of the OpenID provider: interactions, codes, and the grants that link a code to its tokens. A record's id is
 * a secret (that of a code is the code itself): it is stored as a hash, and the rest is sealed. Tokens of a code end if
 * the code is sent a second time.
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

/**
 * Converts a time: the provider reads the machine's clock, and the service's clock may differ. The remaining time is
 * the same.
 */
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
            VALUES (${this.#model}, ${keyOf(id)}, ${json(sealed)},
              ${payload.grantId ? hashText(payload.grantId) : null}, ${instant(now())}, ${expiresAt})
            ON CONFLICT (model, key) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
              expires_at = excluded.expires_at`,
      ),
    );
  }

  /** Returns the purpose that the content is sealed for: if moved to another record, it can't be opened. */
  #purpose(id: string): string {
    return `oidc:${this.#model}:${keyOf(id)}`;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { box, now } = this.#store;
    const row = await this.#across((tx) =>
      tx.one<RecordRow>(
        sql`SELECT payload, expires_at, consumed_at FROM oidc_record
          WHERE model = ${this.#model} AND key = ${keyOf(id)}`,
      ),
    );
    if (!row) return undefined;
    const payload = this.#opened(box, id, row.payload.sealed);
    // Sealed with another secret key: the log-in starts over.
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

  /** Sessions aren't stored here, and nothing else has such an id. */
  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  /** Marks a code as used. If one code is sent twice at the same moment, only one request is first. */
  async consume(id: string): Promise<void> {
    const at = instant(this.#store.now());
    const first = await this.#across(async (tx) => {
      const done = await tx.run(
        sql`UPDATE oidc_record SET consumed_at = ${at}
          WHERE model = ${this.#model} AND key = ${keyOf(id)} AND consumed_at IS NULL`,
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
    // The library asks each model in turn; the call for the code ends all of it.
    if (this.#model === 'AuthorizationCode')
      await this.#across((tx) => endGrant(tx, hashText(grantId), this.#store.now()));
  }
}

/** Returns the name of a grant outside of its own record. */
export const hashText = (id: string): string => createHash('sha256').update(id).digest('hex');

/**
 * Ends everything that a code yielded. Starting an authorization requires the lock on the grant's record, so the
 * authorization exists by now, or never will.
 */
async function endGrant(tx: Transaction, grant: string, now: number): Promise<void> {
  await tx.run(sql`DELETE FROM oidc_record WHERE model = 'Grant' AND key = decode(${grant}, 'hex')`);
  await endAuthorizations(tx, sql`oidc_grant_id = ${grant}`, 'code_replayed', now);
}

/**
 * Returns true if the grant is still valid, and locks it: nobody can end it until this transaction has ended. Anything
 * that has ended access to the account since, such as a new password, ends the grant too.
 */
export const holdGrant = async (tx: Transaction, grantId: string, userId: number): Promise<boolean> =>
  (await tx.one(
    sql`SELECT 1 AS there FROM oidc_record r JOIN user_account u ON u.id = ${userId}
        WHERE r.model = 'Grant' AND r.key = ${keyOf(grantId)} AND ${stillLetIn(sql`r.made_at`)} FOR UPDATE OF r`,
  )) !== undefined;

export const sweepRecords = (tx: Transaction, now: number): Promise<number> =>
  tx.run(sql`DELETE FROM oidc_record WHERE expires_at < ${instant(now - 86_400_000)}`);
