/**
 * The cells of one installation, from the point of view of one of them. A cell asks another one a named question, and
 * gets an answer or learns that the cell is down: requests never wait long for a cell, and never take silence for a no.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { CellAway, type CellPort, type OtherCells } from '../../kernel/work/unit/other-cells.ts';
import { MARK, markOf, readMark, SpentMarks, type Marked } from './mark.ts';
import type { CellMeans, CellQuestion } from './question.ts';
import type { CellSettings } from './settings.ts';
import type { SecretBox } from '../../kernel/base/secret-box.ts';

export interface Answering {
  readonly questions: readonly CellQuestion[];
  /** `now`: the current time of the service, epoch ms */
  readonly means: Omit<CellMeans, 'now' | 'from'> & { readonly now: () => number };
  readonly log: Pick<FastifyBaseLogger, 'error'>;
}

const PATH = '/.cells/questions/';
const WAIT_MS = 2000;

/** Provides the functions that areas need for other cells. */
type Ports = (cells: OtherCells, box: SecretBox) => ReadonlyMap<CellPort<any>, unknown>;

export class CellNetwork implements OtherCells {
  readonly own: number;
  readonly others: readonly number[];
  readonly #addresses: ReadonlyMap<number, string>;
  readonly #box: SecretBox;
  readonly #now: () => number;
  readonly #ports: ReadonlyMap<CellPort<any>, unknown>;
  readonly #spent = new SpentMarks();

  /** `now`: the time for checking marks; the machine's clock, because commands have no service whose clock they know */
  constructor(
    { own, addresses }: CellSettings,
    box: SecretBox,
    { now = Date.now, ports = () => new Map() }: { readonly now?: () => number; readonly ports?: Ports } = {},
  ) {
    this.own = own;
    this.#ports = ports(this, box);
    this.#addresses = addresses;
    this.#box = box;
    this.#now = now;
    this.others = [...addresses.keys()].filter((cell) => cell !== own).toSorted((a, b) => a - b);
  }

  async ask<Answer>(cell: number, question: string, asked: unknown, waitMs = WAIT_MS): Promise<Answer> {
    const url = PATH + question;
    const body = JSON.stringify(asked);
    const mark = this.markFor(cell, { method: 'POST', url, rest: hashOf(body) });
    try {
      const answer = await fetch(this.addressOf(cell) + url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [MARK]: mark },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(waitMs),
      });
      if (answer.status !== 200) throw new CellAway(cell, `it answers ${answer.status}`);
      return (await answer.json()) as Answer;
    } catch (error) {
      throw error instanceof CellAway ? error : new CellAway(cell, (error as Error).message);
    }
  }

  at<Provided>(port: CellPort<Provided>): Provided {
    const provided = this.#ports.get(port);
    if (provided === undefined) throw new Error(`nothing is provided for the port ${port.name} of other cells`);
    return provided as Provided;
  }

  askAll<Answer>(question: string, asked: unknown, waitMs = WAIT_MS): Promise<Answer[]> {
    return Promise.all(this.others.map((cell) => this.ask<Answer>(cell, question, asked, waitMs)));
  }

  /** Returns the base URL at which a cell answers the others. */
  addressOf(cell: number): string {
    return this.#addresses.get(cell)!;
  }

  /** Returns the header value that proves that this cell sent the request. */
  markFor(to: number, request: Pick<Marked, 'method' | 'url' | 'rest'>): string {
    return markOf(this.#box, { ...request, from: this.own, to }, this.#now());
  }

  /** Returns the cell that sent the request, once; null: somebody else sent it, or it was repeated. */
  senderOf(
    request: { readonly headers: IncomingHttpHeaders; readonly method: string; readonly url: string },
    rest = '',
  ): number | null {
    const { headers, method, url } = request;
    const from = readMark(this.#box, headers[MARK], { to: this.own, method, url, rest }, this.#now());
    if (from === null || !this.others.includes(from)) return null;
    return this.#spent.spend(headers[MARK] as string, this.#now()) ? from : null;
  }

  /** Answers the questions of other cells. Everybody else gets "not found". */
  mount(http: FastifyInstance, { questions, means, log }: Answering): void {
    for (const { name, answer } of questions)
      http.post(PATH + name, async (request, reply) => {
        const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
        const from = this.senderOf(request, hashOf(body));
        if (from === null) return reply.callNotFound();
        try {
          const said = await answer({ ...means, now: means.now(), from }, JSON.parse(String(body)));
          return await reply.type('application/json').send(JSON.stringify(said));
        } catch (err) {
          log.error({ err, question: name, from }, 'a question of another cell was not answered');
          return reply.code(503).send();
        }
      });
  }
}

const hashOf = (body: string | Buffer): string => createHash('sha256').update(body).digest('base64url');
