/**
 * Identical reads of list pages, by callers of one business who see the same rows: at most two are in flight, and
 * callers that arrive in the meantime share the next one. It starts after all of them asked, so nobody gets an older
 * page than alone. A client that requests one page again and again, on many connections, costs the database little.
 */
import { wordsOf, type Carried } from './shared-reads.ts';
import type { Command } from './batch.ts';

type Send = (key: number, commands: readonly Command[]) => Promise<Carried>;

const UNDER_WAY = 2;

interface Page {
  underWay: number;
  /** the read that waiting callers share; null if nobody waits */
  next: PromiseWithResolvers<Carried> | null;
  /** their commands, whose statements learn the columns of the result */
  asked: (readonly Command[])[];
}

export class SameReads {
  readonly #send: Send;
  readonly #pages = new Map<string, Page>();

  constructor(send: Send) {
    this.#send = send;
  }

  read(key: number, commands: readonly Command[]): Promise<Carried> {
    const words = `${key}${commands.map((command) => ` ${wordsOf(command)}`).join('')}`;
    let page = this.#pages.get(words);
    if (!page) this.#pages.set(words, (page = { underWay: 0, next: null, asked: [] }));
    page.asked.push(commands);
    if (page.next) return page.next.promise;
    page.next = Promise.withResolvers<Carried>();
    const { promise } = page.next;
    // Requests that arrived in the same turn of the event loop are read first, so they share this read.
    if (page.underWay < UNDER_WAY) setImmediate(() => this.#runNext(words, page, key));
    return promise;
  }

  #runNext(words: string, page: Page, key: number): void {
    const { next, asked, underWay } = page;
    if (!next && underWay === 0) this.#pages.delete(words);
    if (!next || underWay >= UNDER_WAY) return;
    page.next = null;
    page.asked = [];
    void this.#run(page, key, asked)
      .then(next.resolve, next.reject)
      .finally(() => this.#runNext(words, page, key));
  }

  async #run(page: Page, key: number, [sent, ...others]: readonly (readonly Command[])[]): Promise<Carried> {
    page.underWay++;
    try {
      const carried = await this.#send(key, sent);
      for (const commands of others)
        commands.forEach(({ statement }, i) => (statement.columns ??= sent[i].statement.columns));
      return carried;
    } finally {
      page.underWay--;
    }
  }
}
