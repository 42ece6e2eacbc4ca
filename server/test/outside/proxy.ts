/** A connection between the service and its database that can fail in the ways real networks do. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

interface Pair {
  readonly service: Socket;
  readonly database: Socket;
  /** nothing passes through any more, and neither end knows */
  vanished: boolean;
}

export class Proxy {
  /** connection string of the same database through this proxy */
  readonly url: string;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #state: 'passes' | 'frozen' | 'resets' = 'passes';

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /** Starts a proxy for `databaseUrl`, which uses a Unix socket like all databases of the tests. */
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

  /** Returns the number of connections, including frozen ones. */
  get open(): number {
    return this.#pairs.size;
  }

  /** Silently stops all traffic on open connections; new ones work. */
  vanish(): void {
    for (const pair of this.#pairs) {
      pair.vanished = true;
      for (const end of [pair.service, pair.database]) end.pause();
    }
  }

  /** Closes the vanished connections on the side of the database, too. Until then, the database keeps their locks. */
  bury(): void {
    for (const pair of this.#pairs) {
      if (!pair.vanished) continue;
      this.#pairs.delete(pair);
      pair.service.destroy();
      pair.database.destroy();
    }
  }

  /** Drops the database's responses on open connections; requests still arrive. */
  loseAnswers(): void {
    for (const pair of this.#pairs) {
      pair.vanished = true;
      pair.database.pause();
    }
  }

  /** Blocks all traffic on existing and new connections. */
  freeze(): void {
    this.#state = 'frozen';
    for (const { service, database } of this.#pairs) for (const end of [service, database]) end.pause();
  }

  /** Resumes all traffic where it stopped. */
  thaw(): void {
    this.#state = 'passes';
    for (const { service, database, vanished } of this.#pairs)
      if (!vanished) for (const end of [service, database]) end.resume();
  }

  /** Resets all connections, and new ones immediately. */
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
