/**
 * A browser for several host names of one service: cookies of each, redirects, and pages that continue automatically.
 */
import { CookieJar } from './cookie-jar.ts';
import { request, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

export interface Arrived {
  readonly status: number;
  /** after all redirects */
  readonly url: URL;
  readonly text: string;
  /** all addresses on the way */
  readonly way: readonly string[];
}

const MAX_HOPS = 12;

export class HostsBrowser {
  readonly #service: URL;
  readonly jars = new Map<string, CookieJar>();
  #form: { token: string; at: URL } | null = null;

  /** `service`: address where it listens, under all of its names. */
  constructor(service: string) {
    this.#service = new URL(service);
  }

  jar(host: string): CookieJar {
    if (!this.jars.has(host)) this.jars.set(host, new CookieJar());
    return this.jars.get(host)!;
  }

  go(address: string): Promise<Arrived> {
    return this.#follow('GET', new URL(address));
  }

  /** Sends the form of the last page; `path` is relative to its host. */
  post(path: string, fields: Record<string, string>): Promise<Arrived> {
    if (!this.#form) throw new Error('the last page had no form');
    const body = new URLSearchParams({ form_token: this.#form.token, ...fields }).toString();
    return this.#follow('POST', new URL(path, this.#form.at), body);
  }

  /** Sends one request without following its response. */
  async send(method: string, url: URL, headers: Record<string, string> = {}, body = ''): Promise<IncomingMessage> {
    const { hostname, port } = this.#service;
    const host = url.hostname === hostname ? url.host : url.hostname;
    const cookie = this.jar(url.hostname).headerFor(url.pathname);
    const asked = request({
      hostname,
      port,
      path: url.pathname + url.search,
      method,
      headers: { accept: 'text/html', host, ...(cookie && { cookie }), ...headers },
    });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      asked.on('response', resolve).on('error', reject);
      asked.end(body);
    });
    for (const line of answer.headers['set-cookie'] ?? []) this.jar(url.hostname).read(line, url.pathname);
    return answer;
  }

  async #follow(method: string, from: URL, body = ''): Promise<Arrived> {
    const way: string[] = [];
    let [url, verb, sent] = [from, method, body];
    /** the policy of the page with the submitted form blocks redirects to other hosts */
    let ofForm = method === 'POST';
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      way.push(url.href);
      const headers =
        verb === 'POST' ? { origin: url.origin, 'content-type': 'application/x-www-form-urlencoded' } : undefined;
      const answer = await this.send(verb, url, headers, sent);
      const text = await textOf(answer);
      const going = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1];
      const next = answer.headers.location ?? going?.replaceAll('&amp;', '&');
      const token = /name="form_token" value="([\w-]+)"/.exec(text)?.[1];
      if (token) this.#form = { token, at: url };
      if (next === undefined) return { status: answer.statusCode!, url, text, way };
      const to = new URL(next, url);
      if (answer.headers.location && ofForm && to.host !== url.host)
        throw new Error(`browsers stop a form that is redirected to ${to.host}`);
      ofForm &&= answer.headers.location !== undefined;
      [url, verb, sent] = [to, 'GET', ''];
    }
    throw new Error(`it goes round in circles: ${way.join(' ')}`);
  }
}
