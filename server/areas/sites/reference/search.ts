/**
 * Full-text search over operations, properties, refusals, feed items and documents. Bounded: long texts are truncated.
 */
import {
  DOCS,
  errorAddress,
  operationAddress,
  PERMISSIONS,
  resourceAddresses,
  titleOf,
  topicPage,
} from './addresses.ts';
import { feedAddresses } from './feed.ts';
import { frame, MAX_QUESTION } from './frame.ts';
import { html, inline, type Html } from '../../../kernel/base/markup/html.ts';
import { sectionsOf } from './markdown.ts';
import type { Library } from './library.ts';
import type { Registry } from '../../../kernel/api/registry.ts';
import type { Shape } from '../../../kernel/base/fields/field.ts';

interface Entry {
  readonly kind: keyof typeof WEIGHTS;
  readonly title: string;
  readonly address: string;
  /** text below the title */
  readonly says: string;
  /** lower case */
  readonly name: string;
  readonly words: string;
}

/** Kinds that people usually look for come first among equal matches. */
const WEIGHTS = { Operation: 5, Area: 5, Document: 4, Refusal: 3, 'Feed item': 2, Permission: 2, Property: 1 } as const;

const MAX_WORDS = 8;
const MAX_SHOWN = 40;
const MAX_EXCERPT_LENGTH = 200;

export class Search {
  readonly #entries: readonly Entry[];

  constructor(registry: Registry, library: Library) {
    this.#entries = entriesOf(registry, library);
  }

  /** Returns the entries that contain all of the words, best match first. */
  find(question: string): Entry[] {
    const words = wordsOf(question);
    if (words.length === 0) return [];
    const found = this.#entries.flatMap((entry) => {
      const score = scoreOf(entry, words, question.trim().toLowerCase());
      return score > 0 ? [{ entry, score }] : [];
    });
    return found.toSorted((a, b) => b.score - a.score).map(({ entry }) => entry);
  }
}

const wordsOf = (question: string): string[] =>
  [...new Set(question.slice(0, MAX_QUESTION).toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MAX_WORDS);

/** Returns the score; 0 if a word is missing. */
function scoreOf({ kind, name, words: text }: Entry, words: readonly string[], whole: string): number {
  let score: number = WEIGHTS[kind];
  if (name === whole) score += 100;
  else if (name.endsWith(whole) || name.startsWith(whole)) score += 20;
  for (const word of words) {
    if (name.includes(word)) score += 20;
    else if (text.includes(word)) score += 5;
    else return 0;
  }
  // Shorter names rank higher among names that contain the words.
  return score + 10 / name.length;
}

const named = (shape: Shape = {}): string => Object.keys(shape).join(' ');

function entriesOf(registry: Registry, library: Library): Entry[] {
  const addressOf = resourceAddresses(registry);
  const feedAddress = feedAddresses(registry);
  const entry = (kind: Entry['kind'], title: string, address: string, says: string, more = ''): Entry => ({
    kind,
    title,
    address,
    says: says.length > MAX_EXCERPT_LENGTH ? `${says.slice(0, says.lastIndexOf(' ', MAX_EXCERPT_LENGTH))} …` : says,
    name: title.toLowerCase(),
    words: `${title} ${title.replaceAll(/[_./{}]+/g, ' ')} ${says} ${more}`.toLowerCase(),
  });
  return [
    ...registry.topics.map(({ name, description }) => entry('Area', titleOf(name), topicPage(name), description)),
    ...registry.endpoints.map((e) =>
      entry(
        'Operation',
        `${e.method} ${e.path}`,
        operationAddress(e),
        `${e.summary}.`,
        `${e.description ?? ''} ${named(e.query)} ${named(e.body)}`,
      ),
    ),
    ...[...registry.resources.values()].flatMap(({ name, fields }) =>
      Object.entries(fields).map(([field, { spec }]) =>
        entry('Property', `${name}.${field}`, addressOf(name), spec.description ?? `A property of ${name}.`),
      ),
    ),
    ...[...registry.problems.values()].map(({ code, means, status }) =>
      entry('Refusal', code, errorAddress(code), `${status}: ${means}`),
    ),
    ...[...registry.feed.values()].map((kind) =>
      entry('Feed item', kind.kind, feedAddress(kind), kind.description, named(kind.payload)),
    ),
    ...[...registry.permissions.values()].map(({ permission, means }) =>
      entry('Permission', permission, `${PERMISSIONS}#permissions`, means),
    ),
    ...library.articles.flatMap((article) =>
      sectionsOf(article.text).map(({ id, title, words, says }, i) =>
        entry('Document', i === 0 ? title : `${article.title}: ${title}`, `${article.address}#${id}`, says, words),
      ),
    ),
  ];
}

export function searchPage(question: string, search: Search, nav: Html): string {
  const asked = question.slice(0, MAX_QUESTION).trim();
  const found = search.find(asked);
  const title = asked === '' ? 'Search' : `Search: ${asked}`;
  return frame(`${title}: Rollcall API`, nav, html`<h1>Search</h1>${resultsOf(asked, found)}`, asked);
}

function resultsOf(asked: string, found: readonly Entry[]): Html {
  if (asked === '') return html`<p>Search operations, properties, refusals, feed items, permissions and guides.</p>`;
  if (found.length === 0)
    return html`<p>Nothing has all of these words: ${asked}. Try fewer words, or look through
<a href="${DOCS}">everything there is</a>.</p>`;
  const shown = found.slice(0, MAX_SHOWN);
  return html`<p role="status">${found.length} ${
    found.length === 1 ? 'result' : 'results'
  } for <strong>${asked}</strong>${shown.length < found.length && html`. Here are the first ${shown.length}`}.</p>
<ol class="results">${shown.map(
    ({ kind, title, address, says }) =>
      html`<li><p><a href="${address}">${title}</a> <span class="soft">${kind}</span></p><p>${inline(says)}</p></li>
`,
  )}</ol>`;
}
