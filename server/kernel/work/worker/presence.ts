/**
 * Shows that a runner is alive: a session lock with its name. The lock ends with its connection, however the process
 * ends, and a lost connection is replaced for as long as the runner lives.
 */
import { connectTo } from '../../base/db/connections/connect.ts';
import { attentive, type Patience } from '../../base/db/connections/patience.ts';
import type { Connection } from '../../base/db/connections/connection.ts';

/** The first number of the lock; the second is the hash of the runner's name. */
export const PRESENCE_LOCK = 771002;

interface PresenceOptions {
  readonly url: string;
  readonly patience: Patience;
  /** waits between two attempts to reconnect */
  readonly pause: () => Promise<void>;
  readonly log: { warn(o: object, m: string): void };
}

/** The presence of one runner. If it outlived the runner, the runner's jobs would stay locked. */
export class Presence {
  readonly #o: PresenceOptions;
  #connection?: Connection;
  #name?: string;
  #ended = false;

  private constructor(options: PresenceOptions) {
    this.#o = options;
  }

  /** Connects. Throws if the database cannot be reached. */
  static async begin(options: PresenceOptions): Promise<Presence> {
    const presence = new Presence(options);
    await presence.#connect();
    return presence;
  }

  /** Shows the runner of this name as alive from now on. */
  async show(name: string): Promise<void> {
    this.#name = name;
    await this.#announce();
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#connection?.end().catch(() => {});
  }

  /** Ends without a message to a database that may not respond. */
  abandon(): void {
    this.#ended = true;
    this.#connection?.abandon('The service ends');
  }

  async #connect(): Promise<void> {
    const connection = await connectTo(this.#o.url, attentive(this.#o.patience));
    // `end` was called in the meantime and didn’t see this connection.
    if (this.#ended) return void connection.end().catch(() => {});
    this.#connection = connection;
    try {
      await this.#announce();
    } catch (error) {
      connection.abandon('It could not show the worker alive');
      throw error;
    }
    // Only from here on: a connection that is lost earlier is replaced by the loop that called this.
    connection.on('end', () => void (this.#ended || this.#connectAgain()));
  }

  async #connectAgain(): Promise<void> {
    this.#o.log.warn({}, 'the connection that shows this worker alive was lost; connecting again');
    for (let isShown = false; !isShown && !this.#ended;) {
      isShown = await this.#connect().then(
        () => true,
        () => false,
      );
      // The database may still be starting.
      if (!isShown) await this.#o.pause();
    }
  }

  async #announce(): Promise<void> {
    if (this.#name !== undefined)
      await this.#connection?.query('SELECT pg_advisory_lock($1, hashtext($2))', [PRESENCE_LOCK, this.#name]);
  }
}
