/**
 * Short reads that arrive together travel together: two batches of a business are under way at most, and what comes
 * meanwhile shares the next. What several of them ask in the same words is asked once. Alone, a read leaves as soon as what
 * arrived in the same moment has been read.
 * With 32 callers of one business, twice as many single objects are read in the same time: see
 * docs/adr/0003-node-postgres-with-batches.md.
 */
import type { Answer, Command } from './batch.ts';
import { isConnectionLoss } from './loss.ts';

/** The results: the answers to the commands, and the one to the opening statements that all of them shared. */
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
      // What arrived in the same moment is read first, and comes along.
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
      // Callers that waited for a lost connection have waited long enough.
      if (batch.length === 1 || isConnectionLoss(error)) return batch.forEach(({ reject }) => reject(error));
      // One of them failed, and the others with it: each is read again separately.
      await Promise.all(batch.map(({ commands, resolve, reject }) => this.#send(key, commands).then(resolve, reject)));
    }
  }
}

/** The same for commands that are the same, and for no others. */
export function wordsOf({ statement, values }: Command): string {
  let words = statement.name;
  for (const value of values) words += value === null ? ',' : `,${value.length}:${value}`;
  return words;
}

/**
 * The commands of a batch, without duplicates: all were requested before it is sent, so one result is as fresh as any.
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
