/**
 * A visitor with a browser that runs no scripts and draws nothing: links, forms and cookies as in browsers, in a
 * fraction of the time of a real one. A visit fails when a page violates its own content security policy, or when it
 * requests anything from outside the service, as with the real browser (browser.ts). Tests of styles and scripts need
 * that one.
 */
import {
  all,
  byId,
  closest,
  htmlOf,
  isShown,
  matches,
  parsePage,
  shownText,
  summaryOf,
  type Document,
  type Element,
} from './page-document.ts';
import { allows, complaintsOf, readPolicies } from './page-policy.ts';
import { controlOf, nameOf } from './page-names.ts';
import { formOf, isButton, isDisabled, refusalOf, sends, setChecked, submissionOf } from './page-form.ts';
import { PageClient } from './page-client.ts';
import { PageLocator } from './page-locator.ts';
import { recordPage } from './looks.ts';

/** Other origins that a visitor's pages lead to or may request from. */
interface Elsewhere {
  /** an origin that people are redirected to */
  readonly leavesFor?: string;
  /** an origin from which pages may load scripts and data */
  readonly asks?: string;
}

/** Creates visitors of one service, as TestBrowser does. */
export class PageBrowser {
  readonly #url: string;
  readonly #elsewhere: Elsewhere;

  constructor(url: string, leavesFor?: string) {
    this.#url = url;
    this.#elsewhere = { leavesFor };
  }

  async visitor(url = this.#url, { asks }: Pick<Elsewhere, 'asks'> = {}): Promise<PageVisitor> {
    return new PageVisitor(url, { ...this.#elsewhere, asks });
  }
}

export interface Download {
  readonly name: string | null;
  readonly type: string;
  readonly body: Buffer;
}

const MAX_HOPS = 20;
/** Headers of the browser; like that of the tests, it names no language. */
const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36',
};

interface Going {
  readonly method?: string;
  readonly body?: string;
  /** the page with the form that leads there */
  readonly form?: Shown;
  /** the person typed the address, so there is no referring page */
  readonly typed?: boolean;
}

interface Shown {
  readonly url: URL;
  readonly headers: Headers;
  readonly html: string;
  readonly document: Document;
}

const NOTHING: Shown = { url: new URL('about:blank'), headers: new Headers(), html: '', document: parsePage('') };

export class PageVisitor extends PageClient {
  readonly #origin: string;
  readonly #others: readonly string[];
  readonly #leavesFor: string | undefined;
  readonly #complaints: string[] = [];
  #shown: Shown = NOTHING;
  #isUnfolded = false;
  #download: Download | undefined;

  constructor(url: string, { leavesFor, asks }: Elsewhere = {}) {
    super(url);
    this.#origin = new URL(url).origin;
    this.#leavesFor = leavesFor;
    this.#others = [asks].filter((one) => one !== undefined);
    this.headers = { ...BROWSER };
  }

  /** Returns the content of the page, with the methods of a real browser's page. */
  get page(): PageLocator {
    const find = () => this.#shown.document;
    return PageLocator.of({
      get document() {
        return find();
      },
      press: (element) => this.#press(element),
    });
  }

  get url(): URL {
    return this.#shown.url;
  }

  get path(): string {
    return this.url.pathname;
  }

  async open(path: string): Promise<void> {
    await this.#go(new URL(path, this.#origin), { typed: true });
    this.check();
  }

  /** Fills in the fields by their labels, then presses the button. */
  async submit(button: string, fields: Record<string, string | boolean> = {}): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await this.page.getByLabel(label, { exact: true }).set(value);
    await this.leave(this.page.getByRole('button', { name: button, exact: true }));
  }

  follow(link: string): Promise<void> {
    return this.leave(this.page.getByRole('link', { name: link, exact: true }).first());
  }

  /** Clicks something that leads to another page. */
  async leave(by: PageLocator): Promise<void> {
    await by.click();
    this.check();
  }

