/**
 * The frame of every page of a booking site: the menu, the languages, and metadata for search engines and messengers.
 */
import { addressesOf, TYPE_OF } from '../../platform/images/index.ts';
import type { Business } from './business.ts';
import { at } from './entrance.ts';
import { FRAME, type FrameKey } from './messages.ts';
import { Html, html } from '../../../kernel/base/markup/html.ts';
import { hasSite, inLanguage, sitePath, type PageName, type Written } from './written.ts';
import { languageLinks } from './language-links.ts';
import { LANGUAGES, type Language, type Reader } from '../../../kernel/base/languages/languages.ts';
import { page, type Shown, type Visit } from '../../../kernel/pages/visit.ts';
import { TOKEN_FIELD } from '../../../kernel/pages/show-form.ts';
import type { Script } from '../../../kernel/pages/script.ts';
import { withReturn } from './views/parts.ts';

type At = Visit<Business>;

/** The reader of a page. */
interface For {
  readonly reader: Reader;
}

type FrameWritten = Written<FrameKey>;

export interface Around {
  /** current page in the menu */
  readonly here: PageName | null;
  /** for search engines and messengers */
  readonly description: string;
  /** schema.org objects; empty: only the title and description */
  readonly data?: readonly object[];
  /** visible to this person only: somebody is logged in */
  readonly personal: boolean;
  /** `noindex`: one of very many views of the same data */
  readonly indexed?: boolean;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** path and query at which the page of a form can be requested; absent: the requested address */
  readonly self?: string;
  /** a single narrow card, whose form is bound to this browser; never cached */
  readonly card?: boolean;
  /** page of somebody's account, with a log-out button */
  readonly own?: boolean;
  /** query to keep when the language changes and through the log-in; the requested one if absent */
  readonly query?: URLSearchParams;
  /** script that enhances the page, where scripts run */
  readonly script?: Script;
  /** makes the site installable as an app; only on pages with a script, whose policy lets browsers fetch it */
  readonly manifest?: string;
}

/** Maximum width of pictures that messengers show. */
const SHARED_WIDTH = 1280;

/** Pages of the menu, in its order; a business lists those that it has besides the timetable and memberships. */
const MENU = ['timetable', 'courses', 'book', 'memberships', 'shop', 'gift-cards', 'library'] as const;

/** Returns a page in the frame of the site: its menu, its languages, and metadata for search engines. */
export function sitePage(visit: At, { reader }: For, title: string, body: Html, around: Around): Shown {
  const say = FRAME.for(reader, visit.site.tenant.words);
  const written = { say, reader };
  // Missing pages and refusals are not cached.
  const open = !around.personal && !around.card && (around.status ?? 200) === 200;
  return page(title, around.card ? body : html`<div class="wide${around.own ? '' : ' site'}">${body}</div>`, {
    status: around.status ?? 200,
    headers: around.headers,
    top: menu(visit, written, around),
    open,
    script: around.script ?? null,
    frame: {
      reader,
      head: html`${around.personal || around.card ? null : head(visit, title, around)}${
        around.manifest && html`<link rel="manifest" href="${around.manifest}">\n`
      }`,
      foot: languageLinks(askedAgain(visit, around), written),
    },
  });
}

const way = (to: string, label: string, open: boolean): Html =>
  html`<a href="${to}"${open ? html` aria-current="page"` : null}>${label}</a>`;

function menu(visit: At, { say }: FrameWritten, { here, personal, own, self, query = visit.query }: Around): Html {
  const { site } = visit;
  const home = hasSite(site) ? site.home : null;
  const asked = self ?? (here === null ? home : inLanguage(visit, null));
  // The return address of a log-in is kept.
  const to = query.get('return_to') ?? asked;
  const has = (name: (typeof MENU)[number]) =>
    name === 'timetable' || name === 'memberships' || site.offers.includes(name);
  const ways = hasSite(site)
    ? MENU.filter(has).map((name) => way(sitePath(site, name), say(`nav.${name}`), here === name))
    : [];
  // On a phone, the links open over the page. A browser that knows no popovers shows them in the header.
  return html`<button class="quiet menu-button" popovertarget="menu">${say('nav.menu')}</button><nav class="menu" id="menu" popover aria-label="${say('nav')}">${ways}${
    personal
      ? way(at(site, 'profile'), say('nav.account'), false)
      : way(withReturn(at(site, 'log-in'), to), say('nav.log_in'), false)
  }${
    own
      ? html`<form method="post" action="${at(site, 'log-out')}"><input type="hidden" name="${TOKEN_FIELD}" value="${visit.token}"><button class="plain">${say('nav.log_out')}</button></form>`
      : null
  }</nav>`;
}

/** Returns the address of the page itself, to which other languages are added. */
function askedAgain({ path, query }: At, around: Around): Pick<Visit, 'path' | 'query'> {
  if (around.self === undefined) return { path, query: around.query ?? query };
  const [own, asked = ''] = around.self.split('?');
  return { path: own, query: new URLSearchParams(asked) };
}

function head(visit: At, title: string, { description, data = [], indexed = true }: Around): Html {
  const { site, baseUrl, path } = visit;
  // At the site's own host name, the home page is at the root.
  const own = site.host
    ? { base: `https://${site.host}`, path: path === site.home ? '/' : path }
    : { base: baseUrl, path };
  const to = (language: Language | null) => own.base + inLanguage({ path: own.path, query: visit.query }, language);
  const canonical = to(null);
  return html`<meta name="description" content="${description}">
${indexed ? null : html`<meta name="robots" content="noindex, follow">`}
<link rel="canonical" href="${canonical}">
${(Object.keys(LANGUAGES) as Language[]).map(
  (language) => html`<link rel="alternate" hreflang="${language}" href="${to(language)}">`,
)}
<link rel="alternate" hreflang="x-default" href="${canonical}">
<meta property="og:site_name" content="${site.name}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${canonical}">${sharedPicture(visit)}
${data.length === 0 ? null : linkedData(data)}`;
}

/**
 * Returns the picture that messengers show with a link, in a format that all of them support, and no larger than they
 * accept.
 */
function sharedPicture({ site: { look, name }, baseUrl }: At): Html | null {
  const stored = look.cover ?? look.logo;
  if (!stored) return null;
  const sizes = addressesOf(stored, baseUrl).sources.filter(({ type }) => type === TYPE_OF[stored.fallback]);
  const one = sizes.findLast(({ width }) => width <= SHARED_WIDTH) ?? sizes[0];
  return html`
<meta property="og:image" content="${one.url}">
<meta property="og:image:width" content="${one.width}">
<meta property="og:image:height" content="${one.height}">
<meta property="og:image:alt" content="${name}">
<meta name="twitter:card" content="${look.cover ? 'summary_large_image' : 'summary'}">`;
}

/** Returns data for search engines. Browsers never run it, and nothing in it can close its element. */
function linkedData(things: readonly object[]): Html {
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': things });
  return new Html(`<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>\n`);
}

/** Returns the business and its location for search engines. */
export const businessData = ({ site, baseUrl }: At): object => ({
  '@type': 'LocalBusiness',
  '@id': `${baseUrl}${site.home}`,
  name: site.name,
  url: `${baseUrl}${site.home}`,
  ...(site.description && { description: site.description }),
  ...(site.look.logo && { logo: addressesOf(site.look.logo, baseUrl).url }),
  ...(site.look.cover && { image: addressesOf(site.look.cover, baseUrl).url }),
  ...(site.contact.email && { email: site.contact.email }),
  ...(site.contact.phone && { telephone: site.contact.phone }),
});
