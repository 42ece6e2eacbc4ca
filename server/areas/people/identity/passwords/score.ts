/** Scores passwords by large, slow lists, in a thread that starts on first use. */
import { Worker } from 'node:worker_threads';

interface Scored {
  /** on the list of common passwords */
  readonly common: boolean;
  /** 0 to 4 */
  readonly score: number;
}

const UNTIL_MS = 20_000;

class Scorer {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<number>>();
  #last = 0;
  #over: Error | null = null;

  constructor() {
    this.#thread = new Worker(new URL('./score-thread.ts', import.meta.url), { env: {} });
    this.#thread.on('message', ({ id, score }: { id: number; score: number }) => {
      this.#waiting.get(id)?.resolve(score);
      this.#waiting.delete(id);
      // A process with nothing else to do can exit.
      if (this.#waiting.size === 0) this.#thread.unref();
    });
    this.#thread.on('error', (error) => this.#end(error as Error));
    this.#thread.on('exit', () => this.#end(new Error('the thread that scores passwords has ended')));
    this.#thread.unref();
  }

  get isOver(): boolean {
    return this.#over !== null;
  }

  async score(password: string, about: readonly string[]): Promise<number> {
    const id = ++this.#last;
    const answer = Promise.withResolvers<number>();
    this.#waiting.set(id, answer);
    this.#thread.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread.postMessage({ id, password, about });
    const timer = setTimeout(() => answer.reject(new Error('a password took too long to be scored')), UNTIL_MS);
    try {
      return await answer.promise;
    } catch (error) {
      // A task that blocks the thread now would block the next password too.
      await this.#thread.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #end(error: Error): void {
    this.#over ??= error;
    for (const one of this.#waiting.values()) one.reject(error);
    this.#waiting.clear();
  }
}

let scorer: Scorer | undefined;

/** Returns the score of a password. `about`: words about the person and the business. */
export async function scoreOf(password: string, about: readonly string[]): Promise<Scored> {
  if (!scorer || scorer.isOver) scorer = new Scorer();
  const score = await scorer.score(password, about);
  return { common: score < 0, score: Math.max(score, 0) };
}