  /** Clicks something that leads to a file. */
  async download(by: PageLocator): Promise<Download> {
    this.#download = undefined;
    await by.click();
    this.check();
    if (!this.#download) throw new Error(`${this.url.href} is a page, no file`);
    return this.#download;
  }

  /** Performs the automatic refresh of the page as if its time had passed. */
  async refresh(): Promise<void> {
    const refreshed = refreshOf(this.#shown);
    if (!refreshed) throw new Error(`${this.path} does not look again automatically`);
    await this.#go(refreshed.to);
    this.check();
  }

  /** Returns the text on the page. */
  text(): Promise<string> {
    return this.page.locator('main').innerText();
  }

  heading(): Promise<string> {
    return this.page.locator('h1').innerText();
  }

  title(): string {
    return all('title', this.#shown.document).map((one) => shownText(one))[0] ?? '';
  }

  /** @throws Error with all policy violations of the page so far */
  check(): void {
    if (this.#complaints.length > 0)
      throw new Error(`The page broke its policy:\n${this.#complaints.splice(0).join('\n')}`);
  }

  /**
   * Records the page for the check in a real browser at the end of the run, in every look. `whole: false`: the page is
   * shown inside another page, like an email, so it has no landmarks of its own.
   */
  async checkAccessible(name: string, { whole = true } = {}): Promise<void> {
    const { url, headers, html, document } = this.#shown;
    await recordPage({
      name,
      url: url.href,
      html: this.#isUnfolded ? htmlOf(document) : html,
      headers: Object.fromEntries(headers),
      whole,
      asset: async (address) => {
        const response = await this.request('GET', new URL(address));
        const body = new Uint8Array(await response.arrayBuffer());
        return response.ok ? { type: response.headers.get('content-type') ?? '', body } : null;
      },
    });
  }

  async close(): Promise<void> {
    this.check();
  }

  /** Goes to an address, follows all redirects, and shows the result. A file is stored, and the page stays open. */
  async #go(to: URL, { method = 'GET', body, form, typed = false }: Going = {}): Promise<void> {
    const from = this.#shown;
    let [url, sending, how] = [to, body, method];
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      if (form && !allows(policiesOf(form), { directive: 'form-action', url }, form.url))
        return void this.#complaints.push(`Content Security Policy: form-action refuses ${url.href}`);
      const foreign = url.origin !== this.#origin;
      if (foreign && url.origin !== this.#leavesFor) return void this.#complaints.push(`asked for ${url.href}`);
      const response = await this.request(how, url, {
        body: sending,
        headers: { ...comesFrom(from, url, how, typed), ...(sending !== undefined && FORM) },
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null)
        return this.#arrive(url, response, Buffer.from(await response.arrayBuffer()));
      await response.arrayBuffer();
      const next = new URL(location, url);
      if (next.hash === '') next.hash = url.hash;
      url = next;
      // 307 and 308 repeat the form.
      if (response.status < 304) [how, sending] = ['GET', undefined];
    }
    throw new Error(`redirected in a circle: ${to.href}`);
  }

  async #arrive(url: URL, { headers }: Response, body: Buffer): Promise<void> {
    const type = headers.get('content-type') ?? '';
    const disposition = headers.get('content-disposition') ?? '';
    if (/^attachment\b/i.test(disposition) || !/^text\/html\b/.test(type)) {
      const name = /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? null;
      this.#download = { name, type, body };
      return;
    }
    const html = body.toString();
    this.#shown = { url, headers, html, document: parsePage(html) };
    this.#isUnfolded = false;
    this.token = /name="form_token" value="([\w-]+)"/.exec(html)?.[1] ?? this.token;
    if (url.origin === this.#origin) {
      const others = [...this.#others, ...(this.#leavesFor ? [this.#leavesFor] : [])];
      this.#complaints.push(
        ...complaintsOf(this.#shown.document, { policies: policiesOf(this.#shown), own: url, others }),
      );
      await this.#checkStyles();
    }
    const refreshed = refreshOf(this.#shown);
    if (refreshed?.seconds === 0) await this.#go(refreshed.to);
  }

  /** Pages are read here without their styles, so the style sheets must exist, hide nothing and change no text. */
  async #checkStyles(): Promise<void> {
    for (const link of all('link[rel=stylesheet]', this.#shown.document)) {
      const address = new URL(link.attribs.href, this.url);
      if (address.origin !== this.#origin) continue;
      const wrong = await (styles.get(address.href) ?? keptStyle(address));
      if (wrong !== null) this.#complaints.push(`${address.href}: ${wrong}`);
    }
  }

  async #press(element: Element): Promise<void> {
    const pressed = closest(element, 'a[href], button, input, label, summary');
    if (!pressed) throw new Error(`nothing happens when “${nameOf(element) || shownText(element)}” is pressed`);
    if (matches(pressed, 'button, input') && isDisabled(pressed)) throw new Error(`“${nameOf(pressed)}” is disabled`);
    if (pressed.name === 'summary') return this.#unfold(pressed);
    if (pressed.name === 'a') return this.#follow(pressed);
    if (pressed.name === 'label') {
      const control = controlOf(pressed);
      if (control && isShown(control)) await this.#press(control);
      return;
    }
    const form = formOf(pressed);
    if (sends(pressed) && form) return this.#send(form, pressed);
    if (isButton(pressed)) throw new Error(`“${nameOf(pressed)}” does nothing without scripts`);
    const { type } = pressed.attribs;
    if (type === 'checkbox' || type === 'radio')
      setChecked(pressed, type === 'radio' || !('checked' in pressed.attribs));
  }

  #unfold(summary: Element): void {
    const details = summary.parent as Element | null;
    if (details?.name !== 'details' || summaryOf(details) !== summary) throw new Error('a summary of nothing');
    const { name, open } = details.attribs;
    if (open !== undefined) delete details.attribs.open;
    else {
      if (name)
        for (const one of all('details', this.#shown.document)) if (one.attribs.name === name) delete one.attribs.open;
      details.attribs.open = '';
    }
    this.#isUnfolded = true;
  }

  async #follow({ attribs }: Element): Promise<void> {
    if ('target' in attribs && attribs.target !== '_self') throw new Error('this driver has one window only');
    const to = new URL(attribs.href, this.url);
    const isHere = to.hash !== '' && to.href.split('#')[0] === this.url.href.split('#')[0];
    if (!isHere) return this.#go(to);
    if (!byId(decodeURIComponent(to.hash.slice(1)), this.#shown.document))
      throw new Error(`${attribs.href} leads to nothing on the page`);
    this.#shown = { ...this.#shown, url: to };
  }

  async #send(form: Element, button: Element): Promise<void> {
    const refusal = refusalOf(form, button);
    if (refusal !== null) throw new Error(`a browser does not send this: ${refusal}`);
    const { method, action, data } = submissionOf(form, button);
    const to = new URL(action || this.url.href, this.url);
    to.hash = '';
    if (method === 'GET') to.search = data.toString();
    await this.#go(to, { method, body: method === 'GET' ? undefined : data.toString(), form: this.#shown });
  }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const policiesOf = ({ headers }: Shown) => readPolicies(headers.get('content-security-policy'));

/** Returns the headers in which a browser names the referring page. */
function comesFrom(from: Shown, to: URL, method: string, typed: boolean): Record<string, string> {
  const rest = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  if (typed || from === NOTHING) return { ...rest, 'sec-fetch-site': 'none' };
  const [isOwn, isSite] = [from.url.origin === to.origin, from.url.hostname === to.hostname];
  const policy = from.headers.get('referrer-policy') ?? 'strict-origin-when-cross-origin';
  if (!['same-origin', 'strict-origin-when-cross-origin', 'no-referrer'].includes(policy))
    throw new Error(`this driver does not know the referrer policy ${policy}`);
  const page = new URL(from.url);
  page.hash = '';
  const referer = policy === 'no-referrer' ? '' : isOwn ? page.href : policy === 'same-origin' ? '' : `${page.origin}/`;
  const origin = policy === 'no-referrer' || (policy === 'same-origin' && !isOwn) ? 'null' : page.origin;
  return {
    ...rest,
    'sec-fetch-site': isOwn ? 'same-origin' : isSite ? 'same-site' : 'cross-site',
    ...(referer && { referer }),
    ...(method !== 'GET' && { origin }),
  };
}

/** Returns the address to which a page refreshes automatically, and when. */
function refreshOf({ headers, document, url }: Shown): { seconds: number; to: URL } | null {
  const said =
    headers.get('refresh') ??
    all('meta[http-equiv]', document).find(({ attribs }) => attribs['http-equiv'].toLowerCase() === 'refresh')?.attribs
      .content;
  const [, seconds, to] =
    /^\s*(\d+)(?:\.\d*)?\s*(?:[;,]\s*(?:url\s*=\s*)?["']?([^"']*)["']?)?\s*$/i.exec(said ?? '') ?? [];
  return seconds === undefined ? null : { seconds: Number(seconds), to: new URL(to || url.href, url) };
}

/** Problem of each style sheet by address; null if there is none. */
const styles = new Map<string, Promise<string | null>>();

function keptStyle(address: URL): Promise<string | null> {
  const found = wrongWithStyle(address);
  styles.set(address.href, found);
  return found;
}

async function wrongWithStyle(address: URL): Promise<string | null> {
  const response = await fetch(address);
  const text = await response.text();
  if (!response.ok) return `the style sheet answers ${response.status}`;
  if (!/^text\/css\b/.test(response.headers.get('content-type') ?? '')) return 'is no style sheet';
  const [hides] =
    /(display:\s*none|visibility:\s*(hidden|collapse)|content-visibility:\s*hidden|text-transform:\s*(?!none)\w+)/.exec(
      withoutPrint(text).replaceAll(WITHOUT_TEXT, ''),
    ) ?? [];
  return hides ? `${hides}: pages with such a style need a real browser` : null;
}

/**
 * Rules that hide elements in some windows: a picture beside a name, and the button that opens the menu of a phone,
 * which this visitor doesn't press.
 */
const WITHOUT_TEXT = /(?:\.event \.thumb|\.menu-button) \{\s*display: none;\s*\}/g;

/** Returns the rules of a style sheet for screens. */
function withoutPrint(style: string): string {
  const start = style.search(/@media\s+print\s*\{/);
  if (start < 0) return style;
  let depth = 0;
  for (let i = style.indexOf('{', start); i < style.length; i++) {
    if (style[i] === '{') depth++;
    if (style[i] === '}' && --depth === 0) return style.slice(0, start) + withoutPrint(style.slice(i + 1));
  }
  return style.slice(0, start);
}
