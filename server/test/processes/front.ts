/**
 * The address of a service before it listens, like that of a load balancer before there are servers. Forwards
 * connections unchanged; a front that is shut acts as a service that is unreachable.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export class Front {
  readonly url: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #target: URL | null = null;
  #shut = false;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(): Promise<Front> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const front = new Front(server);
    server.on('connection', (socket) => front.#join(socket));
    return front;
  }

  /** Forwards to this address from now on. */
  leadTo(url: string): string {
    this.#target = new URL(url);
    return this.url;
  }

  #join(caller: Socket): void {
    if (this.#shut || !this.#target) return void caller.resetAndDestroy();
    const served = connect(Number(this.#target.port), this.#target.hostname);
    for (const [from, to] of [
      [caller, served],
      [served, caller],
    ]) {
      this.#open.add(from);
      from.pipe(to);
      from.on('error', () => {});
      from.on('close', () => {
        this.#open.delete(from);
        to.destroy();
      });
    }
  }

  /** Closes open connections, and refuses new ones. */
  shut(): void {
    this.#shut = true;
    for (const socket of this.#open) socket.destroy();
  }

  reopen(): void {
    this.#shut = false;
  }

  async close(): Promise<void> {
    this.shut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
