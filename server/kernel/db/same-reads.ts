/**
 * Pages of lists that are asked for in the same words, by anybody of a business who sees the same: two are read at most, and
 * whoever asks meanwhile shares the next. It is read after all of them asked, so none gets anything older than alone.
 * Somebody who asks for one page again and again, on many connections, costs the database little.
 */
import type { Carried } from './shared-reads.ts';
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
    const words = JSON.stringify([key, commands.map(({ statement, values }) => [statement.name, values])]);
    let page = this.#pages.get(words);
    if (!page) this.#pages.set(words, (page = { underWay: 0, next: null, asked: [] }));
    if (page.underWay < UNDER_WAY) return this.#run(words, page, key, commands);
    page.asked.push(commands);
    return (page.next ??= Promise.withResolvers<Carried>()).promise;
  }

  async #run(words: string, page: Page, key: number, commands: readonly Command[]): Promise<Carried> {
    page.underWay++;
    try {
      return await this.#send(key, commands);
    } finally {
      page.underWay--;
      this.#goOn(words, page, key);
    }
  }

  #goOn(words: string, page: Page, key: number): void {
    const { next, asked } = page;
    if (!next) {
      if (page.underWay === 0) this.#pages.delete(words);
      return;
    }
    page.next = null;
    page.asked = [];
    const [sent, ...others] = asked;
    const learn = (carried: Carried): Carried => {
      for (const commands of others)
        commands.forEach(({ statement }, i) => (statement.columns ??= sent[i].statement.columns));
      return carried;
    };
    this.#run(words, page, key, sent).then(learn).then(next.resolve, next.reject);
  }
}
