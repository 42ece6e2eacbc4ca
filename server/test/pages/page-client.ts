/** Pages without a browser: cookies and form tokens as a browser would send them, or as no browser would. */
import { CookieJar } from './cookie-jar.ts';

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly setCookies: readonly string[];
}

export interface Sending {
  body?: string;
  headers?: Record<string, string>;
}

export class PageClient {
  readonly #url: string;
  readonly cookies = new CookieJar();
  /** cookies of the last response */
  lastCookies: readonly string[] = [];
  /** headers of every request */
  headers: Record<string, string> = {};
  /** form token of the last page with a form */
  token: string | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  get(path: string): Promise<PageAnswer> {
    return this.send('GET', path);
  }

  /** Sends a form with the token of the last page, unless another one is given. */
  post(
    path: string,
    fields: Record<string, string>,
    { token = this.token, headers }: { token?: string | null; headers?: Record<string, string> } = {},
  ): Promise<PageAnswer> {
    const body = new URLSearchParams({ ...(token !== null && { form_token: token }), ...fields }).toString();
    return this.send('POST', path, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  async send(method: string, path: string, sending: Sending = {}): Promise<PageAnswer> {
    const response = await this.request(method, new URL(this.#url + path), sending);
    const [text, setCookies] = [await response.text(), response.headers.getSetCookie()];
    this.lastCookies = setCookies;
    this.token = /name="form_token" value="([\w-]+)"/.exec(text)?.[1] ?? this.token;
    return { status: response.status, headers: response.headers, text, setCookies };
  }

  /** Sends one request with its cookies, and stores those of the response. Redirects are not followed. */
  protected async request(method: string, url: URL, { body, headers = {} }: Sending = {}): Promise<Response> {
    const isOwn = url.hostname === new URL(this.#url).hostname;
    const cookie = isOwn ? this.cookies.headerFor(url.pathname) : '';
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      body,
      headers: { ...this.headers, ...(cookie && { cookie }), ...headers },
    });
    if (isOwn) for (const line of response.headers.getSetCookie()) this.cookies.read(line, url.pathname);
    return response;
  }
}
