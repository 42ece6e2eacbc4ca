/** The visitor without a browser sees and does exactly what is possible in a real one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { PageVisitor } from './page-visitor.ts';
import { rare } from '../rare.ts';
import { TestBrowser } from './browser.ts';

const POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'";
const ELSEWHERE = 'http://127.0.0.2:9';

interface Page {
  readonly body?: string;
  readonly head?: string;
  readonly policy?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly status?: number;
}

const field = (attributes: string, form = '') =>
  `<h1>Form</h1><form method="post" action="/sent" ${form}><p><label for="f">Field</label> <input id="f" name="f" ${attributes}></p><button>Send</button></form>`;

const PAGES: Record<string, Page> = {
  '/good': { body: '<h1>Good</h1><p>Fine.</p>' },
  '/inline-style': { body: '<p style="color: #777">Grey</p>' },
  '/style-element': { head: '<style>p { color: #777 }</style>' },
  '/style-with-nonce': {
    head: '<style nonce="abc">p { color: #777 }</style>',
    policy: "default-src 'none'; style-src 'nonce-abc'",
  },
  '/inline-script': { body: '<script>document.title = "ran"</script>' },
  '/handler': { body: '<button onclick="go()">Go</button>' },
  '/script-address': { body: '<a href="javascript:go()">Go</a>' },
  '/data': { body: '<h1>Data</h1><script type="application/ld+json">{}</script>' },
  '/picture-elsewhere': { body: `<img alt="" src="${ELSEWHERE}/x.png">`, policy: 'img-src *' },
  '/form-elsewhere': { body: `<form method="post" action="${ELSEWHERE}/x"><button>Send</button></form>` },
  '/frame': { body: '<iframe title="Frame" src="/good"></iframe>' },
  '/no-style': { head: '<link rel="stylesheet" href="/missing.css">' },
  '/hiding-style': { head: '<link rel="stylesheet" href="/hiding.css">' },
  '/printing-style': { head: '<link rel="stylesheet" href="/printing.css">', body: '<h1>Printed</h1>' },
  '/hiding.css': {
    headers: { 'content-type': 'text/css' },
    body: '@media print { p { color: red } } .a { display:none }',
  },
  '/printing.css': {
    headers: { 'content-type': 'text/css' },
    body: '@media print { @page { size: A4 } .a { display: none } } p {}',
  },
  '/required': { body: field('required') },
  '/email': { body: field('type="email"') },
  '/pattern': { body: field('pattern="[a-z]{3}"') },
  '/number': { body: field('type="number" min="2" max="9"') },
  '/date': { body: field('type="date" min="2026-05-02"') },
  '/longest': { body: field('maxlength="3"') },
  '/shortest': { body: field('minlength="3"') },
  '/unknown': { body: field('type="color"') },
  '/disabled': { body: field('disabled') },
  '/readonly': { body: field('readonly') },
  '/unchecked': { body: field('required', 'novalidate') },
  '/two-labels': { body: `${field('')}<label for="g">Field</label><input id="g">` },
  '/choices': {
    body: `<h1>Choices</h1><form method="post" action="/sent">
      <input type="hidden" name="form_token" value="secret">
      <label>Name <input name="name" value="Ada"></label>
      <label for="size">Size</label><select id="size" name="size"><option value="">Choose<option value="s">Small<option value="l">Large<option disabled>Gone</select>
      <fieldset><legend>How</legend><label><input type="radio" name="how" value="desk">At the desk</label><label><input type="radio" name="how" value="card" checked>By card</label></fieldset>
      <label><input type="checkbox" name="news"> News</label>
      <label for="note">Note</label><textarea id="note" name="note"></textarea>
      <fieldset disabled><label>Off <input name="off" value="1"></label></fieldset>
      <input aria-label="Elsewhere" name="elsewhere" form="other" value="1">
      <button name="act" value="save">Save</button> <button name="act" value="drop" formaction="/dropped">Drop</button>
      </form><form id="other"></form>`,
  },
  '/get': {
    body: '<form action="/sent?old=1"><label>Query <input type="search" name="q"></label><button>Search</button></form>',
  },
  '/nested': {
    body: '<form method="post" action="/sent"><form method="post" action="/inner"><input name="a" value="1"></form><button>Send</button></form>',
  },
  '/folded': {
    body: '<details><summary>More</summary><p>Secret</p><form method="post" action="/sent"><button>Send</button></form></details><p hidden>Hidden</p>',
  },
  '/links': {
    body: '<a href="#there">Skip</a> <a href="#nowhere">Lost</a> <a href="/good" aria-label="The good page">x</a> <a href="/file">File</a> <p id="there">There</p><p aria-hidden="true"><a href="/good">Unheard</a></p>',
  },
  '/text': {
    body: '<h1>Some  <b>bold</b>\n text</h1><p>One<br>two</p><p>Three</p><ul><li>a</li><li>b</li></ul><table><tr><td>x</td><td>y</td></tr><tr><td>z</td></tr></table><script type="application/json">{}</script><noscript>Without scripts</noscript>',
  },
  '/file': {
    headers: { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="a.pdf"' },
    body: '%PDF',
  },
  '/sends-away': {
    body: '<form method="post" action="/away"><button>Pay</button></form>',
  },
  '/away': { status: 303, headers: { location: `${ELSEWHERE}/pay` } },
  '/leads-on': { status: 303, headers: { location: '/good' } },
  '/goes-on': { head: '<meta http-equiv="refresh" content="0; url=/good">' },
  '/looks-again': { head: '<meta http-equiv="Refresh" content="5">', body: '<h1>Wait</h1>' },
  '/circle': { status: 302, headers: { location: '/circle' } },
  '/log-in': {
    headers: { 'set-cookie': ['session=a; Path=/; HttpOnly', 'here=b; Path=/log-in'] },
    body: '<h1>In</h1>',
  },
  '/log-out': { headers: { 'set-cookie': 'session=; Path=/; Max-Age=0' }, body: '<h1>Out</h1>' },
  '/bad-cookie': { headers: { 'set-cookie': '__Host-session=a; Path=/' }, body: '<h1>Bad</h1>' },
};

let server: Server;
let url: string;
interface Asked {
  readonly line: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}
/** The requests since the last page was opened. */
const asked: Asked[] = [];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  asked.push({
    line: `${request.method} ${request.url}`,
    body: Buffer.concat(chunks).toString(),
    headers: request.headers,
  });
  const { body = '<h1>Sent</h1>', head = '', policy = POLICY, headers = {}, status } = PAGES[request.url!] ?? {};
  const missing = request.url === '/missing.css';
  response.writeHead(status ?? (missing ? 404 : 200), {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': 'same-origin',
    ...headers,
  });
  response.end(
    'content-type' in headers
      ? body
      : `<!doctype html><html lang="en"><title>Page</title>${head}<main>${body}</main></html>`,
  );
}

