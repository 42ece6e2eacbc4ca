/**
 * Batching of short reads that arrive together: a business has at most two batches in flight, and reads that arrive in
 * the meantime share the next one. Identical commands in a batch are sent once. A single read is sent as soon as the
 * event loop has read everything that arrived with it. With 32 callers of one business, this doubles the throughput of
 * reads of single objects: see docs/adr/0003-node-postgres-with-batches.md.
 */
import type { Answer, Command } from './batch.ts';
import { isConnectionLoss } from '../connections/loss.ts';

/** The results: those of the commands, and that of the opening statements, which all commands share. */
export interface Carried {
  readonly opened: Answer;
  readonly answers: Answer[];
}

type Send = (key: number, commands: readonly Command[]) => Promise<Carried>;

interface Waiting {
  readonly commands: readonly Command[];
  readonly resolve: (carried: Carried) => void;
  readonly reject: (error: unknown) => void;
}

const UNDER_WAY = 2;
/** Limits how many other reads one slow read can delay. */
const MAX_ROWS = 16;

export class SharedReads {
  readonly #send: Send;
  readonly #underWay = new Map<number, number>();
  readonly #waiting = new Map<number, Waiting[]>();

  constructor(send: Send) {
    this.#send = send;
  }

  read(key: number, commands: readonly Command[]): Promise<Carried> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key);
      if (waiting) return void waiting.push({ commands, resolve, reject });
      this.#waiting.set(key, [{ commands, resolve, reject }]);
      // Reads that arrive in the same turn of the event loop join this batch.
      if ((this.#underWay.get(key) ?? 0) < UNDER_WAY) setImmediate(() => this.#next(key));
    });
  }

  #next(key: number): void {
    for (;;) {
      const underWay = this.#underWay.get(key) ?? 0;
      const waiting = this.#waiting.get(key);
      if (underWay >= UNDER_WAY || !waiting) return;
      const batch = waiting.splice(0, MAX_ROWS);
      if (waiting.length === 0) this.#waiting.delete(key);
      this.#underWay.set(key, underWay + 1);
      void this.#run(key, batch).finally(() => {
        const left = this.#underWay.get(key)! - 1;
        if (left === 0) this.#underWay.delete(key);
        else this.#underWay.set(key, left);
        this.#next(key);
      });
    }
  }

  async #run(key: number, batch: readonly Waiting[]): Promise<void> {
    const asked = new Asked();
    const places = batch.map(({ commands }) => commands.map((command) => asked.placeOf(command)));
    try {
      const { opened, answers } = await this.#send(key, asked.commands);
      asked.learn();
      batch.forEach(({ resolve }, i) => resolve({ opened, answers: places[i].map((place) => answers[place]) }));
    } catch (error) {
      // Not retried after a lost connection: the callers have waited long enough.
      if (batch.length === 1 || isConnectionLoss(error)) return batch.forEach(({ reject }) => reject(error));
      // One command failed, and the whole batch with it: retry each read separately.
      await Promise.all(batch.map(({ commands, resolve, reject }) => this.#send(key, commands).then(resolve, reject)));
    }
  }
}

/** Returns a key that is equal only for identical commands. */
export function wordsOf({ statement, values }: Command): string {
  let words = statement.name;
  for (const value of values) words += value === null ? ',' : `,${value.length}:${value}`;
  return words;
}

/**
 * The commands of a batch, without duplicates: all were requested before the batch is sent, so they can share one
 * result.
 */
class Asked {
  readonly commands: Command[] = [];
  readonly #places = new Map<string, number>();
  readonly #repeated: [Command, Command][] = [];

  /** Returns the position of the command in the batch. */
  placeOf(command: Command): number {
    const words = wordsOf(command);
    const place = this.#places.get(words);
    if (place === undefined) {
      this.#places.set(words, this.commands.length);
      return this.commands.push(command) - 1;
    }
    this.#repeated.push([command, this.commands[place]]);
    return place;
  }

  /** Copies the server's description of the columns to the duplicates, which were not sent. */
  learn(): void {
    for (const [{ statement }, sent] of this.#repeated) statement.columns ??= sent.statement.columns;
  }
}
