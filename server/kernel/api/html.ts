/** Markup as values: what stands in a hole is text and is escaped, unless it is markup itself. */
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

/** Prose with `code` in backticks and empty lines between paragraphs. */
export const prose = (text: string | undefined): Html[] =>
  (text ?? '')
    .split(/\n\n+/)
    .filter(Boolean)
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`);

export const inline = (text: string): Html[] =>
  text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
