/**
 * Several prepared statements sent in one write and ended by one Sync. Without an explicit BEGIN, PostgreSQL runs what
 * stands before a Sync as one transaction: so "set the tenant, read" is one round trip, and the tenant ends with it.
 * Plugs into node-postgres as a query object, the way its cursors do.
 */
import { serialize } from 'pg-protocol';
import type { Statement, Column } from './sql.ts';

export interface Command {
  readonly statement: Statement;
  readonly values: (string | null)[];
}

export interface Answer {
  /** every value as the server's text */
  readonly rows: (string | null)[][];
  /** rows touched, of the command tag */
  readonly count: number;
  /** what the server says it did: `INSERT 0 1`, `COMMIT`; a COMMIT of a failed transaction says `ROLLBACK` */
  readonly tag: string;
}

/** Prepared statements that a connection keeps; beyond it the oldest is closed, so shapes chosen by callers cannot pile up. */
const KEPT_PREPARED = 400;

interface Prepared {
  readonly names: Set<string>;
  /** names whose fate an error left open; closed before they are parsed again */
  readonly doubtful: Set<string>;
}

const preparedOn = new WeakMap<object, Prepared>();

const SYNC = serialize.sync();

export class Batch {
  readonly #commands: readonly Command[];
  readonly #resolve: (answers: Answer[]) => void;
  readonly #reject: (error: unknown) => void;
  readonly #answers: Answer[] = [];
  #fresh: boolean[] = [];
  #prepared!: Prepared;
  #rows: (string | null)[][] = [];
  /** node-postgres looks for these on what it runs */
  callback = () => {};
  name = undefined;

  constructor(commands: readonly Command[], resolve: (answers: Answer[]) => void, reject: (error: unknown) => void) {
    this.#commands = commands;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: { stream: { write(buffer: Uint8Array): void } }): Error | null {
    let prepared = preparedOn.get(connection);
    if (!prepared) preparedOn.set(connection, (prepared = { names: new Set(), doubtful: new Set() }));
    this.#prepared = prepared;
    const buffers: Buffer[] = [];
    for (const { statement, values } of this.#commands) {
      const fresh = !prepared.names.has(statement.name);
      this.#fresh.push(fresh);
      if (fresh) {
        if (prepared.doubtful.delete(statement.name)) buffers.push(serialize.close({ type: 'S', name: statement.name }));
        this.#forgetOldest(prepared, buffers);
        buffers.push(serialize.parse({ name: statement.name, text: statement.text, types: [] }));
        // marked already now: the same statement may stand twice in one batch
        prepared.names.add(statement.name);
      }
      if (statement.columns === null) buffers.push(serialize.describe({ type: 'S', name: statement.name }));
      buffers.push(serialize.bind({ statement: statement.name, values }), serialize.execute({}));
    }
    buffers.push(SYNC);
    connection.stream.write(Buffer.concat(buffers));
    return null;
  }

  #forgetOldest(prepared: Prepared, buffers: Buffer[]): void {
    if (prepared.names.size < KEPT_PREPARED) return;
    const inUse = new Set(this.#commands.map((c) => c.statement.name));
    for (const name of prepared.names) {
      if (inUse.has(name)) continue;
      prepared.names.delete(name);
      buffers.push(serialize.close({ type: 'S', name }));
      return;
    }
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    const columns: Column[] = message.fields.map((f) => ({ name: f.name, type: f.dataTypeID }));
    this.#commands[this.#answers.length].statement.columns = columns;
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.#rows.push(message.fields);
  }

  handleCommandComplete(message: { text: string }): void {
    const { statement } = this.#commands[this.#answers.length];
    statement.columns ??= [];
    const count = Number(message.text.slice(message.text.lastIndexOf(' ') + 1));
    this.#answers.push({ rows: this.#rows, count: Number.isNaN(count) ? 0 : count, tag: message.text });
    this.#rows = [];
  }

  handleError(error: unknown): void {
    // The server skipped everything after the failed command; of that one we cannot know whether Parse went well.
    for (let i = this.#answers.length; i < this.#commands.length; i++) {
      if (!this.#fresh[i]) continue;
      const { name } = this.#commands[i].statement;
      this.#prepared?.names.delete(name);
      this.#prepared?.doubtful.add(name);
    }
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#answers);
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}
