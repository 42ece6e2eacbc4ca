/** The frame of the pages under /docs: one style sheet, named by its hash so that nothing else may run or load. */
import { hash } from 'node:crypto';
import { html, Html } from './html.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --paper: #fff; --panel: #f4f6f8; --line: #d5dae0; --link: #0a58ca; --mark: #0b6e4f }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #a3adb8; --paper: #14181d; --panel: #1e242b; --line: #363e48; --link: #7fb2ff; --mark: #6fd3ac } }
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
a { color: var(--link) }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.skip { position: absolute; left: -100rem } .skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem }
.frame { display: grid; grid-template-columns: 17rem minmax(0, 1fr) }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem; background: var(--panel); border-right: 1px solid var(--line); font-size: .9rem }
nav ul { list-style: none; margin: .25rem 0 1rem; padding: 0 0 0 .5rem } nav li { margin: .2rem 0; overflow-wrap: anywhere }
nav a { text-decoration: none } nav a:hover { text-decoration: underline }
main { padding: 1.5rem 2.5rem 6rem; max-width: 64rem }
h1 { font-size: 1.9rem } h2 { margin-top: 3.5rem; padding-top: .75rem; border-top: 2px solid var(--line) } h3 { margin-top: 2.25rem } h4 { margin: 1.25rem 0 .25rem }
code, pre { font: .88em/1.5 ui-monospace, monospace } code { background: var(--panel); padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; overflow-x: auto } pre code { padding: 0; background: none }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .92rem; margin: .5rem 0 1rem }
tbody th code { white-space: nowrap } th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line) } th { color: var(--soft); font-weight: 600 }
.method { font: 700 .85em ui-monospace, monospace; color: var(--mark) } .soft { color: var(--soft) }
details { margin: .4rem 0 } summary { cursor: pointer }
@media (max-width: 52rem) { .frame { display: block } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line) } main { padding: 1rem } }
@media print { nav, .skip { display: none } .frame { display: block } }
`;

export const contentSecurity = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A whole page. `nav` is what leads around in it. */
export const frame = (title: string, nav: Html, main: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="frame">
<nav aria-label="Reference">${nav}</nav>
<main id="content">${main}</main>
</div>
</body>
</html>
`.text;
