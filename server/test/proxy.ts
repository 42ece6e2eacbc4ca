/** A wire between the service and its database that can be cut, in the ways in which wires are. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

interface Pair {
  readonly service: Socket;
  readonly database: Socket;
  /** nothing comes through any more, and neither end is told */
  vanished: boolean;
}

export class Proxy {
  /** the same database, through this wire */
  readonly url: string;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #state: 'passes' | 'frozen' | 'resets' = 'passes';

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /** `databaseUrl`: over a Unix socket, as those of the tests are. */
  static async to(databaseUrl: string): Promise<Proxy> {
    const target = new URL(databaseUrl);
    const path = `${target.searchParams.get('host')}/.s.PGSQL.${target.port || 5432}`;
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(
      `postgresql://${target.username}@127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    );
    const proxy = new Proxy(server, url.href);
    server.on('connection', (service) => proxy.#join(service, path));
    return proxy;
  }

  #join(service: Socket, path: string): void {
    if (this.#state === 'resets') return void service.resetAndDestroy();
    const pair: Pair = { service, database: connect(path), vanished: false };
    this.#pairs.add(pair);
    for (const [from, to] of [
      [pair.service, pair.database],
      [pair.database, pair.service],
    ]) {
      from.on('data', (data) => void to.write(data));
      from.on('error', () => {});
      from.on('close', () => {
        if (pair.vanished) return;
        this.#pairs.delete(pair);
        to.destroy();
      });
    }
    if (this.#state === 'frozen') for (const end of [pair.service, pair.database]) end.pause();
  }

  /** Connections, also those that are frozen. */
  get open(): number {
    return this.#pairs.size;
  }

  /** Those that are open lead nowhere from now on; new ones do. */
  vanish(): void {
    for (const pair of this.#pairs) {
      pair.vanished = true;
      for (const end of [pair.service, pair.database]) end.pause();
    }
  }

  /** Ends those that lead nowhere at the database too. Until then it keeps what they have locked. */
  bury(): void {
    for (const pair of this.#pairs) {
      if (!pair.vanished) continue;
      this.#pairs.delete(pair);
      pair.service.destroy();
      pair.database.destroy();
    }
  }

  /** What the database says does not arrive any more on those that are open; what it is told does. */
  loseAnswers(): void {
    for (const pair of this.#pairs) {
      pair.vanished = true;
      pair.database.pause();
    }
  }

  /** Nothing comes through, on old and new ones. */
  freeze(): void {
    this.#state = 'frozen';
    for (const { service, database } of this.#pairs) for (const end of [service, database]) end.pause();
  }

  /** Everything goes on where it stood. */
  thaw(): void {
    this.#state = 'passes';
    for (const { service, database, vanished } of this.#pairs)
      if (!vanished) for (const end of [service, database]) end.resume();
  }

  /** Ends all with a reset, and new ones at once. */
  reset(): void {
    this.#state = 'resets';
    for (const { service, database } of this.#pairs) {
      service.resetAndDestroy();
      database.destroy();
    }
  }

  pass(): void {
    this.#state = 'passes';
  }

  async close(): Promise<void> {
    for (const { service, database } of this.#pairs) for (const end of [service, database]) end.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
