/**
 * Moves a business to another cell while it is in use. Its rows are copied, and changes are replicated until both
 * copies are the same; then the business is closed for a moment, the last changes follow, and it is live in the other
 * cell. Each step can be repeated, so a move that was killed is run again, and continues from the last step. A business
 * is never live in two cells: it leaves one before it becomes live in the other, and is closed in between.
 */
import { acquireEnds, whereIs, type Ends } from './where.ts';
import { copyRows, passIds, removeRows, takenId } from './copy.ts';
import { enqueue, forgetFailed, takenOut, takeOut } from './jobs.ts';
import { takeFiles, takePeople, takeReaders } from './complete.ts';
import { fence, settle, settled } from './fence.ts';
import { Follower } from './follow.ts';
import { hasSlot, nameOf, publish, unpublish, withNewSlot } from './log.ts';
import { MoveRefused, type End } from './ends.ts';
import { movedTables, type MovedTable } from './tables.ts';
import { obstacles } from './check.ts';
import type { Around, Step } from './context.ts';
import type { Named } from './apply.ts';

/**
 * A copy with a smaller lag is handed over: the business is closed for this long, plus the time of the remaining steps.
 */
const NEAR_MS = 200;
/** Fewer changes than this count as near, however slow a server is. */
const FEW = 200;
/** A table is reported if it has at least this many rows. */
const WORTH_TELLING = 100_000;

interface Moved {
  /** false: a move that was stopped earlier had already done so */
  readonly moved: boolean;
  /**
   * how long nobody could work with the business, in milliseconds; null: it was closed by the command that was stopped
   */
  readonly awayMs: number | null;
}

/**
 * Moves a business.
 * @throws MoveRefused, after which the business is live where it was
 */
export async function moveBusiness(around: Around): Promise<Moved> {
  const ends = await acquireEnds(around);
  try {
    const place = await whereIs(around, ends);
    if (place === 'there') {
      await tidy(ends);
      return { moved: false, awayMs: null };
    }
    if (place === 'between') {
      await goLive(around, ends);
      await tidy(ends);
      return { moved: true, awayMs: null };
    }
    const tables = await movedTables(ends.from.client, around);
    const begun = place === 'begun';
    const against = await obstacles(around, ends, tables, begun);
    if (against.length > 0) throw new MoveRefused(against.join('\n'));
    // If the business was closed when the command was stopped, it reopens here in the meantime.
    if (begun) await reopen(ends.from);
    const awayMs = await new Move(around, ends, tables).run(begun);
    await tidy(ends);
    return { moved: true, awayMs };
  } finally {
    await ends.close();
  }
}

/**
 * Rolls back everything that the move began.
 * @throws MoveRefused if the business is already live in the other cell
 */
export async function cancelMove(around: Around): Promise<void> {
  const ends = await acquireEnds(around);
  try {
    const place = await whereIs(around, ends);
    if (place === 'there' || place === 'between')
      throw new MoveRefused(
        `Business ${around.business} has left this cell for cell ${around.cell}. Remedy: move it back from there.`,
      );
    if (place === 'begun') await reopen(ends.from);
    await undo(ends, await movedTables(ends.from.client, around));
  } finally {
    await ends.close();
  }
}

/** Deletes the rows that a moved business left behind. Resolves to their number. */
export async function confirmMove(around: Around): Promise<number> {
  const ends = await acquireEnds(around);
  try {
    if ((await whereIs(around, ends)) !== 'there')
      throw new MoveRefused(
        `Business ${around.business} does not live in cell ${around.cell} yet. Remedy: move it there first.`,
      );
    await tidy(ends);
    return await removeRows(ends.from, await movedTables(ends.from.client, around));
  } finally {
    await ends.close();
  }
}

/** Reopens the business where it was, with all of its work. */
async function reopen(from: End): Promise<void> {
  const jobs = await takenOut(from);
  await from.become(null, async (client) => {
    await enqueue(client, jobs);
    await client.query(`UPDATE public.cell_move SET settles = false, jobs = '[]' WHERE provider_id = $1`, [
      from.business,
    ]);
  });
}

const forget = ({ client, business }: End) =>
  client.query('DELETE FROM public.cell_move WHERE provider_id = $1', [business]);

async function undo({ from, to }: Ends, tables: readonly MovedTable[]): Promise<void> {
  await unpublish(from, await nameOf(from));
  if ((await to.state()).state === 'arriving') {
    await removeRows(to, tables);
    await to.become(null);
  }
  await forget(to);
  await forget(from);
}

/** Removes everything that served the move. The live business needs none of it. */
async function tidy({ from }: Ends): Promise<void> {
  await unpublish(from, await nameOf(from));
  await forgetFailed(from);
  await forget(from);
}

