/** A fake of the Google endpoints that passes use: a server that issues tokens and stores the passes that it gets. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { jwtVerify, type CryptoKey as Key } from 'jose';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { START } from '../../../../test/clock.ts';

const SCOPE = 'https://www.googleapis.com/auth/wallet_object.issuer';

export class TestGoogle {
  /** stored passes, by `kind/id` */
  readonly kept = new Map<string, any>();
  readonly asked: string[] = [];
  /** status of all responses; null: normal responses */
  failing: number | null = null;
  /** token that it issues and accepts */
  token = 'google-token';
  /** verifies requests for a token */
  publicKey: Key | null = null;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<TestGoogle> {
    const google = new TestGoogle();
    google.#server.listen(0, '127.0.0.1');
    await once(google.#server, 'listening');
    return google;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get tokenUrl(): string {
    return `${this.url}/token`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method, url } = request;
    this.asked.push(`${method} ${url}`);
    const [status, value] =
      this.failing !== null
        ? [this.failing, { error: { message: 'Not now' } }]
        : url === '/token'
          ? await this.#token(body)
          : request.headers.authorization === `Bearer ${this.token}`
            ? this.#keep(method!, url!, JSON.parse(body))
            : [401, {}];
    response.writeHead(status as number, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  }

  async #token(body: string): Promise<[number, object]> {
    const { payload } = await jwtVerify(new URLSearchParams(body).get('assertion')!, this.publicKey!, {
      audience: this.tokenUrl,
      issuer: 'wallet@example.iam.gserviceaccount.com',
      currentDate: new Date(START),
    });
    return payload.scope === SCOPE ? [200, { access_token: this.token, expires_in: 3599 }] : [403, {}];
  }

  #keep(method: string, url: string, value: any): [number, object] {
    const [, kind, id] = /^\/walletobjects\/v1\/(\w+)(?:\/(.+))?$/.exec(url)!;
    const name = `${kind}/${id ?? value.id}`;
    if (method === 'POST' && this.kept.has(name)) return [409, { error: { message: 'It exists already' } }];
    if (method === 'PUT' && !this.kept.has(name)) return [404, {}];
    this.kept.set(name, value);
    return [200, value];
  }
}
