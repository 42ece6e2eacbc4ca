/**
 * Several prepared statements sent in one write and ended by one Sync. Without an explicit BEGIN, PostgreSQL runs
 * everything before a Sync as one transaction: so "set the tenant, read" is one round trip, and the tenant ends with
 * it. Plugs into node-postgres as a query object, as its cursors do. The driver's `pipeline` option ends each statement
 * with a Sync, and reads half as much in the same time: see docs/adr/0003-node-postgres-with-batches.md.
 */
import { serialize } from 'pg-protocol';
import { LARGE_TEXT, type Statement, type Column } from '../sql.ts';

export interface Command {
  readonly statement: Statement;
  readonly values: (string | null)[];
}

export interface Answer {
  /** every value as text from the server */
  readonly rows: (string | null)[][];
  /** affected rows, from the command tag */
  readonly count: number;
  /** the server's command tag: `INSERT 0 1`, `COMMIT`; a COMMIT of a failed transaction returns `ROLLBACK` */
  readonly tag: string;
}

/** Sends commands for one business: a plain read, or an open transaction. */
export type Send = (commands: readonly Command[]) => Promise<Answer[]>;

/**
 * Error codes of a prepared statement whose table has changed its columns since, or that the server has forgotten. It
 * is prepared again for the next batch, so that a retry succeeds.
 */
export const OUTDATED: ReadonlySet<string> = new Set(['0A000', '26000']);

/**
 * Limits on a connection's prepared statements, in number and in letters of their texts, because each letter takes some
 * twenty bytes in the database. Beyond them the oldest are closed, so that shapes chosen by callers cannot pile up.
 */
const MAX_PREPARED = 400;
const MAX_CACHED_LETTERS = 1_000_000;

const MAX_LARGE_SEEN = 1000;
/** large statements that this process has sent once */
const largeSeen = new Set<string>();

/** Returns true for a large and rare statement, which is prepared for one use only. */
function isPassing({ name, text }: Statement): boolean {
  if (text.length <= LARGE_TEXT || largeSeen.has(name)) return false;
  if (largeSeen.size >= MAX_LARGE_SEEN) largeSeen.delete(largeSeen.values().next().value!);
  largeSeen.add(name);
  return true;
}

interface Prepared {
  /** names with the number of letters; the oldest first */
  readonly names: Map<string, number>;
  letters: number;
  /** names whose state is unknown after an error; closed with the next batch */
  readonly doubtful: Set<string>;
}

const preparedOn = new WeakMap<object, Prepared>();

const SYNC = serialize.sync();

export class Batch {
  readonly #commands: readonly Command[];
  readonly #resolve: (answers: Answer[]) => void;
  readonly #reject: (error: unknown) => void;
  readonly #answers: Answer[] = [];
  readonly #fresh: boolean[] = [];
  /** name of each on the server; empty for a statement that is not kept */
  readonly #names: string[] = [];
  #prepared!: Prepared;
  #rows: (string | null)[][] = [];
  /** node-postgres expects these properties on a query */
  callback = () => {};
  name = undefined;

  constructor(commands: readonly Command[], resolve: (answers: Answer[]) => void, reject: (error: unknown) => void) {
    this.#commands = commands;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: { stream: { write(buffer: Uint8Array): void } }): Error | null {
    let prepared = preparedOn.get(connection);
    if (!prepared) preparedOn.set(connection, (prepared = { names: new Map(), letters: 0, doubtful: new Set() }));
    this.#prepared = prepared;
    for (const { statement } of this.#commands) {
      const { name, text } = statement;
      const known = prepared.names.has(name);
      const passing = !known && isPassing(statement);
      this.#fresh.push(!known);
      this.#names.push(passing ? '' : name);
      if (known || passing) continue;
      // Marked here already, because the same statement can appear twice in one batch.
      prepared.names.set(name, text.length);
      prepared.letters += text.length;
    }
    const buffers = this.#makeRoom(prepared).map((name) => serialize.close({ type: 'S', name }));
    this.#commands.forEach(({ statement, values }, i) => {
      const name = this.#names[i];
      if (this.#fresh[i]) buffers.push(serialize.parse({ name, text: statement.text, types: [] }));
      // Described at every Parse: the table may have changed since another connection learned the columns.
      if (this.#fresh[i] || statement.columns === null) buffers.push(serialize.describe({ type: 'S', name }));
      buffers.push(serialize.bind({ statement: name, values }), serialize.execute({}));
    });
    buffers.push(SYNC);
    connection.stream.write(Buffer.concat(buffers));
    return null;
  }

  /**
   * Returns the names to close. They come before everything that can fail, so they are closed for certain, whatever
   * follows.
   */
  #makeRoom(prepared: Prepared): string[] {
    const { names, doubtful } = prepared;
    const closed = [...doubtful];
    doubtful.clear();
    if (names.size <= MAX_PREPARED && prepared.letters <= MAX_CACHED_LETTERS) return closed;
    const inUse = new Set(this.#names);
    for (const [name, letters] of names) {
      if (names.size <= MAX_PREPARED && prepared.letters <= MAX_CACHED_LETTERS) break;
      if (inUse.has(name)) continue;
      names.delete(name);
      prepared.letters -= letters;
      closed.push(name);
    }
    return closed;
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
    // The server skipped everything after the failed command; whether Parse succeeded for that one is unknown.
    for (let i = this.#answers.length; i < this.#commands.length; i++) if (this.#fresh[i]) this.#doubt(this.#names[i]);
    // If one statement is outdated, others of the same table will be too.
    if (OUTDATED.has((error as { code?: string }).code ?? ''))
      for (const name of this.#prepared.names.keys()) this.#doubt(name);
    this.#reject(error);
  }

  #doubt(name: string): void {
    // Unnamed statements are prepared each time anyway.
    if (!this.#prepared || name === '') return;
    this.#prepared.letters -= this.#prepared.names.get(name) ?? 0;
    this.#prepared.names.delete(name);
    this.#prepared.doubtful.add(name);
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#answers);
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}
