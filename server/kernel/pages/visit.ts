/** One request for a page, as the code of pages sees it, and what it may answer. */
import { createHash, randomBytes } from 'node:crypto';
import type { Html } from '../base/markup/html.ts';
import type { Document } from '../api/document.ts';
import type { FileToSend } from '../api/file.ts';
import type { Script } from './script.ts';
import { ENGLISH, type Reader } from '../base/languages/languages.ts';
import { formToken, isFormToken } from './csrf.ts';

/** Whose pages these are: name and colours of everything that is shown. */
export interface Site {
  readonly name: string;
  /** where the name leads */
  readonly home: string;
  /** address of the style sheet with the colours; null: the plain ones */
  readonly theme: string | null;
  /** what its customers read, unless their browser asks for something that we have; absent: English */
  readonly reader?: Reader;
  /** a host name of its own, at which its pages are served too */
  readonly host?: string | null;
  /** what is absent: the first letter of its name, and no icon */
  readonly brand?: Partial<Brand>;
}

export interface Brand {
  /** stands at the top of every page and leads home; it says the name */
  readonly mark: Html;
  /** icons and colours for browsers, in the head of every page */
  readonly head: Html;
}

/** What stands around a page, and for whom. */
export interface Frame {
  readonly reader: Reader;
  /** further elements of the head */
  readonly head: Html | null;
  /** at the end of the page */
  readonly foot: Html | null;
}

/** Nothing but the top and the end that every page has. */
export const bareFrame = (reader: Reader): Frame => ({ reader, head: null, foot: null });

export interface Shown {
  readonly kind: 'page';
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** stands beside the name at the top */
  readonly top: Html | null;
  /** the one script of the page, a file of our own; null: nothing may run */
  readonly script: Script | null;
  readonly frame: Frame;
  /** the same for everybody who asks alike, and without forms that are bound to a browser: search engines may keep it, and it is compressed */
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
    open = false,
    headers = {},
  }: Partial<Omit<Shown, 'kind' | 'title' | 'body'>> = {},
): Shown => ({ kind: 'page', status, title, body, top, script, frame, open, headers });

/** After a form: the next page is asked for anew, so that reloading it sends nothing twice. */
export const seeOther = (to: string): PageAnswer => ({ kind: 'redirect', to });

/**
 * After a form, to an address that may lead on to another site. A redirect would be stopped there by our own policy for
 * forms, which browsers hold against every hop; a page that goes on by itself ends the form first.
 */
export const goOn = (to: string): PageAnswer => ({ kind: 'go-on', to });

/** To be kept by the person who asked, and by nobody in between. */
export const toKeep = (file: FileToSend): PageAnswer => ({ kind: 'file', file });

export interface Jar {
  /** the session's cookie as the browser sent it, and the one for forms before there is a session */
  readonly session: string | null;
  readonly form: string | null;
  /** null: none any more */
  setSession(cookie: string | null, maxAgeSeconds: number | null): void;
  setForm(secret: string): void;
  /** the language that somebody has chosen; null: none */
  readonly language: string | null;
  setLanguage(language: string): void;
}

export interface VisitParts<S extends Site> {
  readonly site: S;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** what a form sent; empty for GET */
  readonly sent: URLSearchParams;
  readonly path: string;
  readonly ip: string;
  readonly agent: string;
  /** `accept-language` as it was sent */
  readonly accepts: string | undefined;
  /** epoch ms */
  readonly now: number;
  readonly requestId: string;
  /** the address that people reach the service at, without a slash at its end */
  readonly baseUrl: string;
  /** the host name of the site's own at which the page was asked; null: it was asked at the installation */
  readonly ownHost: string | null;
  readonly jar: Jar;
}

const SECRET = /^[\w-]{20,200}$/;
/** Before the secret of a session that outlives the browser's windows: renewed, it still does. */
const KEPT = 'kept.';
/** No session lasts longer, whatever the browser keeps. */
const KEPT_SECONDS = 90 * 86_400;

/** The session's secret in the cookie of this value; null where it cannot be one. */
export const sessionSecret = (cookie: string | null): string | null =>
  cookie === null ? null : wellFormed(cookie.startsWith(KEPT) ? cookie.slice(KEPT.length) : cookie);

export class Visit<S extends Site = Site> {
  readonly site: S;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly sent: URLSearchParams;
  readonly path: string;
  readonly ip: string;
  readonly agent: string;
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
    const { site, params, query, sent, path, ip, agent, accepts, now, requestId, baseUrl, ownHost, jar } = parts;
    this.site = site;
    this.params = params;
    this.query = query;
    this.sent = sent;
    this.path = path;
    this.ip = ip;
    this.agent = agent;
    this.accepts = accepts;
    this.now = now;
    this.requestId = requestId;
    this.baseUrl = baseUrl;
    this.ownHost = ownHost;
    this.#jar = jar;
    this.#session = sessionSecret(jar.session);
    this.#form = wellFormed(jar.form);
  }

  /** A part of the page failed, and the page is shown without it. */
  leaveOut(failure: unknown): void {
    this.#leftOut.push(failure);
  }

  /** Why parts of the page are missing. */
  get leftOut(): readonly unknown[] {
    return this.#leftOut;
  }

  /** The secret of the session as it came; whether there is such a session is for others to say. */
  get session(): string | null {
    return this.#session;
  }

  /** What somebody has chosen to read, for this browser. */
  get language(): string | null {
    return this.#jar.language;
  }

  keepLanguage(language: string): void {
    if (language !== this.#jar.language) this.#jar.setLanguage(language);
  }

  /** From now on the browser has this session; `keep`: also after it was closed. */
  startSession(secret: string, keep: boolean): void {
    this.#session = secret;
    this.#jar.setSession(keep ? KEPT + secret : secret, keep ? KEPT_SECONDS : null);
  }

  /** The session outlives the browser's windows. */
  get keepsSession(): boolean {
    return this.#jar.session?.startsWith(KEPT) ?? false;
  }

  /** The same session under a new secret; it is kept as it was before. */
  renewSession(secret: string): void {
    this.startSession(secret, this.keepsSession);
  }

  endSession(): void {
    this.#session = null;
    this.#jar.setSession(null, null);
  }

  /** For each form of this page. Makes the cookie that it is bound to, where there is none yet. */
  get token(): string {
    return formToken(this.#session ?? this.#formSecret());
  }

  /**
   * Names this browser at this host to others, who learn nothing of its cookie by it. Makes the cookie where there is none
   * yet; see `isBrowser`.
   */
  get browser(): string {
    return browserOf(this.#formSecret());
  }

  /** Whether this is the browser that had the name. */
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
