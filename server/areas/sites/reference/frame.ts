/** The frame of the pages under /docs: one style sheet, allowed by its hash so that nothing else can run or load. */
import { hash } from 'node:crypto';
import { DOCS } from './addresses.ts';
import { html, Html } from '../../../kernel/base/markup/html.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --paper: #fff; --panel: #f4f6f8; --line: #d5dae0; --edge: #7b8591; --link: #0a58ca; --mark: #0b6e4f }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #a3adb8; --paper: #14181d; --panel: #1e242b; --line: #363e48; --edge: #8b96a2; --link: #7fb2ff; --mark: #6fd3ac } }
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
a { color: var(--link) }
a:focus-visible, summary:focus-visible, button:focus-visible, input:focus-visible, textarea:focus-visible, select:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.skip { position: absolute; left: -100rem } .skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem }
.frame { display: grid; grid-template-columns: 17rem minmax(0, 1fr) }
.side { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem; background: var(--panel); border-right: 1px solid var(--line); font-size: .9rem }
.side ul { list-style: none; margin: .25rem 0 1rem; padding: 0 } .side li { margin: 0; overflow-wrap: anywhere } .side li ul { margin: 0 0 .4rem; padding-left: .75rem }
.side nav a, .side summary { display: block; padding: .2rem .25rem; text-decoration: none } .side summary { display: list-item; list-style-position: inside } .side nav a:hover { text-decoration: underline }
.side [aria-current] { font-weight: 700; color: var(--ink) } .side p { margin: 0 0 .75rem } .home { font-weight: 700; font-size: 1.05rem; text-decoration: none; color: var(--ink) }
main { padding: 1.5rem 2.5rem 6rem; max-width: 64rem }
h1, h2, h3, h4 { line-height: 1.25; overflow-wrap: anywhere }
h1 { font-size: 1.9rem } h2 { margin-top: 3rem; padding-top: .75rem; border-top: 2px solid var(--line) } h3 { margin-top: 2.25rem } h4 { margin: 1.25rem 0 .25rem }
h3 > a[href^='#'] { color: inherit; text-decoration: none } h3 > a[href^='#']::after { content: ' #' / ''; font-weight: 400; color: var(--soft) } h3 > a[href^='#']:hover { color: var(--link) }
.head { display: flex; gap: .25rem; align-items: baseline } .anchor { min-width: 1.75rem; min-height: 1.75rem; line-height: 1.75rem; text-align: center; color: var(--soft); text-decoration: none } .anchor:hover { color: var(--link) }
.head:has(h2) { margin-top: 3rem; border-top: 2px solid var(--line) } .head h2 { margin-top: 0; margin-bottom: .5rem; border: 0 } .head h3 { margin-bottom: .25rem; margin-top: 2.25rem }
:target { background: color-mix(in srgb, var(--mark) 16%, transparent) }
code, pre { font: .88em/1.5 ui-monospace, monospace } code { background: var(--panel); padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; margin: .4rem 0; overflow: auto; max-height: 30rem } pre code { padding: 0; background: none }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .92rem; margin: .5rem 0 1rem }
tbody th code { white-space: nowrap } th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line) } th { color: var(--soft); font-weight: 600 }
.method { font: 700 .85em ui-monospace, monospace; color: var(--mark) } .soft { color: var(--soft) }
details { margin: .4rem 0 } summary { cursor: pointer; padding: .15rem 0; min-height: 1.75rem }
ul.plain { list-style: none; padding: 0; margin: .25rem 0 } ul.plain li { padding: .15rem 0; overflow-wrap: anywhere }
input, textarea, select, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: 5px; padding: .35rem .5rem; max-width: 100% }
button { background: var(--panel); cursor: pointer; padding: .35rem .9rem; font-weight: 600 } input:disabled { opacity: .6 }
ol.results { padding-left: 1.5rem } ol.results p { margin: 0 } ol.results li { margin-bottom: .9rem; overflow-wrap: anywhere }
.search { display: flex; gap: .4rem; margin: 0 0 1rem } .search input { width: 100%; min-width: 0 }
.try { border: 1px solid var(--line); border-radius: 6px; padding: .5rem 1rem 1rem; margin: .75rem 0; background: var(--panel) } .try label { display: block; margin: .6rem 0 .15rem; font-weight: 600 } .try input:not([type=checkbox]), .try textarea, .try select { width: 100% } .try label.check { font-weight: 400 } .try textarea { font: .88em/1.5 ui-monospace, monospace; min-height: 8rem } .try button { margin: .75rem .5rem 0 0; background: var(--paper) } .try pre { background: var(--paper) }
blockquote { margin: 1rem 0; padding: .1rem 1rem; border-left: 4px solid var(--line); color: var(--soft) } img { max-width: 100% }
@media (max-width: 52rem) { .frame { display: block } .side { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: 1rem } .side nav ul ul { display: none } .side nav > ul { display: flex; flex-wrap: wrap; gap: 0 .75rem; margin: 0 } main { padding: 1rem } }
@media print { .side, .skip, .anchor, .try { display: none } .frame { display: block } pre { max-height: none } }
`;

export const contentSecurity = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  'img-src data:',
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const SCRIPT = `${DOCS}/script.js`;
export const SEARCH = `${DOCS}/search`;
/** Maximum length of a search in characters. */
export const QUESTION_AT_MOST = 100;

const searchForm = (question: string): Html =>
  html`<form class="search" role="search" action="${SEARCH}"><input type="search" name="q" id="search" maxlength="${QUESTION_AT_MOST}" value="${question}" aria-label="Search the documentation"><button>Search</button></form>`;

/** Returns a heading that links to itself. */
export const heading = (level: number, id: string, text: Html | string, named: string): Html => {
  const [open, close] = [new Html(`h${level}`), new Html(`/h${level}`)];
  return html`<div class="head"><${open} id="${id}">${text}<${close}><a class="anchor" href="#${id}" aria-label="Link to ${named}">#</a></div>`;
};

/** Returns a whole page. `question` is the search text. `nav` is the navigation; phones show its first level only. */
export const frame = (title: string, nav: Html, main: Html, question = ''): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style>
<script type="module" src="${SCRIPT}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="frame">
<header class="side"><p><a class="home" href="${DOCS}">Rollcall API</a></p>
${searchForm(question)}
<nav aria-label="Documentation">${nav}</nav></header>
<main id="content">${main}</main>
</div>
</body>
</html>
`.text;
