/**
 * Pages that tests record for the check at the end of the run. The findings of axe depend on how a page is built and
 * styled, so each distinct page is checked once (looks-at-end.ts), however many tests visit it.
 *
 * All processes of a run share the records: files below TEST_FOLDER, named by the hash of their contents.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runningFile } from '../running.ts';

export interface Asset {
  readonly type: string;
  readonly body: Uint8Array;
}

export interface PageToRecord {
  /** name in failures and screenshots */
  readonly name: string;
  /** address of the page; its references are relative to it */
  readonly url: string;
  readonly html: string;
  /** response headers in lower case; only the content security policy matters */
  readonly headers: Readonly<Record<string, string>>;
  /** false if the page is shown within another page, like an email, so it has no landmarks of its own */
  readonly whole?: boolean;
  /**
   * a page with scripts in its recorded state, from `liveHtml`; scripts may set things that its policy forbids to a
   * document
   */
  readonly live?: boolean;
  /** reads an asset of the page by its absolute address, as its visitor would; null if it doesn't exist */
  readonly asset?: (url: string) => Promise<Asset | null>;
}

export interface RecordedPage {
  readonly name: string;
  readonly url: string;
  readonly html: string;
  readonly policy: string;
  readonly whole: boolean;
  readonly live: boolean;
  /** absolute address → the name of the file and its type; null if it didn't exist */
  readonly assets: Readonly<Record<string, { readonly file: string; readonly type: string } | null>>;
  /** the test file that recorded it */
  readonly by: string;
}

/**
 * Records a page for the check at the end of the run. Call it while the service still responds: style sheets and images
 * of the page are stored with it.
 */
export async function recordPage(page: PageToRecord): Promise<void> {
  keep('pages', Buffer.from(JSON.stringify(await captured(page))));
}

/** Returns the page with everything that it refers to. */
export async function captured({
  name,
  url,
  html,
  headers,
  whole = true,
  live = false,
  asset = fetchAsset,
}: PageToRecord): Promise<RecordedPage> {
  const assets: Record<string, { file: string; type: string } | null> = {};
  const missing = listAssets(html, url);
  for (let next = missing.pop(); next !== undefined; next = missing.pop()) {
    if (next in assets) continue;
    const { kept, refersTo } = await keptAsset(next, asset);
    assets[next] = kept;
    missing.push(...refersTo);
  }
  const policy = headers['content-security-policy'] ?? '';
  return { name, url, html, policy, whole, live, assets, by: runningFile() ?? 'unknown' };
}

