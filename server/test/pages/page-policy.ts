/**
 * Checks that a page keeps its own content security policy as browsers enforce it, and that it loads only from its own
 * service.
 */
import { elementsIn, textContent, type Document, type Element } from './page-document.ts';
import { createHash } from 'node:crypto';

type Directives = ReadonlyMap<string, readonly string[]>;

/** Reads every policy of a response: `headers` joins several with commas. */
export const readPolicies = (header: string | null): Directives[] =>
  (header ?? '')
    .split(',')
    .filter((policy) => policy.trim() !== '')
    .map(
      (policy) =>
        new Map(
          policy
            .split(';')
            .map((directive) => directive.trim().split(/\s+/))
            .filter(([name]) => name)
            .toReversed()
            .map(([name, ...sources]) => [name.toLowerCase(), sources]),
        ),
    );

/** The fallbacks for a directive that a policy doesn't have. */
const FALLBACKS: Record<string, readonly string[]> = {
  'style-src-elem': ['style-src', 'default-src'],
  'style-src-attr': ['style-src', 'default-src'],
  'script-src-elem': ['script-src', 'default-src'],
  'script-src-attr': ['script-src', 'default-src'],
  'frame-src': ['child-src', 'default-src'],
  'form-action': [],
  'base-uri': [],
};

const sourcesOf = (policy: Directives, directive: string): readonly string[] | undefined =>
  [directive, ...(FALLBACKS[directive] ?? ['default-src'])]
    .map((name) => policy.get(name))
    .find((one) => one !== undefined);

export interface Asked {
  readonly directive: string;
  readonly url: URL;
  readonly nonce?: string;
}

/** Returns true if every policy allows a page at `own` to load this, or to send a form there. */
export const allows = (policies: readonly Directives[], { directive, url, nonce }: Asked, own: URL): boolean =>
  policies.every((policy) => {
    const sources = sourcesOf(policy, directive);
    return (
      sources === undefined ||
      (nonce !== undefined && sources.includes(`'nonce-${nonce}'`)) ||
      sources.some((source) => matchesSource(source, url, own))
    );
  });

