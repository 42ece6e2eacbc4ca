/**
 * An email, as text and equivalent HTML. All emails have this layout. Email programs load no style sheet, and many
 * ignore the one in the head, so essential styles are inline; the style in the head only adds dark mode.
 */
import { AROUND_MAIL } from './messages.ts';
import { DEFAULT_WORDS } from '../values/words.ts';
import { escapeHtml, Html, html } from '../markup/html.ts';
import { readableOn, textOn } from '../values/color.ts';
import { textDirection, type Language } from '../languages/languages.ts';
import type { Letterhead } from './letterhead.ts';

export interface MailContent {
  readonly subject: string;
  /** paragraphs between empty lines; its URLs become links */
  readonly text: string;
  /** replaces the text in programs that show HTML: written by the business itself */
  readonly html?: string | null;
  /**
   * label of the main link: the URL below a line with this label, or else the first one on a line of its own, becomes a
   * button with it
   */
  readonly button?: string | null;
  /** only URLs with this prefix become links, whatever else the text contains; absent: all do */
  readonly linksTo?: string;
  /**
   * prefix of our own URLs, which become links with the line above them as their text; all others stay visible, because
   * somebody else may have written them. Absent: all do
   */
  readonly ownLinks?: string;
  /** for a recipient who agreed to news: URL to unsubscribe */
  readonly unsubscribe?: string;
  readonly language: Language;
}

