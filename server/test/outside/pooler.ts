/** A pooler like PgBouncer: many sessions on few connections, each lent for a transaction or for a whole session. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const SSL_REQUEST = 80877103;

/** Splits a stream into whole messages. */
class Messages {
  #rest = Buffer.alloc(0);

  /** Yields messages with their type and length; `greeting`: the first message of a client has no type. */
  *take(data: Buffer, greeting: () => boolean): Generator<Buffer> {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (;;) {
      const head = greeting() ? 0 : 1;
      if (this.#rest.length < head + 4) return;
      const end = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < end) return;
      const message = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(end);
      yield message;
    }
  }
}

/** A server connection with its own session, lent to one client at a time. */
class Lent {
  readonly #socket: Socket;
  readonly #messages = new Messages();
  #client: ((message: Buffer) => void) | undefined;

  constructor(path: string, greeting: Buffer, ready: (greeted: Buffer[]) => void) {
    this.#socket = connect(path).on('error', () => {});
    this.#socket.write(greeting);
    const greeted: Buffer[] = [];
    this.#client = (message) => {
      greeted.push(message);
      if (message[0] === 0x5a) ready(greeted);
    };
    this.#socket.on('data', (data: Buffer) => {
      for (const message of this.#messages.take(data, () => false)) this.#client?.(message);
    });
  }

  lend(client: (message: Buffer) => void): void {
    this.#client = client;
  }

  write(message: Buffer): void {
    this.#socket.write(message);
  }

  end(): void {
    this.#socket.destroy();
  }
}

export class Pooler {
  readonly url: string;
  readonly #server: Server;
  readonly #path: string;
  readonly #mode: 'session' | 'transaction';
  readonly #free: Lent[] = [];
  readonly #all = new Set<Lent>();
  readonly #clients = new Set<Socket>();

  private constructor(server: Server, path: string, url: string, mode: 'session' | 'transaction') {
    this.#server = server;
    this.#path = path;
    this.url = url;
    this.#mode = mode;
  }

  /** Starts a pooler for `databaseUrl`, which uses a Unix socket and no password. */
  static async to(databaseUrl: string, mode: 'session' | 'transaction'): Promise<Pooler> {
    const target = new URL(databaseUrl);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `postgresql://${target.username}@127.0.0.1:${port}${target.pathname}`;
    const pooler = new Pooler(server, `${target.searchParams.get('host')}/.s.PGSQL.5432`, url, mode);
    server.on('connection', (client) => pooler.#serve(client));
    return pooler;
  }

  #serve(client: Socket): void {
    this.#clients.add(client);
    const messages = new Messages();
    let greeting: Buffer | undefined;
    let lent: Lent | undefined;
    let waiting: Buffer[] = [];
    const answer = (message: Buffer) => {
      client.write(message);
      // Ready and outside of a transaction: the next client may get the connection.
      if (this.#mode === 'transaction' && message[0] === 0x5a && message[5] === 0x49) {
        if (lent) this.#free.push(lent);
        lent = undefined;
      }
    };
    const ask = (message: Buffer) => {
      waiting.push(message);
      if (waiting.length > 1 && !lent) return;
      const go = (connection: Lent) => {
        lent = connection;
        connection.lend(answer);
        for (const each of waiting.splice(0)) connection.write(each);
      };
      if (lent) return go(lent);
      const free = this.#free.pop();
      if (free) go(free);
      else this.#open(greeting!, (connection) => go(connection));
    };
    client.on('data', (data: Buffer) => {
      for (const message of messages.take(data, () => greeting === undefined)) {
        if (greeting !== undefined) {
          if (message[0] === 0x58) client.end();
          else ask(message);
        } else if (message.readInt32BE(4) === SSL_REQUEST) client.write('N');
        else {
          greeting = message;
          this.#open(message, (connection, greeted) => {
            if (this.#mode === 'session') {
              lent = connection;
              connection.lend(answer);
            } else this.#free.push(connection);
            for (const each of greeted) client.write(each[0] === 0x4b ? madeUpKey() : each);
          });
        }
      }
    });
    client.on('error', () => {});
    client.on('close', () => {
      waiting = [];
      lent?.end();
      this.#clients.delete(client);
    });
  }

  #open(greeting: Buffer, then: (connection: Lent, greeted: Buffer[]) => void): void {
    const free = this.#mode === 'transaction' && this.#free.pop();
    if (free && this.#greeted) return then(free, this.#greeted);
    const connection: Lent = new Lent(this.#path, greeting, (greeted) => then(connection, (this.#greeted = greeted)));
    this.#all.add(connection);
  }

  #greeted: Buffer[] | undefined;

  async close(): Promise<void> {
    for (const client of this.#clients) client.destroy();
    for (const connection of this.#all) connection.end();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Makes up the process number and key, as poolers do for a session without its own process. */
function madeUpKey(): Buffer {
  const message = Buffer.alloc(13);
  message.write('K');
  message.writeInt32BE(12, 1);
  message.writeInt32BE(1_234_567, 5);
  return message;
}
