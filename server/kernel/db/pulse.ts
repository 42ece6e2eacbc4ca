/**
 * Asks the database whether it answers, on a connection of its own: a pool that is busy is no reason to take a process out of
 * service. Callers who ask at once share one question.
 */
import pg from 'pg';

/** Whoever does not answer within this time, ms, is taken to be away. */
const PATIENCE_MS = 2000;

export class Pulse {
  readonly #url: string;
  #client: pg.Client | null = null;
  #asking?: Promise<void>;

  constructor(url: string) {
    this.#url = url;
  }

  /** Resolves when the database has answered. */
  ask(): Promise<void> {
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  async close(): Promise<void> {
    await this.#asking?.catch(() => {});
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }

  async #ask(): Promise<void> {
    const client = this.#client ?? new pg.Client({ connectionString: this.#url, keepAlive: true, connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS });
    const fresh = this.#client === null;
    const drop = (): void => {
      if (this.#client === client) this.#client = null;
      client.end().catch(() => {});
    };
    try {
      if (fresh) {
        client.on('error', drop);
        await client.connect();
        this.#client = client;
      }
      await client.query('SELECT 1');
    } catch (error) {
      drop();
      // One that the database has ended meanwhile says nothing of the database.
      if (!fresh) return this.#ask();
      throw error;
    }
  }
}