function matchesSource(source: string, url: URL, own: URL): boolean {
  if (source === "'self'") return url.origin === own.origin;
  if (source === '*') return /^(https?|wss?):$/.test(url.protocol) || url.protocol === own.protocol;
  if (/^[a-z][a-z+.-]*:$/i.test(source)) return url.protocol === source.toLowerCase();
  const [, scheme, host, port, path] = /^(?:([a-z][a-z+.-]*):\/\/)?([^/:']+)(?::(\d+|\*))?(\/.*)?$/i.exec(source) ?? [];
  if (host === undefined) return false;
  const isHost = host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : host === '*' || url.hostname === host;
  const defaults: Record<string, string> = { 'http:': '80', 'https:': '443' };
  const isPort = port === '*' || (url.port || defaults[url.protocol]) === (port ?? defaults[url.protocol]);
  const isPath = !path || (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path);
  return `${scheme ?? own.protocol.slice(0, -1)}:` === url.protocol && isHost && isPort && isPath;
}

function allowsInline(policies: readonly Directives[], directive: string, text: string, nonce?: string): boolean {
  return policies.every((policy) => {
    const sources = sourcesOf(policy, directive);
    if (sources === undefined) return true;
    if (nonce !== undefined && sources.includes(`'nonce-${nonce}'`)) return true;
    const isAttribute = directive.endsWith('-attr');
    const hashes = sources.filter((source) => /^'sha(256|384|512)-/.test(source));
    if (hashes.some((one) => one === hashSource(one.slice(1, 7), text)))
      return !isAttribute || sources.includes("'unsafe-hashes'");
    // If a policy has a nonce or a hash, browsers ignore `unsafe-inline`.
    return (
      sources.includes("'unsafe-inline'") && hashes.length === 0 && !sources.some((one) => one.startsWith("'nonce-"))
    );
  });
}

const hashSource = (algorithm: string, text: string): string =>
  `'${algorithm}-${createHash(algorithm).update(text).digest('base64')}'`;

/** Returns true for scripts that run, as opposed to data blocks. */
const isScript = ({ attribs }: Element): boolean =>
  ['', 'module', 'importmap', 'speculationrules', 'text/javascript', 'application/javascript'].includes(
    (attribs.type ?? '').trim().toLowerCase(),
  );

/** Returns a description by which people recognize an element. */
const shown = ({ name, attribs }: Element): string =>
  `<${name}${Object.entries(attribs)
    .map(([key, value]) => ` ${key}="${value}"`)
    .join('')}>`.slice(0, 200);

const LINKS: Record<string, string> = {
  stylesheet: 'style-src-elem',
  icon: 'img-src',
  'apple-touch-icon': 'img-src',
  manifest: 'manifest-src',
  modulepreload: 'script-src-elem',
};
const PRELOADS: Record<string, string> = {
  style: 'style-src-elem',
  script: 'script-src-elem',
  image: 'img-src',
  font: 'font-src',
};

const srcset = (value: string | undefined): string[] =>
  (value ?? '').split(',').flatMap((one) => one.trim().split(/\s+/)[0] || []);

const each = (directive: string, urls: readonly (string | undefined)[]): [string, string][] =>
  urls.flatMap((url) => (url ? [[directive, url] as [string, string]] : []));

/** Yields what an element loads, by the directive that governs it. */
function* loadedBy(element: Element): Generator<[directive: string, url: string]> {
  const { name, attribs } = element;
  if (name === 'link')
    for (const rel of (attribs.rel ?? '').toLowerCase().split(/\s+/)) {
      const directive = rel === 'preload' ? PRELOADS[attribs.as ?? ''] : LINKS[rel];
      if (directive) yield* each(directive, [attribs.href]);
    }
  if (name === 'img') yield* each('img-src', [attribs.src, ...srcset(attribs.srcset)]);
  if (name === 'source')
    yield* each(
      element.parent && 'name' in element.parent && element.parent.name === 'picture' ? 'img-src' : 'media-src',
      [attribs.src, ...srcset(attribs.srcset)],
    );
  if (name === 'input' && attribs.type === 'image') yield* each('img-src', [attribs.src]);
  if (name === 'image' || name === 'feimage') yield* each('img-src', [attribs.href ?? attribs['xlink:href']]);
  if (name === 'video' || name === 'audio') yield* each('media-src', [attribs.src]);
  if (name === 'video') yield* each('img-src', [attribs.poster]);
  if (name === 'track') yield* each('media-src', [attribs.src]);
  if (name === 'script' && isScript(element)) yield* each('script-src-elem', [attribs.src]);
  if (name === 'iframe' || name === 'frame') yield* each('frame-src', [attribs.src]);
  if (name === 'embed') yield* each('object-src', [attribs.src]);
  if (name === 'object') yield* each('object-src', [attribs.data]);
}

export interface Loading {
  readonly policies: readonly Directives[];
  /** address of the page */
  readonly own: URL;
  /** other origins that pages may load from and send forms to */
  readonly others: readonly string[];
}

/** Returns everything on the page that violates its policy or would load from or send to another origin. */
export function complaintsOf(document: Document, { policies, own, others }: Loading): string[] {
  const found: string[] = [];
  const tell = (element: Element, directive: string): void =>
    void found.push(`Content Security Policy: ${directive} refuses ${shown(element)}`);
  const ask = (element: Element, directive: string, address: string): void => {
    const url = URL.parse(address, own);
    if (!url) return void found.push(`${address} is no address: ${shown(element)}`);
    if (!allows(policies, { directive, url, nonce: element.attribs.nonce }, own)) tell(element, directive);
    if (url.protocol !== 'data:' && url.origin !== own.origin && !others.includes(url.origin))
      found.push(`asked for ${url.href}`);
  };
  for (const element of elementsIn(document)) {
    const { name, attribs } = element;
    for (const [directive, url] of loadedBy(element)) ask(element, directive, url);
    if (name === 'form') ask(element, 'form-action', attribs.action ?? '');
    if ('formaction' in attribs) ask(element, 'form-action', attribs.formaction);
    if (name === 'base' && 'href' in attribs) ask(element, 'base-uri', attribs.href);
    const { nonce } = attribs;
    if (name === 'style' && !allowsInline(policies, 'style-src-elem', textContent(element), nonce))
      tell(element, 'style-src');
    if ('style' in attribs && !allowsInline(policies, 'style-src-attr', attribs.style)) tell(element, 'style-src');
    if (
      name === 'script' &&
      !('src' in attribs) &&
      isScript(element) &&
      !allowsInline(policies, 'script-src-elem', textContent(element), nonce)
    )
      tell(element, 'script-src');
    for (const [key, value] of Object.entries(attribs)) {
      const runs =
        key.startsWith('on') || (/^(href|src|action|formaction)$/.test(key) && /^\s*javascript:/i.test(value));
      if (runs && !allowsInline(policies, 'script-src-attr', value)) tell(element, 'script-src');
    }
  }
  return found;
}
