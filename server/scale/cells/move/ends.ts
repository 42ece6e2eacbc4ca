/** The two databases of a move, and the state of the business in each of them. */
import type pg from 'pg';
import { connectTo } from '../../../kernel/base/db/connections/connect.ts';
import type { Around } from './context.ts';
import { settle } from '../../../kernel/base/db/backups/backup-catalog.ts';
import type { Connection } from '../../../kernel/base/db/connections/connection.ts';

/** Application name by which an operator finds the sessions of a move. */
export const SESSION = 'rollcall move';
/** First number of the lock that one move of a business holds; the second is the business. */
const MOVE_LOCK = 771004;

/** The move can't begin or continue in the current state. `message` gives the reason and the remedy. */
export class MoveRefused extends Error {
  override name = 'MoveRefused';
}

interface State {
  /** from `cell_business`; null: no row, so a business that is here lives here */
  readonly state: 'arriving' | 'leaving' | 'left' | null;
  /** the cell in this row, or in the row of the move */
  readonly cell: number | null;
  /** rows of the business exist */
  readonly here: boolean;
  /** null: the position of its rows is unknown */
  readonly reached: bigint | null;
  readonly settles: boolean;
}

/** One of the two databases, with a session of the owner of its tables. */
export class End {
  readonly client: Connection;
  readonly business: number;
  readonly #names: Around['names'];

  private constructor(client: Connection, business: number, names: Around['names']) {
    this.client = client;
    this.business = business;
    this.#names = names;
  }

  static async open(url: string, { business, names }: Pick<Around, 'business' | 'names'>): Promise<End> {
    const client = await connectTo(url);
    try {
      await settle(client);
      // Roles see only what they may. A commit here must be on disk before it counts: the order of commits in two
      // databases prevents the business from being live twice.
      await client.query(
        `SET row_security = on; SET application_name = '${SESSION}'; SET synchronous_commit = on; SET lock_timeout = '10s'`,
      );
      return new End(client, business, names);
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** Locks the move. Returns false if another session is moving this business. The lock ends with the session. */
  async lock(): Promise<boolean> {
    const { rows } = await this.client.query('SELECT pg_try_advisory_lock($1, $2) AS locked', [
      MOVE_LOCK,
      this.business % 2 ** 31,
    ]);
    return rows[0].locked;
  }

  /** Returns the number of the database's cell; null: it has none yet. */
  async number(): Promise<number | null> {
    const { rows } = await this.client.query('SELECT number FROM public.cell');
    return rows[0]?.number ?? null;
  }

  async state(): Promise<State> {
    const { rows } = await this.client.query(
      `SELECT b.state, coalesce(b.cell, m.cell) AS cell, m.reached - '0/0'::pg_lsn AS reached,
        coalesce(m.settles, false) AS settles
       FROM (SELECT $1::bigint AS id) i LEFT JOIN public.cell_business b ON b.provider_id = i.id
         LEFT JOIN public.cell_move m ON m.provider_id = i.id`,
      [this.business],
    );
    const here = await this.within(async (client) => (await this.#names.of(client, this.business)) !== null);
    const { state, cell, reached, settles } = rows[0];
    return { state, cell, here, reached: reached === null ? null : BigInt(reached), settles };
  }

  /** Runs a transaction as the owner of the tables. */
  async transaction<T>(act: (client: pg.Client) => Promise<T>, begin = 'BEGIN'): Promise<T> {
    await this.client.query(begin);
    try {
      const result = await act(this.client);
      await this.client.query('COMMIT');
      return result;
    } catch (error) {
      // A lost connection keeps nothing either.
      await this.client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Runs a transaction as a request of this business: row-level security protects the rows of all others. */
  within<T>(act: (client: pg.Client) => Promise<T>, begin?: string): Promise<T> {
    return this.transaction(async (client) => {
      await client.query(AS_BUSINESS(this.business));
      return act(client);
    }, begin);
  }

  /**
   * Runs such a transaction for rows that are stored as they are: triggers have run at the other end, and references
   * are valid there.
   */
  stored<T>(act: (client: pg.Client) => Promise<T>): Promise<T> {
    return this.transaction(async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query(AS_BUSINESS(this.business));
      return act(client);
    });
  }

  /**
   * Sets the state of the business here, in a transaction that may do more; null: it lives here. All processes are
   * notified.
   */
  async become(
    state: { readonly state: 'arriving' | 'leaving' | 'left'; readonly cell: number } | null,
    more: (client: pg.Client) => Promise<void> = async () => undefined,
  ): Promise<void> {
    await this.transaction(async (client) => {
      await more(client);
      await client.query(
        state === null
          ? { text: 'DELETE FROM public.cell_business WHERE provider_id = $1', values: [this.business] }
          : {
              text: `INSERT INTO public.cell_business (provider_id, state, cell) VALUES ($1, $2, $3)
                     ON CONFLICT (provider_id) DO UPDATE SET state = excluded.state, cell = excluded.cell,
                       changed_at = now()`,
              values: [this.business, state.state, state.cell],
            },
      );
    });
  }
}

export const AS_BUSINESS = (business: number): string =>
  `SET LOCAL ROLE rollcall_app; SET LOCAL rollcall.provider_id = '${business}'`;

/** Returns a position of the log in PostgreSQL's notation. */
export const lsnText = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();