before(async () => {
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
after(() => server.close());

async function at(path: string): Promise<PageVisitor> {
  const visitor = new PageVisitor(url);
  await visitor.open(path);
  asked.length = 0;
  return visitor;
}

test('a page that keeps its policy passes, even with data blocks, a nonce and print styles', async () => {
  for (const path of ['/good', '/data', '/style-with-nonce', '/printing-style']) await (await at(path)).close();
});

for (const [path, wrong] of [
  ['/inline-style', /style-src refuses <p style/],
  ['/style-element', /style-src refuses <style>/],
  ['/inline-script', /script-src refuses <script>/],
  ['/handler', /script-src refuses <button onclick/],
  ['/script-address', /script-src refuses <a href="javascript:/],
  ['/picture-elsewhere', /asked for http:\/\/127\.0\.0\.2:9\/x\.png/],
  ['/form-elsewhere', /form-action refuses <form/],
  ['/frame', /frame-src refuses <iframe/],
  ['/no-style', /missing\.css: the style sheet answers 404/],
  ['/hiding-style', /hiding\.css: display:none/],
] as const)
  test(`a visit notices what is wrong with ${path.slice(1)}`, () => assert.rejects(at(path), wrong));

test('a form is not sent to another site, not even through a redirect', async () => {
  const visitor = await at('/sends-away');
  await assert.rejects(visitor.submit('Pay'), /form-action refuses http:\/\/127\.0\.0\.2:9\/pay/);
});

for (const [path, wrong, right, refusal] of [
  ['/required', '', 'x', /must be filled in/],
  ['/email', 'ada', 'ada@example', /must be an email address/],
  ['/pattern', 'abcd', 'abc', /must match/],
  ['/number', '10', '9', /9 or less/],
  ['/number', '1', '2', /2 or more/],
  ['/number', '2.5', '3', /steps of 1/],
  ['/date', '2026-05-01', '2026-05-02', /2026-05-02 or more/],
  ['/shortest', 'ab', 'abc', /needs 3 characters/],
] as const)
  test(`a browser does not send “${wrong}” from ${path.slice(1)}, but “${right}”`, async () => {
    const visitor = await at(path);
    await assert.rejects(visitor.submit('Send', { Field: wrong }), refusal);
    assert.equal(asked.length, 0);
    await visitor.submit('Send', { Field: right });
    assert.deepEqual([asked[0].line, asked[0].body], ['POST /sent', `f=${encodeURIComponent(right)}`]);
  });

test('a form with novalidate is sent without validation', async () => {
  const visitor = await at('/unchecked');
  await visitor.submit('Send');
  assert.equal(asked[0].body, 'f=');
});

test('values that a browser does not accept cannot be entered', async () => {
  for (const [path, text, refusal] of [
    ['/longest', 'four', /takes 3 characters/],
    ['/date', 'tomorrow', /doesn’t accept “tomorrow”/],
    ['/number', 'many', /doesn’t accept “many”/],
    ['/unknown', '#fff', /type color/],
    ['/disabled', 'x', /is disabled/],
    ['/readonly', 'x', /readonly/],
    ['/two-labels', 'x', /are 2 on the page/],
    ['/good', 'x', /is none on the page/],
    ['/required', 'two\nlines', /takes one line/],
  ] as const)
    await assert.rejects((await at(path)).submit('Send', { Field: text }), refusal, path);
});

test('a form sends its choices, its hidden fields and the pressed button, but nothing disabled or from another form', async () => {
  const visitor = await at('/choices');
  await visitor.submit('Save');
  assert.equal(asked[0].body, 'form_token=secret&name=Ada&size=&how=card&note=&act=save');
  await visitor.open('/choices');
  asked.length = 0;
  const chosen = { Name: 'Öz', Size: 'Large', 'At the desk': '', News: true, Note: 'a\nb' };
  await visitor.submit('Drop', chosen);
  assert.equal(asked[0].line, 'POST /dropped');
  assert.deepEqual(
    [...new URLSearchParams(asked[0].body)],
    Object.entries({
      form_token: 'secret',
      name: 'Öz',
      size: 'l',
      how: 'desk',
      news: 'on',
      note: 'a\r\nb',
      act: 'drop',
    }),
  );
  await visitor.open('/choices');
  await assert.rejects(visitor.submit('Save', { Size: 'Huge' }), /offers no “Huge”, but Choose, Small, Large, Gone/);
  await assert.rejects(visitor.submit('Save', { Size: 'Gone' }), /can't be chosen/);
  await assert.rejects(visitor.submit('Save', { Off: '2' }), /disabled/);
});

test('a form sent by GET replaces the query, and a nested form is ignored', async () => {
  const visitor = await at('/get');
  await visitor.submit('Search', { Query: 'a b' });
  assert.equal(asked[0].line, 'GET /sent?q=a+b');
  await (await at('/nested')).submit('Send').then(
    () => assert.fail('the outer form ends with the inner one'),
    (error: Error) => assert.match(error.message, /nothing without scripts/),
  );
});

test('collapsed or hidden content is neither read nor used until it is shown', async () => {
  const visitor = await at('/folded');
  assert.equal(await visitor.text(), 'More');
  await assert.rejects(visitor.submit('Send'), /is none/);
  await visitor.page.getByText('More').click();
  assert.equal(await visitor.text(), 'More\n\nSecret\n\nSend');
  await visitor.submit('Send');
  assert.equal(asked[0].line, 'POST /sent');
});

test('links are followed by their names, also within a page, and a download leaves the page open', async () => {
  const visitor = await at('/links');
  await visitor.follow('Skip');
  assert.equal(visitor.url.hash, '#there');
  await assert.rejects(visitor.follow('Lost'), /leads to nothing/);
  await assert.rejects(visitor.follow('Unheard'), /is none/);
  const { name, type, body } = await visitor.download(visitor.page.getByRole('link', { name: 'File' }));
  assert.deepEqual([name, type, body.toString(), visitor.path], ['a.pdf', 'application/pdf', '%PDF', '/links']);
  await visitor.follow('The good page');
  assert.equal(await visitor.heading(), 'Good');
});

test('text has line breaks where a browser shows them', async () => {
  const visitor = await at('/text');
  assert.equal(await visitor.text(), 'Some bold text\n\nOne\ntwo\n\nThree\n\na\nb\nx\ty\nz\nWithout scripts');
});

test('redirects and automatic page changes are followed; a page that refreshes later does so on request', async () => {
  for (const path of ['/leads-on', '/goes-on']) assert.equal((await at(path)).path, '/good');
  const visitor = await at('/looks-again');
  await visitor.refresh();
  assert.deepEqual([asked.map(({ line }) => line), visitor.path], [['GET /looks-again'], '/looks-again']);
  await assert.rejects((await at('/good')).refresh(), /does not look again/);
  await assert.rejects(at('/circle'), /in a circle/);
});

test('cookies are kept by path until they expire, and one that browsers reject is an error', async () => {
  const visitor = await at('/log-in');
  await visitor.open('/good');
  assert.equal(asked.at(-1)!.headers.cookie, 'session=a');
  await visitor.open('/log-out');
  await visitor.open('/log-in');
  assert.equal(asked.at(-1)!.headers.cookie, 'here=b');
  await assert.rejects(at('/bad-cookie'), /browsers refuse __Host-session/);
});

test('requests carry the same origin and referrer headers as those of browsers', async () => {
  const visitor = await at('/required');
  await visitor.submit('Send', { Field: 'x' });
  const { origin, referer, 'sec-fetch-site': site } = asked[0].headers;
  assert.deepEqual([origin, referer, site], [url, `${url}/required`, 'same-origin']);
  await visitor.open('/good');
  assert.deepEqual([asked.at(-1)!.headers.referer, asked.at(-1)!.headers['sec-fetch-site']], [undefined, 'none']);
});

rare('a real browser reads the same texts, and sends the same forms and headers', async (t) => {
  const browser = await TestBrowser.start(url);
  t.after(() => browser.close());
  const [real, plain] = [await browser.visitor(), new PageVisitor(url)];
  asked.length = 0;
  for (const visitor of [real, plain]) await visitor.open('/text');
  assert.equal(await plain.text(), await real.text());
  for (const visitor of [real, plain]) {
    await visitor.open('/folded');
    await visitor.page.getByText('More').click();
  }
  assert.equal(await plain.text(), await real.text());
  const sent: unknown[] = [];
  for (const visitor of [real, plain]) {
    await visitor.open('/log-in');
    await visitor.open('/choices');
    await visitor.submit('Drop', { Name: 'Öz', Size: 'Large', 'At the desk': '', News: true, Note: 'a\nb' });
    await visitor.open('/get');
    await visitor.submit('Search', { Query: 'a b' });
    const forms = asked.splice(0).filter(({ line }) => line.startsWith('POST') || line.includes('?'));
    sent.push(forms.map(({ line, body, headers }) => [line, body, ...SAID.map((name) => headers[name])]));
  }
  assert.deepEqual(sent[1], sent[0]);
});

const SAID = ['cookie', 'origin', 'referer', 'content-type', 'sec-fetch-site'];