/** Makes the business live here: it has left the other cell, and all of its data is here. */
async function goLive({ after = async () => undefined }: Around, { from, to }: Ends): Promise<void> {
  const jobs = await takenOut(from);
  await to.become(null, async (client) => {
    await enqueue(client, jobs);
    // One epoch is skipped: a process that finds the gap drops all cached credentials.
    await client.query('UPDATE public.access_epoch SET value = value + 2');
    await client.query('DELETE FROM public.cell_move WHERE provider_id = $1', [to.business]);
  });
  await after('live');
}

class Move {
  readonly #o: Around;
  readonly #ends: Ends;
  readonly #tables: readonly MovedTable[];
  readonly #named: Named = { people: new Set(), folders: new Set() };

  constructor(around: Around, ends: Ends, tables: readonly MovedTable[]) {
    this.#o = around;
    this.#ends = ends;
    this.#tables = tables;
  }

  async #done(step: Step): Promise<void> {
    await this.#o.after?.(step);
  }

  /** Resolves to the time for which the business was closed, in milliseconds. */
  async run(begun: boolean): Promise<number> {
    const { from, to } = this.#ends;
    const name = await nameOf(from);
    let { reached } = await to.state();
    if (!begun || reached === null || !(await hasSlot(from, name))) reached = await this.#copy(name);
    else this.#o.say('The rows were copied before. What has changed since follows.');
    await this.#complete();
    const follower = await Follower.open(this.#o.from, name, {
      from,
      to,
      tables: this.#tables,
      reached,
      named: this.#named,
    });
    try {
      const closed = await this.#handOver(follower);
      await goLive(this.#o, this.#ends);
      return performance.now() - closed;
    } finally {
      await follower.close();
    }
  }

  async #copy(name: string): Promise<bigint> {
    const { from, to } = this.#ends;
    const { own, cell, say } = this.#o;
    await undo(this.#ends, this.#tables);
    for (const [end, other] of [
      [from, cell],
      [to, own],
    ] as const)
      await end.client.query('INSERT INTO public.cell_move (provider_id, cell) VALUES ($1, $2)', [end.business, other]);
    await to.become({ state: 'arriving', cell: own });
    await publish(
      from,
      name,
      this.#tables.map((table) => table.name),
    );
    await this.#done('begun');
    say('Waiting for transactions that write at this moment.');
    const began = performance.now();
    const copied = await withNewSlot(this.#o.from, name, async (slot) => ({
      ...(await copyRows(from, to, this.#tables, slot, (table, rows) => {
        if (rows >= WORTH_TELLING) say(`Copied ${rows} rows of ${table}.`);
      })),
      at: slot.at,
    }));
    say(
      `Copied ${copied.rows} rows of ${copied.tables} tables in ${((performance.now() - began) / 1000).toFixed(1)} s.`,
    );
    return copied.at;
  }

  /** Copies everything that the rows need in addition. Runs again if a command was stopped, possibly before this. */
  async #complete(): Promise<void> {
    const { from, to } = this.#ends;
    const { cell, say } = this.#o;
    const taken = await takenId(to, this.#tables);
    if (taken !== null) {
      await undo(this.#ends, this.#tables);
      throw new MoveRefused(
        `Another business of cell ${cell} has a ${taken.table} with the id ${taken.id} already, from a time before the installation had cells. Remedy: move it to a cell that was made later.`,
      );
    }
    await passIds(to, this.#tables);
    const people = await takePeople(this.#o, from, to, this.#tables);
    const files = await takeFiles(this.#o, from, this.#tables);
    if (people + files > 0) say(`Copied ${people} accounts and ${files} files.`);
    await this.#done('copied');
  }

  /** Resolves to the time at which the business was closed. It has left its cell then. */
  async #handOver(follower: Follower): Promise<number> {
    const { from, to } = this.#ends;
    await this.#comeNear(follower);
    await takePeople(this.#o, from, to, this.#tables);
    this.#named.people.clear();
    await this.#done('followed');
    let leaves = false;
    try {
      await settle(from);
      await settled(this.#o, from);
      await this.#done('settled');
      await this.#comeNear(follower);
      const closed = performance.now();
      await fence(from, this.#o.cell);
      await this.#done('fenced');
      await follower.catchUp();
      await takePeople(this.#o, from, to, this.#tables, this.#named.people);
      await takeFiles(this.#o, from, this.#tables, this.#named.folders);
      await takeReaders(to);
      await takeOut(from);
      await this.#done('completed');
      leaves = true;
      await from.become({ state: 'left', cell: this.#o.cell });
      await this.#done('left');
      return closed;
    } catch (error) {
      // If the connection is lost, running the command again finds out how far it got.
      if (!leaves) await reopen(from).catch(() => undefined);
      throw error;
    }
  }

  async #comeNear(follower: Follower): Promise<void> {
    for (;;) {
      const began = performance.now();
      const changes = await follower.catchUp();
      const took = performance.now() - began;
      if (took < NEAR_MS || changes < FEW) return;
      this.#o.say(`${changes} changes followed in ${(took / 1000).toFixed(1)} s.`);
    }
  }
}
