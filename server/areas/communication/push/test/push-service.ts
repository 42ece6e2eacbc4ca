/**
 * A push service like those of browsers: a real server that accepts messages for a device, and responds as configured.
 */
import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

interface Taken {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export class PushService {
  readonly taken: Taken[] = [];
  /** responses by path of a device; 201 if there is none */
  readonly answers = new Map<string, { readonly status: number; readonly headers?: Record<string, string> }>();
  readonly #server = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    this.taken.push({ path: request.url!, headers: request.headers, body: Buffer.concat(parts) });
    const { status, headers } = this.answers.get(request.url!) ?? { status: 201 };
    response.writeHead(status, headers).end();
  });

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): Taken[] {
    return this.taken.filter((one) => one.path === path);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
