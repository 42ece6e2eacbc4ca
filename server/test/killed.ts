/**
 * Kills processes in the middle of what they do. An area brings a table, whose rows say what is held, who waits for it, and
 * what must be true afterwards.
 */
import assert from 'node:assert/strict';
import type pg from 'pg';
import { install, serve, type Installed, type Served } from './durable.ts';
import { inTurns } from './rare.ts';
import { serveHere, type ServedHere } from './serve-here.ts';
import { beside, until } from './storm.ts';

/** One moment at which a process is killed: it waits for something that a transaction of ours holds. */
export interface Moment {
  /** what has to be done before */
  readonly before?: () => Promise<unknown>;
  /** a statement that takes what the process will wait for */
  readonly held: string;
  readonly values?: readonly unknown[];
  /** the process that will be killed; starts after the above is held, unless it runs already */
  readonly victim: () => Promise<Served>;
  /** a request to that process that is under way: nobody is answered */
  readonly call?: (victim: Served) => Promise<unknown>;
  /** what must be true after the kill, while the above is still held */
  readonly meanwhile?: () => Promise<unknown>;
  /** what must be true once it no longer is */
  readonly afterwards?: () => Promise<unknown>;
}

/** Stops whatever writes to this table. */
export const lockOf = (table: string): string => `LOCK TABLE ${table} IN EXCLUSIVE MODE`;

/** An installation with processes of the service that tests start and kill, and an owner's connection that looks on. */
export class KillableInstallation {
  readonly here: Installed;
  readonly eye: pg.Client;
  readonly #running: Served[] = [];
  readonly #alongside: ServedHere[] = [];

  private constructor(here: Installed, eye: pg.Client) {
    this.here = here;
    this.eye = eye;
  }

  static async install(): Promise<KillableInstallation> {
    const here = await install();
    return new KillableInstallation(here, await beside(here.url));
  }

  /** A process of its own, which may be killed. */
  async start(role: string, env: Record<string, string> = {}): Promise<Served> {
    const served = await serve(this.here.url, { ROLE: role, ...env });
    this.#running.push(served);
    return served;
  }

  /** One in this process, which lives on: it shares nothing with those that are killed but the database. */
  async alongside(role: string, env: Record<string, string> = {}): Promise<ServedHere> {
    const served = await serveHere(this.here.url, { ROLE: role, ...env });
    this.#alongside.push(served);
    return served;
  }

  /** A request with the token of the business. With a key, a caller who got no answer asks again. */
  async ask(
    { url }: { readonly url: string },
    method: string,
    path: string,
    { body, key }: { body?: object; key?: string } = {},
  ): Promise<{ status: number; body: any }> {
    const answer = await fetch(`${url}/api/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.here.token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : null };
  }

  /** What was made. */
  async make(at: { readonly url: string }, path: string, body: object): Promise<any> {
    const made = await this.ask(at, 'POST', path, { body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body;
  }

  /** Rows of a table, or of what follows FROM. */
  async count(from: string, values: unknown[] = []): Promise<number> {
    return Number((await this.eye.query(`SELECT count(*) AS n FROM ${from}`, values)).rows[0].n);
  }

  /** How many rows each of these has. */
  async counts(froms: readonly string[]): Promise<Record<string, number>> {
    const counted: Record<string, number> = {};
    for (const from of froms) counted[from] = await this.count(from);
    return counted;
  }

  /** Kills a process at this moment, with SIGKILL. */
  async kill({ before, held, values = [], victim, call, meanwhile, afterwards }: Moment): Promise<void> {
    await before?.();
    const holder = await beside(this.here.url);
    try {
      const {
        rows: [{ pid }],
      } = await holder.query('SELECT pg_backend_pid() AS pid');
      await holder.query('BEGIN');
      await holder.query(held, [...values]);
      const doomed = await victim();
      const lost = call?.(doomed).then(
        () => false,
        () => true,
      );
      const waiting = await until(`somebody waits for what is held by ${held}`, async () => {
        const { rows } = await this.eye.query<{ pid: number }>(
          'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))',
          [pid],
        );
        return rows.length > 0 && rows.map((row) => row.pid);
      });
      await doomed.end('SIGKILL');
      if (lost) assert.ok(await lost, 'nobody was answered');
      await meanwhile?.();
      await holder.query('COMMIT');
      // PostgreSQL ends what the killed process had under way once it finds the connection closed.
      await until(
        'what was killed holds nothing any more',
        async () =>
          (await this.count('pg_stat_activity WHERE pid = ANY ($1) AND xact_start IS NOT NULL', [waiting])) === 0,
      );
    } finally {
      await holder.end();
    }
    await afterwards?.();
  }

  /** Kills a process at one of these moments, which changes from change to change; at each of them in `npm run test:all`. */
  async killAtEach<T>(rows: readonly T[], moment: (row: T, n: number) => Moment): Promise<number> {
    const due = inTurns(rows, rows.length);
    for (const [n, row] of due.entries()) await this.kill(moment(row, n));
    return due.length;
  }

  async remove(): Promise<void> {
    for (const { process } of this.#running)
      if (process.exitCode === null && process.signalCode === null) process.kill('SIGKILL');
    await Promise.all(this.#alongside.map((served) => served.close()));
    await this.eye.end();
    await this.here.remove();
  }
}
