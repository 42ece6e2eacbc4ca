/**
 * Pages of lists that are asked for in the same words, by anybody of a business who sees the same: two are read at most, and
 * whoever asks meanwhile shares the next. It is read after all of them asked, so none gets anything older than alone.
 * Somebody who asks for one page again and again, on many connections, costs the database little.
 */
import { wordsOf, type Carried } from './shared-reads.ts';
import type { Command } from './batch.ts';

type Send = (key: number, commands: readonly Command[]) => Promise<Carried>;

const UNDER_WAY = 2;

interface Page {
  underWay: number;
  /** of those who wait */
  next: PromiseWithResolvers<Carried> | null;
  /** what they asked, to learn of the columns */
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
    // What arrived in the same moment is read first, and comes along.
    if (page.underWay < UNDER_WAY) setImmediate(() => this.#goOn(words, page, key));
    return promise;
  }

  #goOn(words: string, page: Page, key: number): void {
    const { next, asked, underWay } = page;
    if (!next && underWay === 0) this.#pages.delete(words);
    if (!next || underWay >= UNDER_WAY) return;
    page.next = null;
    page.asked = [];
    void this.#run(page, key, asked)
      .then(next.resolve, next.reject)
      .finally(() => this.#goOn(words, page, key));
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
