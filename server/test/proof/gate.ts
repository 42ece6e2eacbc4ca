/**
 * Stands between one service and its database. Holds each exchange of a transaction, so that a test decides the order
 * of those of several services; or breaks the connection at one. Reads without a transaction pass.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { BEGIN } from '../../kernel/base/db/database.ts';
import { COMMIT } from '../../kernel/base/db/transaction.ts';

interface Line {
  readonly service: Socket;
  readonly database: Socket;
  /** process id of the server for this connection */
  pid: number;
  inTransaction: boolean;
  /** an exchange was sent whose response has not arrived */
  isAsking: boolean;
  held: Buffer[];
  /** the connection breaks in place of the next response */
  losesResponse: boolean;
}

/** The moment at which a connection breaks: before an exchange reaches the database, or when it responds. */
export type Break = 'before' | 'after' | null;

/** `Z`, the length, and `I` if no transaction is open: the end of every response. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);
/** Names of prepared statements, as they are sent. */
const [IN_BEGIN, IN_COMMIT] = [BEGIN, COMMIT].map(({ name }) => Buffer.from(`${name}\0`));

export class Gate {
  /** connection string of the same database through this gate */
  readonly url: string;
  readonly #server: Server;
  readonly #lines = new Set<Line>();
  #isClosed = false;
  /** decides for each exchange of a transaction whether its connection breaks */
  breaks: (isCommit: boolean) => Break = () => null;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /** Starts a gate in front of `databaseUrl`, which uses a Unix socket like all databases of the tests. */
  static async to(databaseUrl: string): Promise<Gate> {
    const target = new URL(databaseUrl);
    const path = `${target.searchParams.get('host')}/.s.PGSQL.${target.port || 5432}`;
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const gate = new Gate(server, `postgresql://${target.username}@127.0.0.1:${port}${target.pathname}`);
    server.on('connection', (service) => gate.#join({ service, database: connect(path) }));
    return gate;
  }

  #join(ends: Pick<Line, 'service' | 'database'>): void {
    const line: Line = { ...ends, pid: 0, inTransaction: false, isAsking: false, held: [], losesResponse: false };
    const { service, database } = line;
    this.#lines.add(line);
    service.on('data', (data: Buffer) => {
      const isOfTransaction = line.inTransaction || data.includes(IN_BEGIN);
      if (this.#isClosed && isOfTransaction) return void line.held.push(data);
      const broken = isOfTransaction ? this.breaks(data.includes(IN_COMMIT)) : null;
      if (broken === 'before') return void service.destroy();
      line.losesResponse = broken === 'after';
      this.#send(line, data);
    });
    database.on('data', (data: Buffer) => {
      if (line.losesResponse) return void service.destroy();
      if (line.pid === 0) {
        const key = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
        if (key >= 0) line.pid = data.readInt32BE(key + 5);
      }
      if (data.length >= 6 && data.subarray(-6, -1).equals(READY)) {
        line.isAsking = false;
        line.inTransaction = data.at(-1) !== 0x49;
      }
      service.write(data);
    });
    for (const [from, to] of [
      [service, database],
      [database, service],
    ]) {
      from.on('error', () => {});
      from.on('close', () => {
        this.#lines.delete(line);
        to.destroy();
      });
    }
  }

  #send(line: Line, data: Buffer): void {
    line.isAsking = true;
    line.database.write(data);
  }

  /** Holds the exchanges of transactions from now on. */
  close(): void {
    this.#isClosed = true;
  }

  /** Lets everything pass, and what was held first. */
  open(): void {
    this.#isClosed = false;
    for (const line of this.#lines) for (const data of line.held.splice(0)) this.#send(line, data);
  }

  /** Whether an exchange is held. */
  get holds(): boolean {
    return [...this.#lines].some(({ held }) => held.length > 0);
  }

  /** Lets one exchange pass. */
  release(): void {
    const line = [...this.#lines].find(({ held }) => held.length > 0);
    if (line) this.#send(line, line.held.shift()!);
  }

  /** Process ids of the servers that are asked at the moment. */
  get asking(): readonly number[] {
    return [...this.#lines].filter(({ isAsking }) => isAsking).map(({ pid }) => pid);
  }

  async end(): Promise<void> {
    for (const { service, database } of this.#lines) for (const socket of [service, database]) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
