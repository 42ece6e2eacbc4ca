/**
 * Where businesses live, in the memory of this process: names of requests, each with its cell. What this cell says of its
 * own is read from its database; the others are asked each second, and at once where something unknown is asked for. Only
 * the cell where a business lives knows for certain: what is remembered here may be a moment old.
 */
import { attentive, type Patience } from '../../kernel/base/db/patience.ts';
import { connectTo } from '../../kernel/base/db/connect.ts';
import { DIRECTORY, namesSince, type Told } from './told.ts';
import { Source } from './source.ts';
import type { Connection } from '../../kernel/base/db/connection.ts';
import type { Database } from '../../kernel/base/db/database.ts';
import type { CellNetwork } from './network.ts';

export interface DirectoryOptions {
  readonly ring: CellNetwork;
  readonly db: Database;
  /** of the owner of the database, for a connection that listens */
  readonly url: string;
  readonly log: { warn(o: object, m: string): void };
  readonly patience?: Patience;
}

const ASK_EVERY_MS = 1000;
const CONNECT_AGAIN_MS = 1000;
/** A process that begins waits so long for the other cells. */
const FIRST_WITHIN_MS = 1500;
/** What this process remembers of a business of this cell that is about to leave. */
const LEAVING = -1;
/** Told by `cell_business_changed` in db/migrations. */
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
      (told, isWhole) => {
        if (takeOwn(this.#own, this.#others, told, isWhole)) this.#movedAt = performance.now();
      },
    );
    const others = ring.others.map(
      (cell) =>
        new Source(
          cell,
          (asked) => ring.ask<Told>(cell, DIRECTORY, asked),
          (told, isWhole) => takeFrom(this.#others, cell, told, isWhole),
        ),
    );
    this.#sources = [this.#home, ...others];
  }

  /** The cell where the business of this name lives; null: no cell has told of it. */
  cellOf(name: string): number | null {
    const here = this.#own.get(name);
    // Of a business that has left, the cell where it lives knows more.
    if (here === LEAVING) return this.#o.ring.own;
    return here === this.#o.ring.own ? here : (this.#others.get(name) ?? here ?? null);
  }

  /** Whether this cell knows by itself that the business of this name lives in another one. */
  hasLeft(name: string): boolean {
    const here = this.#own.get(name);
    return here !== undefined && here !== this.#o.ring.own && here !== LEAVING;
  }

  /** Whether the business of this name lives here and is about to leave, so that nothing of it can be looked up. */
  isLeaving(name: string): boolean {
    return this.#own.get(name) === LEAVING;
  }

  /** Whether this cell knows by itself that the business of this name lives here, and stays. */
  isLivingHere(name: string): boolean {
    return this.#own.get(name) === this.#o.ring.own;
  }

  /** Whether this cell has heard since then, by `performance.now()`, that a business is leaving, has left or has arrived. */
  hasMovedSince(at: number): boolean {
    return this.#movedAt > at;
  }

  /** Whether every cell has told what it has, so that what nobody told of is nowhere. */
  get isWhole(): boolean {
    return this.#sources.every(({ isHeard }) => isHeard);
  }

  /** Other cells that did not answer when they were asked last, with the reason. */
  get away(): readonly { readonly cell: number; readonly why: string }[] {
    return this.#sources
      .filter((source) => source !== this.#home && source.away !== null)
      .map(({ cell, away }) => ({ cell, why: away!.message }));
  }

  /** Asks all cells that can be asked, for what was made just now. */
  async hear(): Promise<void> {
    await Promise.all(this.#sources.filter(({ away }) => away === null).map((source) => source.hear()));
  }

  /** Asks this cell alone. */
  hearOwn(): Promise<void> {
    return this.#home.hear();
  }

  /** Begins. Resolves when all cells have told what they have, or after a moment. */
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

  /** That a business has come or gone is heard at once; whatever is missed, the next look finds. */
  async #listen(): Promise<void> {
    if (this.#closed) return;
    const again = () => void (this.#closed || setTimeout(() => void this.#listen(), CONNECT_AGAIN_MS).unref());
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
      // Of a connection that was made, `end` tells.
      if (!this.#listener) again();
    }
  }
}

/** Returns whether a business is somewhere else now than was known, or about to be. What is new is no move. */
function takeOwn(
  own: Map<string, number>,
  others: ReadonlyMap<string, number>,
  { names }: Told,
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
 * What a cell says of itself counts. Where it says that a business lives in another cell, that counts until the other one
 * says something itself.
 */
function takeFrom(others: Map<string, number>, from: number, { names }: Told, isWhole: boolean): void {
  if (isWhole) for (const [name, cell] of others) if (cell === from) others.delete(name);
  for (const [name, cell] of names) {
    const known = others.get(name);
    if (cell === from) others.set(name, cell);
    else if (known !== undefined && known !== from) continue;
    else if (cell === 0) others.delete(name);
    else others.set(name, cell);
  }
}
