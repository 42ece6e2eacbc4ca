/** Follows the business at the other end: its changes are written to the copy as they come, each once. */
import { randomUUID } from 'node:crypto';
import { Applier, type Named } from './apply.ts';
import { isMark, LogReader, mark } from './log.ts';
import { lsnText, type End } from './ends.ts';
import type { Change } from './pgoutput.ts';
import type { MovedTable } from './tables.ts';

/** Silence of the other side for this long is an error, in milliseconds. */
const SILENT_MS = 60_000;

/** Changes that are committed together, unless one transaction has more. */
const MAX_ROWS = 5000;

interface Following {
  readonly from: End;
  readonly to: End;
  readonly tables: readonly MovedTable[];
  /** log position of the copy */
  readonly reached: bigint;
  readonly named: Named;
}

export class Follower {
  readonly #log: LogReader;
  readonly #o: Following;
  #reached: bigint;

  private constructor(log: LogReader, following: Following) {
    this.#log = log;
    this.#o = following;
    this.#reached = following.reached;
  }

  static async open(url: string, name: string, following: Following): Promise<Follower> {
    return new Follower(await LogReader.open(url, name), following);
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  /** Waits until the copy has everything that was committed before this call. Resolves to the number of changes. */
  async catchUp(): Promise<number> {
    const until = randomUUID();
    await mark(this.#o.from, until);
    let changes = 0;
    for (let seen = false; !seen;) {
      const portion = await this.#write(until);
      changes += portion.changes;
      seen = portion.seen;
      this.#log.confirm(this.#reached);
    }
    return changes;
  }

  /** Writes the received changes in one transaction, with the position that they reach. */
  #write(until: string): Promise<{ seen: boolean; changes: number }> {
    const { to, tables, named } = this.#o;
    return to.stored(async (client) => {
      const applier = new Applier(client, tables, to.business, named);
      let [seen, changes] = [false, 0];
      let reached = this.#reached;
      let open = false;
      let known = false;
      // A transaction is never split. Many together are written much faster than each separately.
      do {
        for (const change of await this.#next()) {
          if (change.kind === 'begin') {
            open = true;
            // Changes that were written before the command was killed come again, because the slot was not notified.
            known = change.at < this.#reached;
          } else if (change.kind === 'commit') {
            open = false;
            if (!known) reached = change.end;
          } else if (change.kind === 'message') seen ||= isMark(change, until);
          else if (!known) {
            changes++;
            await applier.add(change);
          }
        }
      } while (open || (!seen && changes < MAX_ROWS));
      await applier.flush();
      await client.query('RESET ROLE');
      await client.query('UPDATE public.cell_move SET reached = $2 WHERE provider_id = $1', [
        to.business,
        lsnText(reached),
      ]);
      this.#reached = reached;
      return { seen, changes };
    });
  }

  async #next(): Promise<readonly Change[]> {
    const changes = await this.#log.next(SILENT_MS);
    if (changes.length === 0)
      throw new Error('The log of the other database is silent. Remedy: run the command again.');
    return changes;
  }
}
