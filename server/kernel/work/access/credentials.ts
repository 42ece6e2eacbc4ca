/**
 * Cache of the reach of bearer tokens in this process, for as long as it stays valid. The database counts every change
 * (`access_epoch`), and every transaction of a request reads that count as it opens. If the credential was checked at
 * an older count, and is among the changes since, the request is stopped before there is a response, and checked again.
 * So the next request with an ended credential is refused by every process, and requests need no other query for their
 * credential.
 */
import { sql } from '../../base/db/sql.ts';
import type { Authenticator, Found, Grant } from './grant.ts';
import type { Database, CredentialCheck } from '../../base/db/database.ts';

const MAX_CACHED = 20_000;

/** The reach of a credential, and the time for which it is valid. */
export interface Checked {
  readonly grant: Grant;
  readonly standing: CredentialCheck;
}

interface Answered {
  readonly found: Found;
  readonly epoch: number;
}

export class Credentials {
  readonly #db: Database;
  readonly #authenticators: readonly Authenticator[];
  readonly #now: () => number;
  /** in the order of their last look-up; the oldest is evicted first */
  readonly #known = new Map<string, Found>();
  readonly #asking = new Map<string, Promise<Answered | null>>();
  #epoch = -1;
  #catchingUp?: Promise<void>;

  constructor(db: Database, authenticators: readonly Authenticator[], now: () => number) {
    this.#db = db;
    this.#authenticators = authenticators;
    this.#now = now;
  }

  /** Returns the reach of the token; null if it is not valid. */
  async of(token: string): Promise<Checked | null> {
    if (this.#epoch < 0) await this.catchUp();
    const known = this.#stillGood(token);
    const answered = known ? { found: known, epoch: this.#epoch } : await this.#ask(token);
    if (!answered) return null;
    answered.found.onUse?.();
    const {
      found: { grant, subjects },
      epoch,
    } = answered;
    return { grant, standing: { epoch, subjects, onStale: this.#onStale } };
  }

  /** Checks with the database whether the credential is still valid, for a refusal without a transaction. */
  async confirm(standing: CredentialCheck): Promise<void> {
    await this.#db.lookingAcross('credentials of every business are remembered', (tx) => tx.send([]), standing);
  }

  /** The next caller finds out what has changed behind it. */
  readonly #onStale = (): void => void this.catchUp().catch(() => {});

  /** Drops entries that have changed in the meantime. */
  catchUp(): Promise<void> {
    return (this.#catchingUp ??= this.#catchUp().finally(() => (this.#catchingUp = undefined)));
  }

  #stillGood(token: string): Found | null {
    const found = this.#known.get(token);
    if (!found) return null;
    if (found.until > this.#now()) return found;
    this.#known.delete(token);
    return null;
  }

  /**
   * Asks for a token. Concurrent callers of one unknown token share the query, unless the token must be looked up for
   * each request.
   */
  async #ask(token: string): Promise<Answered | null> {
    const before = this.#asking.get(token);
    if (before) {
      const answered = await before;
      return answered?.found.once ? this.#find(token) : answered;
    }
    const asking = this.#find(token).finally(() => this.#asking.delete(token));
    this.#asking.set(token, asking);
    return asking;
  }

  async #find(token: string): Promise<Answered | null> {
    const epoch = this.#epoch;
    const found = await this.#authenticate(token);
    if (!found || found.until <= this.#now()) return null;
    // Changes during the query may concern this very token, and the result may predate them: it is valid for the old
    // epoch only.
    if (this.#epoch === epoch && !found.once) this.#remember(token, found);
    return { found, epoch };
  }

  async #authenticate(token: string): Promise<Found | null> {
    for (const authenticator of this.#authenticators) {
      const found = await authenticator(token);
      if (found) return found;
    }
    return null;
  }

  #remember(token: string, found: Found): void {
    if (this.#known.size >= MAX_CACHED) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(token, found);
  }

  async #catchUp(): Promise<void> {
    const from = this.#epoch;
    const { epoch, changes } = await this.#db.lookingAcross(
      'credentials of every business are remembered',
      async (tx) => {
        // In this order: a change that commits in between is read, and found again the next time.
        const row = await tx.one<{ value: number }>(sql`SELECT value FROM access_epoch`);
        const rows =
          from < 0
            ? []
            : await tx.rows<{ epoch: number; subject: string }>(
                sql`SELECT epoch, subject FROM access_change WHERE epoch > ${from} AND epoch <= ${row!.value}`,
              );
        return { epoch: row!.value, changes: rows };
      },
    );
    // Fewer changes than epochs: some have been swept since. An epoch that went back belongs to another, restored
    // database.
    if (from >= 0 && changes.length !== epoch - from) this.#known.clear();
    const subjects = new Set(changes.map((c) => c.subject));
    for (const [token, found] of this.#known)
      if (found.subjects.some((s) => subjects.has(s))) this.#known.delete(token);
    this.#epoch = epoch;
  }
}
