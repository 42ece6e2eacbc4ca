/** Markup as values: a text in a template is escaped, unless it is markup itself. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => ESCAPES[c]);

type Hole = Html | string | number | null | undefined | false | readonly Hole[];

const textOf = (hole: Hole): string => {
  if (hole instanceof Html) return hole.text;
  if (Array.isArray(hole)) return hole.map(textOf).join('');
  return hole === null || hole === undefined || hole === false ? '' : escapeHtml(String(hole));
};

export const html = (strings: TemplateStringsArray, ...holes: Hole[]): Html =>
  new Html(strings.slice(1).reduce((text, s, i) => text + textOf(holes[i]) + s, strings[0]));

/** A function that returns the link of a code; null: none. */
type PlaceOf = (code: string) => string | null;
const nowhere: PlaceOf = () => null;

/** Returns prose with `code` in backticks and empty lines between paragraphs. */
export const prose = (text: string | undefined, placeOf = nowhere): Html[] =>
  (text ?? '')
    .split(/\n\n+/)
    .filter(Boolean)
    .map((paragraph) => html`<p>${inline(paragraph, placeOf)}</p>`);

export const inline = (text: string, placeOf = nowhere): Html[] =>
  text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? codeOf(part, placeOf(part)) : html`${part}`));

const codeOf = (code: string, place: string | null): Html =>
  place === null ? html`<code>${code}</code>` : html`<a href="${place}"><code>${code}</code></a>`;
