/** Pages without a browser: cookies and form tokens as a browser would send them, or as nobody should. */
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
  readonly cookies = new Map<string, string>();
  /** of the last answer */
  lastCookies: readonly string[] = [];
  /** sent with every request */
  headers: Record<string, string> = {};
  /** of the last page with a form */
  token: string | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  get(path: string): Promise<PageAnswer> {
    return this.send('GET', path);
  }

  /** Sends a form; the token of the last page goes along unless another is given. */
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

  async send(method: string, path: string, { body, headers = {} }: Sending = {}): Promise<PageAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.#url + path, {
      method,
      redirect: 'manual',
      body,
      headers: { ...this.headers, ...(cookie && { cookie }), ...headers },
    });
    const [text, setCookies] = [await response.text(), response.headers.getSetCookie()];
    for (const line of setCookies) this.#keep(line);
    this.lastCookies = setCookies;
    this.token = /name="form_token" value="([\w-]+)"/.exec(text)?.[1] ?? this.token;
    return { status: response.status, headers: response.headers, text, setCookies };
  }

  #keep(line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (value === '' || /expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