/** Returns every page that this run has recorded, in an order that depends only on the pages. */
export function recordedPages(): RecordedPage[] {
  const folder = folderOf('pages');
  return readdirSync(folder)
    .filter((name) => !name.includes('.'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RecordedPage)
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

export const countPages = (): number => recordedPages().length;

/** Returns how many of the recorded pages have been checked. */
export function countLooked(): number {
  try {
    return Number(readFileSync(join(folderOf('pages'), '..', 'looked'), 'utf8'));
  } catch {
    return 0;
  }
}

export function markLooked(pages: number): void {
  writeFileSync(join(folderOf('pages'), '..', 'looked'), String(pages));
}

const key = ({ by, name, html }: RecordedPage): string => `${by} ${name} ${html}`;

export const assetBody = (file: string): Buffer => readFileSync(join(folderOf('assets'), file));

function folderOf(kind: 'pages' | 'assets'): string {
  const parent = process.env.TEST_FOLDER;
  if (!parent)
    throw new Error(
      'Pages are recorded where tests run through npm test (npm test -- FILE for one file): it looks at them.',
    );
  const folder = join(parent, 'looks', kind);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Writes atomically under the name of its hash: two processes that store the same content write the same file. */
function keep(kind: 'pages' | 'assets', body: Uint8Array): string {
  const [folder, name] = [folderOf(kind), hash('sha256', body, 'hex')];
  const draft = join(folder, `${name}.${process.pid}`);
  writeFileSync(draft, body);
  renameSync(draft, join(folder, name));
  return name;
}

interface KeptAsset {
  readonly kept: RecordedPage['assets'][string];
  /** absolute addresses */
  readonly refersTo: readonly string[];
}

/** An address with a version never changes its content, so it is read only once. */
const VERSIONED = /[?&]v=[\da-f]{8}|\/dashboard\/assets\//;
const versioned = new Map<string, Promise<KeptAsset>>();

function keptAsset(url: string, asset: NonNullable<PageToRecord['asset']>): Promise<KeptAsset> {
  if (!VERSIONED.test(url)) return keepAsset(url, asset);
  const found = versioned.get(url) ?? keepAsset(url, asset);
  versioned.set(url, found);
  return found;
}

async function keepAsset(url: string, asset: NonNullable<PageToRecord['asset']>): Promise<KeptAsset> {
  const found = await asset(url);
  if (!found) return { kept: null, refersTo: [] };
  const isStyle = /^text\/css\b/.test(found.type);
  return {
    kept: { file: keep('assets', found.body), type: found.type },
    refersTo: isStyle ? urlsOfStyle(Buffer.from(found.body).toString(), url) : [],
  };
}

async function fetchAsset(url: string): Promise<Asset | null> {
  const response = await fetch(url);
  const body = new Uint8Array(await response.arrayBuffer());
  return response.ok ? { type: response.headers.get('content-type') ?? 'application/octet-stream', body } : null;
}

const TAG = /<(link|img|source|video|image|use)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const unescaped = (value: string): string => value.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
const attribute = (attributes: string, name: string): string | undefined => {
  const value = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes);
  return value ? unescaped(value[1] ?? value[2] ?? value[3]!) : undefined;
};

/** Returns the absolute addresses of everything that a page needs for its appearance. */
export function listAssets(html: string, url: string): string[] {
  const found = new Set<string>();
  const add = (address: string | undefined): void => {
    if (!address || address.startsWith('#')) return;
    const absolute = URL.parse(address, url);
    if (absolute && /^https?:$/.test(absolute.protocol)) found.add(absolute.href.replace(/#.*/, ''));
  };
  for (const [, tag, attributes] of html.matchAll(TAG)) {
    const of = (name: string) => attribute(attributes!, name);
    if (tag!.toLowerCase() === 'link') {
      if (/\bstylesheet\b/i.test(of('rel') ?? '')) add(of('href'));
      continue;
    }
    for (const name of ['src', 'poster']) add(of(name));
    if (/^(image|use)$/i.test(tag!)) add(of('href'));
    for (const one of of('srcset')?.split(',') ?? []) add(one.trim().split(/\s+/)[0]);
  }
  for (const [, style] of html.matchAll(/\sstyle="([^"]*)"/gi))
    for (const one of urlsOfStyle(unescaped(style!), url)) add(one);
  return [...found];
}

/** Returns the references of a style sheet at `url`. */
function urlsOfStyle(style: string, url: string): string[] {
  return [...style.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)/g)].flatMap(([, a, b, c]) => {
    const absolute = URL.parse((a ?? b ?? c)!, url);
    return absolute && /^https?:$/.test(absolute.protocol) ? [absolute.href.replace(/#.*/, '')] : [];
  });
}

/** The DOM types that `liveHtml` uses; the tests are compiled without them. */
type Dom = any;

/**
 * Returns the document in its current state, with marks for what HTML doesn't contain. Runs in the browser, so it uses
 * nothing from the surrounding scope. `restoreLive` (look-at.ts) reads the marks.
 */
export function liveHtml(): string {
  const { document } = globalThis as Dom;
  const copy = document.documentElement.cloneNode(true);
  const copies = [copy, ...copy.querySelectorAll('*')];
  for (const [index, element] of [document.documentElement, ...document.querySelectorAll('html *')].entries()) {
    const twin = copies[index];
    const set = (name: string, on: boolean): void => (on ? twin.setAttribute(name, '') : twin.removeAttribute(name));
    if (element.localName === 'input') {
      set('checked', element.checked);
      if (element.type !== 'file' && element.type !== 'password') twin.setAttribute('value', element.value);
      if (element.indeterminate) set('data-look-indeterminate', true);
    }
    if (element.localName === 'img' && element.src.startsWith('blob:')) {
      const canvas = Object.assign(document.createElement('canvas'), {
        width: element.naturalWidth,
        height: element.naturalHeight,
      });
      canvas.getContext('2d').drawImage(element, 0, 0);
      twin.src = canvas.toDataURL();
    }
    if (element.localName === 'option') set('selected', element.selected);
    if (element.localName === 'textarea') twin.textContent = element.value;
    if (element.localName === 'dialog' && element.matches(':modal')) set('data-look-modal', true);
    if (element.hasAttribute('popover') && element.matches(':popover-open')) set('data-look-popover', true);
    if (element === document.activeElement && element !== document.body) set('data-look-focus', true);
    if (element.scrollTop || element.scrollLeft)
      twin.setAttribute('data-look-scroll', `${element.scrollLeft} ${element.scrollTop}`);
  }
  for (const script of copy.querySelectorAll('script')) script.remove();
  return `<!doctype html>${copy.outerHTML}`;
}
