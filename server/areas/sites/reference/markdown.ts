/** Markdown as parts of a page. Markup in it is shown as text, and the caller resolves its links. */
import { Marked, type Tokens } from 'marked';
import { escapeHtml, html, Html } from '../../../kernel/base/markup/html.ts';
import { heading } from './frame.ts';

/** The words below a heading, up to the next one, for the search. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly words: string;
  /** the first paragraph; empty if there is none */
  readonly says: string;
}

interface How {
  /** returns the target of a link; null: none here, so only its text is shown */
  readonly addressOf: (link: string) => string | null;
  /**
   * returns the title of the document that a link refers to, for links whose text is a file name; null if there is none
   */
  readonly titleOf?: (link: string) => string | null;
  /** returns the link for a code such as `GET /events`; null: none */
  readonly placeOf?: (code: string) => string | null;
  /** number of levels by which headings are lowered; 0 if the text is a page of its own */
  readonly below?: 0 | 1;
}

/**
 * Returns a function that names the anchors of one document as links from others do; a repeated title gets a number.
 */
function anchors(): (title: string) => string {
  const known = new Map<string, number>();
  return (title) => {
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const times = known.get(anchor) ?? 0;
    known.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}

const plain = (text: string): string => text.replaceAll(/[`*]|\]\([^)]*\)|\[/g, '');

export function renderMarkdown(text: string, { addressOf, titleOf, placeOf, below = 0 }: How): Html {
  const anchorOf = anchors();
  let inLink = false;
  // Prints without links to places, because a link can't contain another.
  const withoutPlaces = (print: () => string): string => {
    inLink = true;
    const printed = print();
    inLink = false;
    return printed;
  };
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ depth, tokens, text: title }: Tokens.Heading) {
        const [id, inside] = [anchorOf(title), new Html(this.parser.parseInline(tokens))];
        const level = depth + below;
        return level === 1 ? html`<h1 id="${id}">${inside}</h1>`.text : heading(level, id, inside, plain(title)).text;
      },
      html: ({ text: markup }: Tokens.HTML | Tokens.Tag) => escapeHtml(markup),
      image: ({ text: instead }: Tokens.Image) => escapeHtml(instead),
      link({ href, text: called, tokens }: Tokens.Link) {
        const title = called.replaceAll('`', '').endsWith('.md') ? titleOf?.(href) : null;
        const inside = title ? html`${title}` : new Html(withoutPlaces(() => this.parser.parseInline(tokens)));
        const address = addressOf(href);
        return address === null ? inside.text : html`<a href="${address}">${inside}</a>`.text;
      },
      codespan({ text: code }: Tokens.Codespan) {
        const place = inLink ? null : placeOf?.(code);
        const inside = html`<code>${code}</code>`;
        return (place ? html`<a href="${place}">${inside}</a>` : inside).text;
      },
      code: ({ text: code }: Tokens.Code) => html`<pre tabindex="0"><code>${code}</code></pre>`.text,
      table({ header, rows }: Tokens.Table) {
        const inside = ({ tokens }: Tokens.TableCell) => new Html(this.parser.parseInline(tokens));
        return html`<div class="scroll" role="group" aria-label="Table" tabindex="0"><table><thead>
<tr>${header.map((cell) => (cell.text === '' ? html`<td></td>` : html`<th scope="col">${inside(cell)}</th>`))}</tr>
</thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inside(cell)}</td>`)}</tr>`)}</tbody></table></div>`
          .text;
      },
    },
  });
  return new Html(marked.parse(text, { async: false }));
}

const isProse = (block: string): boolean => /^\s*[\p{L}\p{N}`*[]/u.test(block) && !block.includes('```');

/** Returns the sections below each heading, without rendering them. */
export function sectionsOf(text: string): Section[] {
  const anchorOf = anchors();
  const [, ...parts] = text.split(/^#+ (.+)$/m);
  return Array.from({ length: parts.length / 2 }, (_, i) => ({
    id: anchorOf(parts[2 * i]),
    title: plain(parts[2 * i]),
    words: plain(parts[2 * i + 1]).replaceAll(/\s+/g, ' '),
    says: plain(parts[2 * i + 1].split(/\n\s*\n/).find(isProse) ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
}
