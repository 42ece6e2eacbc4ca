/** One page request as the page code sees it, and the answers that it may give. */
import { createHash, randomBytes } from 'node:crypto';
import type { Html } from '../base/markup/html.ts';
import type { Document } from './document.ts';
import type { FileToSend } from '../api/file.ts';
import type { Script } from './script.ts';
import { ENGLISH, type Reader } from '../base/languages/languages.ts';
import { embeddingCookie, embeddingPage, rememberedPage, type EmbeddingPage } from './embedding-page.ts';
import { formToken, isFormToken } from './csrf.ts';

/** The owner of the pages: the name and colors of everything that is shown. */
export interface Site {
  readonly name: string;
  /** target of the link on the name */
  readonly home: string;
  /** address of the style sheet with the colors; null for the plain ones */
  readonly theme: string | null;
  /** reader that its customers get unless their browser asks for another language that we have; absent: English */
  readonly reader?: Reader;
  /** the site's own host name, at which its pages are served too */
  readonly host?: string | null;
  /** absent parts default to the first letter of the name and no icon */
  readonly brand?: Partial<Brand>;
}

export interface Brand {
  /** link to the home page at the top of every page; includes the name */
  readonly mark: Html;
  /** icons and colors for browsers, in the head of every page */
  readonly head: Html;
}

/** Elements around the body of a page, and the reader that they are for. */
interface Frame {
  readonly reader: Reader;
  /** further elements of the head */
  readonly head: Html | null;
  /** at the end of the page */
  readonly foot: Html | null;
}

/** Returns a frame with only the header and footer that every page has. */
export const bareFrame = (reader: Reader): Frame => ({ reader, head: null, foot: null });

export interface Shown {
  readonly kind: 'page';
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** shown next to the name at the top */
  readonly top: Html | null;
  /** the only script of the page, one of our own files; null: no script may run */
  readonly script: Script | null;
  readonly frame: Frame;
  /** page of another website that the page links back to; null: the person came from none */
  readonly embedding: EmbeddingPage | null;
  /**
   * identical for equal requests and without forms that are bound to a browser: search engines may index it, and it is
   * compressed
   */
  readonly open: boolean;
  readonly headers: Record<string, string>;
}

export type PageAnswer =
  | Shown
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'go-on'; readonly to: string }
  | { readonly kind: 'document'; readonly document: Document }
  | { readonly kind: 'file'; readonly file: FileToSend };

export const page = (
  title: string,
  body: Html,
  {
    status = 200,
    top = null,
    script = null,
    frame = bareFrame(ENGLISH),
    embedding = null,
    open = false,
    headers = {},
  }: Partial<Omit<Shown, 'kind' | 'title' | 'body'>> = {},
): Shown => ({ kind: 'page', status, title, body, top, script, frame, embedding, open, headers });

/** Redirects with a 303 after a form, so that a reload sends nothing twice. */
export const seeOther = (to: string): PageAnswer => ({ kind: 'redirect', to });

/**
 * Leaves a form for an address that may redirect to another site. Our own form policy would block a redirect there,
 * because browsers apply it to every hop; a page that moves on by itself ends the form first.
 */
export const goOn = (to: string): PageAnswer => ({ kind: 'go-on', to });

/** Sends a file that the person may save and that no cache in between may store. */
export const toKeep = (file: FileToSend): PageAnswer => ({ kind: 'file', file });

export interface Jar {
  /** session cookie as the browser sent it, and the cookie for forms before there is a session */
  readonly session: string | null;
  readonly form: string | null;
  /** null ends the session */
  setSession(cookie: string | null, maxAgeSeconds: number | null): void;
  setForm(secret: string): void;
  /** language that the person chose; null if they chose none */
  readonly language: string | null;
  setLanguage(language: string): void;
  /** website that the person came from, as `embeddingCookie` writes it */
  readonly website: string | null;
  setWebsite(value: string): void;
}

interface VisitParts<S extends Site> {
  readonly site: S;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** fields of the submitted form; empty for GET */
  readonly sent: URLSearchParams;
  readonly path: string;
  readonly ip: string;
  readonly agent: string;
  /** page that the person came from, as the browser names it */
  readonly referrer: string | undefined;
  /** `accept-language` as sent */
  readonly accepts: string | undefined;
  /** in epoch milliseconds */
  readonly now: number;
  readonly requestId: string;
  /** public address of the service, without a trailing slash */
  readonly baseUrl: string;
  /** the site's own host name if the page was requested there; null if it was requested at the installation */
  readonly ownHost: string | null;
  readonly jar: Jar;
}