export interface MailParts {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const LINK = /\bhttps?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)]/g;
const ONLY_LINK = /^\s*(https?:\/\/[^\s<>"']+)\s*$/;
const BRAND = '#1d4ed8';
const PAPER = { light: '#ffffff', dark: '#1f2329' } as const;

const SMALL = 'margin:20px 4px 0;font-size:13px;color:#5b6470';

/**
 * Returns the text and HTML of an email.
 * @param mail.html is not escaped: HTML from staff is shown as such
 */
export function writeMail(head: Letterhead, mail: MailContent): MailParts {
  const { subject, language, unsubscribe } = mail;
  const text = visible(mail.text);
  const direction = textDirection(language);
  // Paragraphs have their own direction, and would otherwise be aligned by it: a name in Latin letters on the left of an
  // email in Hebrew.
  const side = direction === 'rtl' ? 'right' : 'left';
  const say = wordsIn(language);
  const news = unsubscribe === undefined ? null : say('news', { business: head.business });
  const color = head.color ?? BRAND;
  const dark = readableOn(PAPER.dark, color);
  const link = `color:${readableOn(PAPER.light, color)};overflow-wrap:anywhere;word-break:break-word`;
  const body = mail.html
    ? new Html(mail.html)
    : bodyOf(text, mail.button ?? null, {
        color,
        link,
        linksTo: mail.linksTo ?? '',
        ownLinks: mail.ownLinks ?? null,
        fallback: say('fallback'),
      });
  const page = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
.desk { background: #14171b !important; color: #e8eaed !important; }
.paper { background: ${new Html(PAPER.dark)} !important; border-color: #363c44 !important; color: #e8eaed !important; }
.small, .name { color: #b4bac2 !important; }
.link { color: ${new Html(dark)} !important; }
.button { border-color: ${new Html(dark)} !important; }
}
@media (max-width: 480px) { .paper { padding: 20px 16px !important; } }
</style>
</head>
<body class="desk" style="margin:0;padding:0;background:#f3f5f7;color:#1f2329">
<div class="desk" role="article" aria-label="${subject}" lang="${language}" dir="${direction}" style="background:#f3f5f7;color:#1f2329;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;text-align:${side}">
<div style="max-width:600px;margin:0 auto;padding:24px 12px;overflow-wrap:anywhere">
<p class="name" style="margin:0 4px 16px;font-size:18px;font-weight:600;color:#374151">${mark(head, color, direction)}<bdi>${head.business}</bdi></p>
<div class="paper" style="background:${PAPER.light};color:#1f2329;border:1px solid #dde1e6;border-radius:10px;padding:28px">
${body}
</div>
${news !== null && html`<p class="small" style="${SMALL}">${news}<br><a href="${unsubscribe!}" class="link" style="${link}">${say('unsubscribe')}</a></p>\n`}${head.footer.length > 0 && html`<p class="small" dir="auto" style="${SMALL}">${lines(head.footer)}</p>\n`}</div>
</div>
</body>
</html>
`;
  const below = [
    ...(news === null ? [] : [`${news}\n${say('unsubscribe_at', { url: unsubscribe! })}`]),
    ...(head.footer.length === 0 ? [] : [head.footer.join('\n')]),
  ].join('\n\n');
  return { subject, text: `${text.trim()}\n${below && `\n--\n${below}\n`}`, html: page.text };
}

/** Returns the end of a text message with news. */
export const unsubscribeAt = (language: Language, url: string): string => wordsIn(language)('unsubscribe_at', { url });

const wordsIn = (language: Language) => AROUND_MAIL.for({ language, locale: language }, DEFAULT_WORDS);

/** Removes invisible characters. */
const visible = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, '').replaceAll(/[\p{Zl}\p{Zp}]/gu, ' ');

/** Each line has its own direction: a telephone number would be turned around between words from right to left. */
const lines = (all: readonly string[]): Html =>
  new Html(all.map((line) => `<bdi>${escapeHtml(line)}</bdi>`).join('<br>'));

/**
 * Returns the icon of the business, or the first letter of its name in its color. It has no alternative text, because
 * the name is next to it.
 */
function mark({ business, icon }: Letterhead, color: string, direction: 'ltr' | 'rtl'): Html | null {
  // Email programs know `margin-left` and `margin-right` only.
  const margin = direction === 'rtl' ? '0 0 0 10px' : '0 10px 0 0';
  if (icon !== null)
    return html`<img src="${icon}" alt="" width="32" height="32" style="width:32px;height:32px;margin:${margin};border:0;border-radius:8px;vertical-align:middle">`;
  const first = /[\p{L}\p{N}]/u.exec(business)?.[0].toUpperCase();
  return first === undefined
    ? null
    : html`<span aria-hidden="true" style="display:inline-block;width:32px;height:32px;margin:${margin};border-radius:8px;background:${color};color:${textOn(color)};line-height:32px;text-align:center;vertical-align:middle">${first}</span>`;
}

interface Style {
  readonly color: string;
  /** color of links */
  readonly link: string;
  /** prefix of URLs that become links */
  readonly linksTo: string;
  /** prefix of URLs that are shown as the line above them; null: none are */
  readonly ownLinks: string | null;
  readonly fallback: string;
}

const PARAGRAPH = 'margin:0 0 16px';

/** Returns the text as HTML: paragraphs, lines and links, and the main link as a button. */
function bodyOf(text: string, button: string | null, style: Style): Html {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.split('\n'));
  const main = button === null ? null : mainLink(paragraphs, button, style.linksTo);
  return html`${paragraphs.map((all) => {
    if (main?.paragraph !== all) return shown(all, style);
    const { at, url } = main;
    // A label above the URL that equals the button's is not repeated.
    const above = all.slice(0, at).filter((line) => line.trim() !== `${button}:`);
    return html`${shown(above, style)}${buttonOf(button!, url, style)}${shown(all.slice(at + 1), style)}`;
  })}`;
}

interface MainLink {
  readonly paragraph: readonly string[];
  /** index of its line */
  readonly at: number;
  readonly url: string;
}

/** Returns the URL below the label of the button, or else the first one on a line of its own. */
function mainLink(paragraphs: readonly (readonly string[])[], button: string, linksTo: string): MainLink | null {
  const all = paragraphs.flatMap((paragraph) =>
    paragraph.flatMap((line, at): MainLink[] => {
      const url = ONLY_LINK.exec(line)?.[1];
      return url === undefined || !url.startsWith(linksTo) ? [] : [{ paragraph, at, url }];
    }),
  );
  return all.find(({ paragraph, at }) => paragraph[at - 1]?.trim() === `${button}:`) ?? all[0] ?? null;
}

const shown = (all: readonly string[], style: Style): Html | null =>
  all.length === 0
    ? null
    : html`<p dir="auto" style="${PARAGRAPH}">${new Html(labelled(all, style).join('<br>'))}</p>\n`;

/**
 * Returns the lines as HTML: one of our URLs below a line that ends with a colon becomes a link with that line as its
 * text.
 */
const labelled = (all: readonly string[], style: Style): string[] =>
  all.flatMap((line, at) => {
    const label = (of: number): string | null => labelOf(all[of], all[of + 1], style);
    if (at > 0 && label(at - 1) !== null) return [];
    const text = label(at);
    return text === null
      ? linked(line, style)
      : `<a href="${escapeHtml(all[at + 1].trim())}" class="link" style="${style.link}">${escapeHtml(text)}</a>`;
  });

/** Returns the label of the URL on the next line; null if there is none. */
function labelOf(line: string, next: string | undefined, { ownLinks, linksTo }: Style): string | null {
  const url = ONLY_LINK.exec(next ?? '')?.[1];
  if (url === undefined || ownLinks === null || !url.startsWith(ownLinks) || !url.startsWith(linksTo)) return null;
  return /^(.*\S)\s*:$/.exec(line.trim())?.[1] ?? null;
}

/** Returns a button. Its border is visible on any paper, unlike some business colors. */
const buttonOf = (label: string, url: string, { color, link, fallback }: Style): Html =>
  html`<p style="margin:4px 0 12px"><a href="${url}" class="button" style="display:inline-block;padding:12px 22px;background:${color};color:${textOn(color)};border:2px solid ${readableOn(PAPER.light, color)};border-radius:8px;font-weight:600;text-decoration:none">${label}</a></p>
<p class="small" style="margin:0 0 16px;font-size:13px;color:#5b6470">${fallback}<br><a href="${url}" class="link" style="${link}">${url}</a></p>\n`;

function linked(line: string, { link, linksTo }: Style): string {
  let out = '';
  let from = 0;
  for (const match of line.matchAll(LINK)) {
    if (!match[0].startsWith(linksTo)) continue;
    const url = escapeHtml(match[0]);
    out += `${escapeHtml(line.slice(from, match.index))}<a href="${url}" class="link" style="${link}">${url}</a>`;
    from = match.index + match[0].length;
  }
  return out + escapeHtml(line.slice(from));
}
