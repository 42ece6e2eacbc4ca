/** The frame of every page for people: our own style sheet, no scripts, and the same layout on phones and desktops. */
import { html, type Html } from '../base/markup/html.ts';
import { STYLE_HREF } from './style.ts';
import { aroundFor, FORM_MESSAGES } from './messages.ts';
import { DEFAULT_WORDS } from '../base/values/words.ts';
import { textDirection } from '../base/languages/languages.ts';
import type { Shown, Site } from './visit.ts';

export const PLAIN: Site = { name: 'Rollcall', home: '/', theme: null };

export const framed = (
  site: Site,
  { title, body, top, script, status, frame, embedding }: Shown,
  head: Html | null = null,
): string => {
  const { reader, foot } = frame;
  const say = aroundFor(reader);
  const wrong = status === 400 || status === 422 ? FORM_MESSAGES.for(reader, DEFAULT_WORDS)('form.wrong') : null;
  return html`<!doctype html>
<html lang="${reader.locale}"${textDirection(reader.locale) === 'rtl' ? html` dir="rtl"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${wrong && `${wrong} `}${title} – ${site.name}</title>
${site.brand?.head ?? html`<link rel="icon" href="data:,">`}
<link rel="stylesheet" href="${STYLE_HREF}">
${site.theme ? html`<link rel="stylesheet" href="${site.theme}">` : null}${frame.head}${head}${script?.tag}
</head>
<body>
<a class="skip" href="#content">${say('page.skip')}</a>
<header>
${
  embedding &&
  html`<p class="website"><a href="${embedding.href}">${say('page.website', { host: embedding.host })}</a></p>`
}<div class="bar"><a class="name" href="${site.home}">${
    site.brand?.mark ?? html`<span class="mark" aria-hidden="true">${initialOf(site.name)}</span>${site.name}`
  }</a>${top}</div>
</header>
<main id="content">
${body}
</main>
<footer>${foot}<p>${say('page.powered')}</p></footer>
</body>
</html>
`.text;
};

/** Returns the first letter or digit in Unicode's sense, in upper case. */
export const initialOf = (name: string): string => (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '•').toUpperCase();