const SECRET = /^[\w-]{20,200}$/;
/** Prefix of a session secret that outlives the browser's windows; a renewed session keeps it. */
const KEPT_PREFIX = 'kept.';
/** Upper bound for a session, whatever the browser stores. */
const KEPT_SECONDS = 90 * 86_400;

/** Returns the session secret in a cookie's value; null if the value can't be one. */
export const sessionSecret = (cookie: string | null): string | null =>
  cookie === null ? null : wellFormed(cookie.startsWith(KEPT_PREFIX) ? cookie.slice(KEPT_PREFIX.length) : cookie);

export class Visit<S extends Site = Site> {
  readonly site: S;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly sent: URLSearchParams;
  readonly path: string;
  readonly ip: string;
  readonly agent: string;
  readonly referrer: string | undefined;
  readonly accepts: string | undefined;
  readonly now: number;
  readonly requestId: string;
  readonly baseUrl: string;
  readonly ownHost: string | null;
  readonly #jar: Jar;
  readonly #leftOut: unknown[] = [];
  #session: string | null;
  #form: string | null;

  constructor(parts: VisitParts<S>) {
    const { site, params, query, sent, path, ip, agent, referrer, accepts, now, requestId, baseUrl, ownHost, jar } =
      parts;
    this.site = site;
    this.params = params;
    this.query = query;
    this.sent = sent;
    this.path = path;
    this.ip = ip;
    this.agent = agent;
    this.referrer = referrer;
    this.accepts = accepts;
    this.now = now;
    this.requestId = requestId;
    this.baseUrl = baseUrl;
    this.ownHost = ownHost;
    this.#jar = jar;
    this.#session = sessionSecret(jar.session);
    this.#form = wellFormed(jar.form);
  }

  /** Records that a part of the page failed; the page is shown without it. */
  leaveOut(failure: unknown): void {
    this.#leftOut.push(failure);
  }

  /** Returns the errors because of which parts of the page are missing. */
  get leftOut(): readonly unknown[] {
    return this.#leftOut;
  }

  /** Returns the session secret as it was sent; the caller has to check that the session exists. */
  get session(): string | null {
    return this.#session;
  }

  /** Returns the language chosen in this browser. */
  get language(): string | null {
    return this.#jar.language;
  }

  keepLanguage(language: string): void {
    if (language !== this.#jar.language) this.#jar.setLanguage(language);
  }

  /** Returns the page of another website that the person came from; null if they came from none. */
  get embedding(): EmbeddingPage | null {
    return rememberedPage(this.#jar.website, this.site.home, this.#isHttps);
  }

  /** Remembers the page of another website that the person came from, if the browser confirms it. */
  rememberEmbedding(asked: string | null): void {
    const page = embeddingPage(asked, this.referrer, this.#isHttps);
    if (page !== null) this.#jar.setWebsite(embeddingCookie(this.site.home, page));
  }

  get #isHttps(): boolean {
    return this.baseUrl.startsWith('https:');
  }

  /** Gives the browser this session; `keep`: it also survives closing the browser. */
  startSession(secret: string, keep: boolean): void {
    this.#session = secret;
    this.#jar.setSession(keep ? KEPT_PREFIX + secret : secret, keep ? KEPT_SECONDS : null);
  }

  /** Returns true if the session outlives the browser's windows. */
  get keepsSession(): boolean {
    return this.#jar.session?.startsWith(KEPT_PREFIX) ?? false;
  }

  /** Replaces the secret of the same session, which stays as persistent as it was. */
  renewSession(secret: string): void {
    this.startSession(secret, this.keepsSession);
  }

  endSession(): void {
    this.#session = null;
    this.#jar.setSession(null, null);
  }

  /** Returns the token for each form of this page. Creates the cookie that it is bound to, if there is none yet. */
  get token(): string {
    return formToken(this.#session ?? this.#formSecret());
  }

  /**
   * Returns a name for this browser at this host that reveals nothing of its cookie. Creates the cookie if there is
   * none yet; see `isBrowser`.
   */
  get browser(): string {
    return browserOf(this.#formSecret());
  }

  /** Returns true if this browser had that name. */
  isBrowser(name: string): boolean {
    return this.#form !== null && name === browserOf(this.#form);
  }

  #formSecret(): string {
    if (!this.#form) {
      this.#form = randomBytes(32).toString('base64url');
      this.#jar.setForm(this.#form);
    }
    return this.#form;
  }

  holdsToken(token: string | null): boolean {
    return isFormToken(token, this.#session ?? this.#form);
  }
}

const browserOf = (form: string): string => createHash('sha256').update(`browser of ${form}`).digest('base64url');

const wellFormed = (secret: string | null): string | null => (secret !== null && SECRET.test(secret) ? secret : null);
