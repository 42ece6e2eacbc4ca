/**
 * The audit of the rows that tests leave. Planning its statement costs PostgreSQL far more than running it on the few
 * rows of a world, so a connection prepares it once, and the worlds of the shared service use one connection.
 */
import { hash } from 'node:crypto';
import { checkInvariants } from '../areas/reporting/report-checks/index.ts';
import { connectTo } from '../kernel/base/db/connections/connect.ts';
import type { Connection } from '../kernel/base/db/connections/connection.ts';
import type { Transaction } from '../kernel/base/db/database.ts';
import { fill, statement, type Sql } from '../kernel/base/db/sql.ts';
import { atEnd } from './ending.ts';

/** After this many audits, the statement is planned anew, because tables have grown. */
const AUDITS_PER_PLAN = 20;

export class Auditor {
  readonly #connection: Connection;
  #audits = 0;
  #lost = false;

  private constructor(connection: Connection) {
    this.#connection = connection;
    for (const event of ['end', 'error'] as const) connection.on(event, () => (this.#lost = true));
  }

  /** Connects as the owner of the database. */
  static async of(databaseUrl: string): Promise<Auditor> {
    return new Auditor(await connectTo(databaseUrl));
  }

  /** Returns the rows of a business that break an invariant, in words. */
  broken(providerId: number): Promise<string[]> {
    this.#audits++;
    const rows = async (fragment: Sql) => {
      const { text, holes } = statement(fragment);
      const name = `audit ${hash('sha1', text)}`;
      return (await this.#connection.query({ name, text, values: fill(holes, undefined) })).rows;
    };
    return checkInvariants({ rows } as Pick<Transaction, 'rows'>, providerId);
  }

  /** False if the connection is lost, or if the plan of its statement is old. */
  get usable(): boolean {
    return !this.#lost && this.#audits < AUDITS_PER_PLAN;
  }

  async end(): Promise<void> {
    if (!this.#lost) await this.#connection.end();
  }
}

let shared: Auditor | undefined;

/** Returns the auditor of the service that the files of this process share; it ends after the last of them. */
export async function sharedAuditor(databaseUrl: string): Promise<Auditor> {
  if (shared?.usable) return shared;
  if (shared) await shared.end();
  else atEnd(async () => shared?.end());
  return (shared = await Auditor.of(databaseUrl));
}
