/**
 * Kills processes in the middle of their work. An area provides a table whose rows say what is locked, which process
 * waits for it, and what must be true afterwards.
 */
import assert from 'node:assert/strict';
import type pg from 'pg';
import { install, serve, type Installed, type Served } from './durable.ts';
import { inTurns } from '../rare.ts';
import { serveHere, type ServedHere } from './serve-here.ts';
import { beside, until } from '../storm.ts';

/** A point at which a process is killed: while it waits for something that a transaction of ours locks. */
export interface Moment {
  /** preparation before the lock is taken */
  readonly before?: () => Promise<unknown>;
  /** statement that takes the lock that the process will wait for */
  readonly held: string;
  readonly values?: readonly unknown[];
  /** the process to kill; started after the lock is taken, unless it is already running */
  readonly victim: () => Promise<Served>;
  /** a request to that process in progress; it gets no response */
  readonly call?: (victim: Served) => Promise<unknown>;
  /** checks after the kill, while the lock is still held */
  readonly meanwhile?: () => Promise<unknown>;
  /** checks after the lock is released */
  readonly afterwards?: () => Promise<unknown>;
}

/** Blocks all writes to this table. */
export const lockTable = (table: string): string => `LOCK TABLE ${table} IN EXCLUSIVE MODE`;

/** An installation with processes of the service that tests start and kill, and an owner's connection for observing. */
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

  /** Starts the service in its own process, which may be killed. */
  async start(role: string, env: Record<string, string> = {}): Promise<Served> {
    const served = await serve(this.here.url, { ROLE: role, ...env });
    this.#running.push(served);
    return served;
  }

  /** Starts the service in this process, where it survives: it shares only the database with those that are killed. */
  async alongside(role: string, env: Record<string, string> = {}): Promise<ServedHere> {
    const served = await serveHere(this.here.url, { ROLE: role, ...env });
    this.#alongside.push(served);
    return served;
  }

  /** Sends a request with the token of the business. With an idempotency key, a caller without a response retries. */
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

  /** Creates an object and returns it. */
  async make(at: { readonly url: string }, path: string, body: object): Promise<any> {
    const made = await this.ask(at, 'POST', path, { body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body;
  }

  /** Counts the rows of a table, or of any FROM clause. */
  async count(from: string, values: unknown[] = []): Promise<number> {
    return Number((await this.eye.query(`SELECT count(*) AS n FROM ${from}`, values)).rows[0].n);
  }

  /** Counts the rows of each of these. */
  async counts(froms: readonly string[]): Promise<Record<string, number>> {
    const counted: Record<string, number> = {};
    for (const from of froms) counted[from] = await this.count(from);
    return counted;
  }

  /** Kills a process with SIGKILL at this moment. */
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
      // PostgreSQL ends the transactions of the killed process once it notices the closed connection.
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

  /**
   * Kills a process at one of these moments, which varies from change to change; in `npm run test:all`, at each of
   * them.
   */
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
