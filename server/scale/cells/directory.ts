/**
 * Directory of businesses in the memory of this process: names in requests, each with its cell. This cell's own names
 * are read from its database; the other cells are asked each second, and immediately for an unknown name. Only the cell
 * of a business has reliable information: this cache may be a moment old.
 */
import { attentive, type Patience } from '../../kernel/base/db/connections/patience.ts';
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { DIRECTORY, namesSince, type NameReport } from './name-report.ts';
import { Source } from './source.ts';
import type { Connection } from '../../kernel/base/db/connections/connection.ts';
import type { Database } from '../../kernel/base/db/database.ts';
import type { CellNetwork } from './network.ts';

interface DirectoryOptions {
  readonly ring: CellNetwork;
  readonly db: Database;
  /** connection string of the owner of the database, for a connection that listens */
  readonly url: string;
  readonly log: { warn(o: object, m: string): void };
  readonly patience?: Patience;
}

const ASK_EVERY_MS = 1000;
const RECONNECT_MS = 1000;
/** A process that starts waits this long for the other cells, in milliseconds. */
const FIRST_WITHIN_MS = 1500;
/** Marks a business of this cell that is about to leave. */
const LEAVING = -1;
/** Notified by `cell_business_changed` in db/migrations. */
const CHANNEL = 'cell_business';

export class Directory {
  readonly #o: DirectoryOptions;
  readonly #own = new Map<string, number>();
  readonly #others = new Map<string, number>();
  readonly #sources: readonly Source[];
  readonly #home: Source;
  #movedAt = -Infinity;
  #timer?: NodeJS.Timeout;
  #listener?: Connection;
  #closed = false;

  constructor(options: DirectoryOptions) {
    const { ring, db } = options;
    this.#o = options;
    this.#home = new Source(
      ring.own,
      (asked) => namesSince(db, ring.own, asked, LEAVING),
      (report, isWhole) => {
        if (takeOwn(this.#own, this.#others, report, isWhole)) this.#movedAt = performance.now();
      },
    );
    const others = ring.others.map(
      (cell) =>
        new Source(
          cell,
          (asked) => ring.ask<NameReport>(cell, DIRECTORY, asked),
          (report, isWhole) => takeFrom(this.#others, cell, report, isWhole),
        ),
    );
    this.#sources = [this.#home, ...others];
  }

  /** Returns the cell of the business with this name; null: no cell has reported it. */
  cellOf(name: string): number | null {
    const here = this.#own.get(name);
    // After a business has left, its new cell knows more.
    if (here === LEAVING) return this.#o.ring.own;
    return here === this.#o.ring.own ? here : (this.#others.get(name) ?? here ?? null);
  }

  /** Returns true if this cell's own data says that the business with this name lives in another one. */
  hasLeft(name: string): boolean {
    const here = this.#own.get(name);
    return here !== undefined && here !== this.#o.ring.own && here !== LEAVING;
  }

  /**
   * Returns true if the business with this name lives here and is about to leave, so that nothing of it can be looked
   * up.
   */
  isLeaving(name: string): boolean {
    return this.#own.get(name) === LEAVING;
  }

  /** Returns true if this cell's own data says that the business with this name lives here, and stays. */
  isLivingHere(name: string): boolean {
    return this.#own.get(name) === this.#o.ring.own;
  }

  /**
   * Returns true if this cell has been notified since that time, by `performance.now()`, that a business is leaving,
   * has left or has arrived.
   */
  hasMovedSince(at: number): boolean {
    return this.#movedAt > at;
  }

  /** True if every cell has reported its names, so that an unreported name does not exist. */
  get isWhole(): boolean {
    return this.#sources.every(({ isHeard }) => isHeard);
  }

  /** Other cells that did not respond to the last request, with the reason. */
  get away(): readonly { readonly cell: number; readonly why: string }[] {
    return this.#sources
      .filter((source) => source !== this.#home && source.away !== null)
      .map(({ cell, away }) => ({ cell, why: away!.message }));
  }

  /** Asks all available cells for names that were created just now. */
  async hear(): Promise<void> {
    await Promise.all(this.#sources.filter(({ away }) => away === null).map((source) => source.hear()));
  }

  /** Asks only this cell. */
  hearOwn(): Promise<void> {
    return this.#home.hear();
  }

  /** Starts. Resolves when all cells have reported their names, or after a short wait. */
  async start(): Promise<void> {
    void this.#listen();
    this.#timer = setInterval(() => {
      for (const source of this.#sources) void source.hear();
    }, ASK_EVERY_MS).unref();
    let late: NodeJS.Timeout | undefined;
    await Promise.race([
      Promise.all(this.#sources.map((source) => source.hear())),
      new Promise((resolve) => (late = setTimeout(resolve, FIRST_WITHIN_MS))),
    ]);
    clearTimeout(late);
    if (this.away.length > 0) this.#o.log.warn({ away: this.away }, 'not all cells answer');
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#listener?.abandon('The service ends');
  }

  /** Listens for businesses that come or go; the next poll finds missed notifications. */
  async #listen(): Promise<void> {
    if (this.#closed) return;
    const again = () => void (this.#closed || setTimeout(() => void this.#listen(), RECONNECT_MS).unref());
    try {
      const client = await connectTo(this.#o.url, attentive(this.#o.patience));
      this.#listener = client;
      client.on('end', () => {
        this.#listener = undefined;
        again();
      });
      client.on('notification', () => void this.#home.hear());
      await client.query(`LISTEN ${CHANNEL}`);
      if (this.#closed) client.abandon('The service ends');
    } catch {
      // After a connection was established, `end` reports its loss.
      if (!this.#listener) again();
    }
  }
}

/** Returns true if a business has moved elsewhere since the last report, or is about to. A new business is no move. */
function takeOwn(
  own: Map<string, number>,
  others: ReadonlyMap<string, number>,
  { names }: NameReport,
  isWhole: boolean,
): boolean {
  const before = isWhole ? new Map(own) : own;
  if (isWhole) own.clear();
  let hasMoved = false;
  for (const [name, cell] of names) {
    const was = before.get(name);
    hasMoved ||= cell !== 0 && (was === undefined ? others.has(name) : was !== cell);
    if (cell === 0) own.delete(name);
    else own.set(name, cell);
  }
  return hasMoved;
}

/**
 * Takes over a cell's report of its own businesses. If it says that a business lives in another cell, that counts until
 * the other one reports it itself.
 */
function takeFrom(others: Map<string, number>, from: number, { names }: NameReport, isWhole: boolean): void {
  if (isWhole) for (const [name, cell] of others) if (cell === from) others.delete(name);
  for (const [name, cell] of names) {
    const known = others.get(name);
    if (cell === from) others.set(name, cell);
    else if (known !== undefined && known !== from) continue;
    else if (cell === 0) others.delete(name);
    else others.set(name, cell);
  }
}
