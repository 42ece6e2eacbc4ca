import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sharedBrowser } from './browser.ts';
import { Eye } from './look-at.ts';
import { mergedLooked } from './looked.ts';
import { listAssets, captured, liveHtml } from './looks.ts';

let eye: Eye;
before(async () => void (eye = await Eye.open(await sharedBrowser())));
after(() => eye?.close());

const URL = 'http://127.0.0.1:1/page';
const FRAME = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Page</title><link rel="stylesheet" href="/style.css"></head><body><main><h1>Page</h1>${body}</main></body></html>`;

const page = (body: string, { style = '', live = false } = {}) =>
  captured({
    name: 'page',
    url: URL,
    html: FRAME(body),
    headers: { 'content-security-policy': "default-src 'none'; style-src 'self'" },
    live,
    asset: async () => ({ type: 'text/css', body: Buffer.from(style) }),
  });
const table = (rows: string[]) => `<table>${rows.map((row) => `<tr><td class="n">${row}</td></tr>`).join('')}</table>`;
const kind = async (body: string, style?: string) => eye.kindOf(await page(body, { style }));

test('pages that differ only in words, numbers, ids and rows are of one kind', async () => {
  assert.equal(await kind(table(['1', '2'])), await kind(table(['17', '4', '9', '6'])));
  assert.equal(
    await kind('<label for="a1">Name</label><input id="a1" name="n" value="Ada">'),
    await kind('<label for="b7">First name</label><input id="b7" name="m" value="Bea">'),
  );
  assert.equal(await kind('<a href="/one">One</a>'), await kind('<a href="/two?x=1">Two</a>'));
  assert.equal(await kind('<div style="width: 12px"></div>'), await kind('<div style="width: 40px"></div>'));
});

test('a difference that axe or the width could notice makes pages of different kinds', async () => {
  const different: [string, string][] = [
    ['<p class="a">x</p>', '<p class="b">x</p>'],
    ['<p>x</p>', '<p></p>'],
    ['<label for="a">x</label><input id="a">', '<label for="b">x</label><input id="a">'],
    ['<input id="a" aria-label="x">', '<input id="a" aria-label="">'],
    ['<input type="text">', '<input type="email">'],
    ['<img alt="x" src="data:,">', '<img alt="" src="data:,">'],
    ['<a href="/">x</a><a href="/"></a>', '<a href="/">x</a>'],
    ['<div role="tab">x</div>', '<div role="button">x</div>'],
    ['<p id="a">x</p><p id="b">x</p>', '<p id="a">x</p><p id="a">x</p>'],
    ['<h2>x</h2><h3>x</h3>', '<h3>x</h3><h2>x</h2>'],
    [
      '<nav aria-label="a">x</nav><nav aria-label="b">x</nav>',
      '<nav aria-label="a">x</nav><nav aria-label="a">x</nav>',
    ],
    ['<button aria-expanded="true">x</button>', '<button aria-expanded="false">x</button>'],
    ['<p>short</p>', `<p>${'long'.repeat(10)}</p>`],
    ['<p style="color: #777">x</p>', '<p style="color: #000">x</p>'],
    ['<a href="#a">x</a><p id="a">y</p>', '<a href="#b">x</a><p id="a">y</p>'],
  ];
  for (const [one, other] of different) assert.notEqual(await kind(one), await kind(other), `${one} and ${other}`);
  assert.notEqual(await kind('<p>x</p>', 'p { color: #777 }'), await kind('<p>x</p>', 'p { color: #000 }'));
});

test('only rules that can apply to a page decide its kind', async () => {
  const same = async (one: string, other: string) => (await kind(BODY, one)) === (await kind(BODY, other));
  const BODY = '<p class="a" data-state="on">x</p><dialog open>y</dialog>';
  const elsewhere = '.b { color: red } p .c:hover { color: red } @media print { table > td { color: red } }';
  assert.ok(await same('p { margin: 0 }', `p { margin: 0 } ${elsewhere}`));
  for (const rule of [
    'p { color: red }',
    '.b, .a { color: red }',
    'main > p.a::before { color: red }',
    'p:not(.a, .b):hover { color: red }',
    '[data-state="on"] { color: red }',
    ':root { --text: red }',
    '@media (width > 40em) { .a { color: red } }',
    '@layer base { @supports (color: red) { p { color: red } } }',
    '@font-face { font-family: "A"; src: local("A") }',
    '@keyframes turn { to { color: red } }',
    '.b { color: red; .a & { color: blue } } .a { &:hover { color: red } }',
  ])
    assert.equal(await same('p { margin: 0 }', `p { margin: 0 } ${rule}`), false, rule);
  assert.equal(await same('@media print { p { margin: 0 } }', '@media screen { p { margin: 0 } }'), false);
});

test('a page is checked with the style sheets and images that were recorded with it', async () => {
  assert.deepEqual(await eye.look(await page('<p>Words</p>')), []);
  const faint = await eye.look(await page('<p>Words</p>', { style: 'p { color: #999 }' }));
  assert.match(faint.join('\n'), /page, desktop-light: color-contrast:[^]*page, desktop-dark: color-contrast:/);
  const wide = await eye.look(await page('<p>x</p>', { style: 'p { width: 340px }' }));
  assert.deepEqual(
    wide.map((one) => one.replace(/\d+ px/, 'n px')),
    ['page, phone-dark: the page is n px wider than the window'],
  );
});

test('the usual looks are every rule on a desktop, and whether the page fits a phone', async () => {
  const faint =
    'p { color: #999; width: 340px } @media (prefers-color-scheme: dark) { h1 { color: #111; background: #000 } }';
  const found = await eye.look(await page('<p>Words</p>', { style: faint }), { usual: true });
  assert.equal(found.length, 2, found.join('\n'));
  assert.match(found[0], /^page, desktop-light: color-contrast: /);
  assert.match(found[1], /^page, phone: the page is \d+ px wider than the window$/);
});

test('the assets of a page are found in its tags and styles', () => {
  const html = `<link rel="stylesheet" href="/a.css?v=1&amp;w=2"><link rel="icon" href="/no.png">
    <img alt="a > b" src="b.png" srcset="/c.png 1x, /d.png 2x"><img src="data:,"><a href="/no">x</a>
    <p style="background: url(&quot;/e.png&quot;)">x</p>`;
  assert.deepEqual(
    listAssets(html, 'http://h/x/page').map((url) => url.replace('http://h', '')),
    ['/a.css?v=1&w=2', '/x/b.png', '/c.png', '/d.png', '/e.png'],
  );
});

test('a page with scripts is restored to its recorded state: fields, dialogs, menus and focus', async () => {
  const live = await (await sharedBrowser()).newPage();
  await live.setContent(
    FRAME(`<label>Name <input id="name"></label><label><input type="checkbox" id="yes"> Yes</label>
      <label>Note <textarea id="note"></textarea></label>
      <label>Pick <select id="pick"><option>a</option><option>b</option></select></label>
      <div id="menu" popover>Menu</div><dialog id="dialog" aria-label="Ask"><button id="go">Go</button></dialog>`),
  );
  await live.evaluate(() => {
    const { document } = globalThis as any;
    const by = (id: string) => document.getElementById(id);
    by('name').value = 'Ada';
    by('yes').checked = true;
    by('note').value = 'Hello';
    by('pick').value = 'b';
    by('dialog').showModal();
    by('menu').showPopover();
    by('go').focus();
  });
  const html = await live.evaluate(liveHtml);
  await live.close();
  const recorded = await captured({
    name: 'live',
    url: URL,
    html,
    headers: {},
    live: true,
    asset: async () => ({ type: 'text/css', body: Buffer.from('') }),
  });
  assert.deepEqual(await eye.look(recorded), []);
  const shown = await eye.evaluate(() => {
    const { document } = globalThis as any;
    const by = (id: string) => document.getElementById(id);
    return [
      by('name').value,
      by('yes').checked,
      by('note').value,
      by('pick').value,
      by('dialog').matches(':modal'),
      by('menu').matches(':popover-open'),
      document.activeElement.id,
    ];
  });
  assert.deepEqual(shown, ['Ada', true, 'Hello', 'b', true, true, 'go']);
});

test('pages that nothing is wrong with are known to later runs, as long as the same is looked for', () => {
  const before = { by: 'rules', kinds: ['a', 'b'] };
  assert.deepEqual(mergedLooked(before, { by: 'rules', kinds: ['c', 'b'] }, false), {
    by: 'rules',
    kinds: ['a', 'b', 'c'],
  });
  assert.deepEqual(mergedLooked(before, { by: 'rules', kinds: ['c', 'b'] }, true), { by: 'rules', kinds: ['b', 'c'] });
  assert.deepEqual(mergedLooked(before, { by: 'others', kinds: ['c'] }, false), { by: 'others', kinds: ['c'] });
});
