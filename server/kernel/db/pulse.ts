/**
 * Asks the database whether it answers, on a connection of its own: a busy pool is no reason to take a process out of
 * service. Callers who ask at the same time share one question.
 */
import { connectTo } from './connect.ts';
import type { Connection } from './connection.ts';
import type { Patience } from './patience.ts';

/** A database that takes longer than this, ms, counts as away. */
const ANSWERS_WITHIN_MS = 3000;

export class Pulse {
  readonly #url: string;
  readonly #patience: Patience;
  #connection: Connection | null = null;
  #asking?: Promise<void>;

  constructor(url: string, patience: Patience) {
    this.#url = url;
    this.#patience = patience;
  }

  /** @throws Error when the database does not answer in time */
  ask(): Promise<void> {
    return (this.#asking ??= this.#inTime().finally(() => (this.#asking = undefined)));
  }

  close(): void {
    this.#connection?.abandon('The service ends');
    this.#connection = null;
  }

  async #inTime(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.close();
        reject(new Error('the database did not answer in time'));
      }, ANSWERS_WITHIN_MS);
    });
    const answered = this.#ask();
    // What comes after its time is nobody's to hear of.
    answered.catch(() => {});
    await Promise.race([answered, late]).finally(() => clearTimeout(timer));
  }

  async #ask(): Promise<void> {
    const known = this.#connection;
    try {
      const connection = known ?? (this.#connection = await connectTo(this.#url, this.#patience));
      await connection.query('SELECT 1');
    } catch (error) {
      this.#connection?.abandon('The connection was lost');
      this.#connection = null;
      // A connection that the database has ended meanwhile says nothing about the database.
      if (known) return this.#ask();
      throw error;
    }
  }
}
