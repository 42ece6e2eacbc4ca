import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Script } from 'node:vm';
import { fileURLToPath } from 'node:url';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { changesPage } from '../../areas/sites/reference/changes.ts';
import { contentSecurity } from '../../areas/sites/reference/frame.ts';
import {
  endpointAnchor,
  feedAnchor,
  operationAddress,
  operationPlaces,
  permissionsOfTopic,
  topicPage,
} from '../../areas/sites/reference/addresses.ts';
import { feedAddresses } from '../../areas/sites/reference/feed.ts';
import { Library } from '../../areas/sites/reference/library.ts';
import { renderMarkdown, sectionsOf } from '../../areas/sites/reference/markdown.ts';
import { pagesOf, script } from '../../areas/sites/reference/pages.ts';
import { openapi } from '../../areas/sites/reference/openapi/openapi.ts';
import { html } from '../../kernel/base/markup/html.ts';
import { registry } from '../../app.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { constant, search } = pagesOf(registry(), () => openapi(registry()));
const pages = new Map([...constant].map(([address, make]) => [address, make()]));
const anchorsOf = (page: string): string[] => [...page.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]);
const anchors = new Map([...pages].map(([address, page]) => [address, anchorsOf(page)]));

/** Other addresses that the service serves, so links to them are not broken. */
const ELSEWHERE = ['/api/v2/openapi.json', '/docs/script.js', '/docs/search'];

test('every link within the reference has a target, and every target has a unique name', () => {
  const broken: string[] = [];
  let links = 0;
  for (const [address, page] of pages) {
    const own = anchors.get(address)!;
    const twice = own.filter((a, i) => own.indexOf(a) !== i);
    assert.deepEqual(twice, [], `${address} has these places twice`);
    for (const [, to] of page.matchAll(/ (?:href|src|action)="([^"]+)"/g)) {
      if (/^(https?:|data:)/.test(to)) continue;
      links++;
      const [path, anchor] = to.split('#');
      const found = anchors.get(path === '' ? address : path);
      if (!(found ? anchor === undefined || found.includes(anchor) : ELSEWHERE.includes(path)))
        broken.push(`${address}: ${to}`);
    }
  }
  assert.ok(links > 10_000, 'no links were found: nothing was checked');
  assert.deepEqual(broken, []);
});

test('every operation, resource and error code is explained', () => {
  const declared = registry();
  for (const { method, path, topic } of declared.endpoints)
    assert.ok(
      pages.get(topicPage(topic))!.includes(`<span class="method">${method}</span> <code>${path}</code></h2>`),
      `${method} ${path}`,
    );
  for (const { name, resources = [] } of declared.topics)
    for (const resource of resources)
      assert.ok(anchors.get(topicPage(name))!.includes(`resource-${resource.name}`), resource.name);
  for (const code of declared.problems.keys()) assert.ok(anchors.get('/docs/errors')!.includes(`error-${code}`), code);
  const addressOf = feedAddresses(declared);
  for (const kind of declared.feed.values()) {
    const [address, anchor] = addressOf(kind).split('#');
    assert.ok(anchors.get(address)?.includes(anchor), kind.kind);
  }
});

test('the OpenAPI document is generated only for pages with examples, and only once', () => {
  let times = 0;
  const { constant: own } = pagesOf(registry(), () => {
    times++;
    return openapi(registry());
  });
  for (const address of ['/docs', '/docs/errors', '/docs/guide/money']) own.get(address)!();
  assert.equal(times, 0);
  own.get('/docs/reference/venues')!();
  own.get('/docs/reference/fees')!();
  assert.equal(times, 1);
});

test('a page of the documentation has at most 150 KB, and the list of all operations 200 KB', () => {
  for (const [address, page] of pages) {
    const length = Buffer.byteLength(page);
    assert.ok(length <= (address === '/docs/operations' ? 200_000 : 150_000), `${address}: ${length}`);
  }
});

/** Returns the redirects of a page's former anchors, by id. */
const leads = (address: string): Map<string, string> =>
  new Map(
    [...pages.get(address)!.matchAll(/<ul class="plain" data-leads-on>([^]*?)<\/ul>/g)].flatMap(([, list]) =>
      [...list.matchAll(/<li id="([^"]+)"><a href="([^"]+)"/g)].map(([, id, to]) => [id, to] as const),
    ),
  );

test('anchors of the former single-page reference lead to their current pages', () => {
  const declared = registry();
  const operations = leads('/docs/operations');
  for (const endpoint of declared.endpoints)
    assert.equal(operations.get(endpointAnchor(endpoint)), operationAddress(endpoint));
  for (const name of declared.resources.keys())
    assert.match(operations.get(`resource-${name}`)!, new RegExp(`^/docs/reference/[a-z_]+#resource-${name}$`));
  const start = leads('/docs');
  for (const { name } of declared.topics) assert.equal(start.get(name), topicPage(name));
  for (const chapter of ['authentication', 'selecting', 'paging', 'formats', 'idempotency', 'trying', 'limits'])
    assert.ok(anchors.get('/docs')!.includes(chapter), chapter);
});

test('anchors of the former single pages of feed items and permissions lead to their current pages', () => {
  const declared = registry();
  const addressOf = feedAddresses(declared);
  const feed = leads('/docs/feed-items');
  for (const kind of declared.feed.values()) {
    assert.equal(feed.get(feedAnchor(kind.kind)), addressOf(kind));
    assert.equal(feed.get(`of-${kind.object}`), `${addressOf(kind).split('#')[0]}#of-${kind.object}`);
  }
  const permissions = leads('/docs/permissions');
  for (const { topic } of declared.endpoints) assert.equal(permissions.get(topic), permissionsOfTopic(topic));
});

// Guards against: Markup in XML or on the reference pages
test('the pages have one script, from this origin, and their policy allows only that script and their own style', () => {
  for (const page of pages.values()) {
    const [one, ...more] = page.split('<script');
    assert.doesNotMatch(one, /="javascript:/i);
    assert.deepEqual(
      more.map((rest) => rest.slice(0, rest.indexOf('>'))),
      [' type="module" src="/docs/script.js"'],
    );
    assert.doesNotMatch(page, /<[^>]+ (?:on[a-z]+|style)=/i);
    const style = /<style>([^]*?)<\/style>/.exec(page)![1];
    assert.ok(contentSecurity.includes(`'sha256-${hash('sha256', style, 'base64')}'`));
  }
  assert.doesNotMatch(contentSecurity, /unsafe|\*|https?:/);
});

test('the script is small, and identical to its source except for comments and indentation', () => {
  const served = script();
  assert.ok(Buffer.byteLength(served) <= 6 * 1024, `${Buffer.byteLength(served)} bytes`);
  assert.doesNotMatch(served, /^ |\/\/ |localStorage|innerHTML|document\.cookie|\beval\b/m);
  assert.ok(new Script(served));
});

test('heading levels descend one step at a time, and the tags are balanced', () => {
  for (const [address, page] of pages) {
    const levels = [...page.matchAll(/<h([1-6])/g)].map((m) => Number(m[1]));
    assert.equal(levels[0], 1);
    assert.equal(levels.filter((level) => level === 1).length, 1, address);
    levels.forEach((level, i) => assert.ok(i === 0 || level <= levels[i - 1] + 1, `${address}: heading ${i}`));
    for (const tag of ['section', 'table', 'tr', 'ul', 'li', 'p', 'pre', 'code', 'details', 'div']) {
      assert.equal(
        page.split(new RegExp(`<${tag}[ >]`)).length,
        page.split(`</${tag}>`).length,
        `${tag} of ${address}`,
      );
    }
  }
});

test('every heading below the title has an anchor and shows a link to it', () => {
  for (const [address, page] of pages) {
    const without = [...page.matchAll(/<h[2-6]([^>]*)>/g)].filter(
      ([, attributes]) => !page.includes(` href="#${/ id="([^"]+)"/.exec(attributes)?.[1]}"`),
    );
    assert.deepEqual(without, [], address);
  }
});

test('text is rendered as text, whatever it contains', () => {
  assert.equal(html`<b>${'<script>"&'}</b>`.text, '<b>&lt;script&gt;&quot;&amp;</b>');
});

// Guards against: Markup in XML or on the reference pages
test('markup in Markdown is rendered as text, and only links to documents and to the web are links', () => {
  const { text } = renderMarkdown(
    '# A <b>\n\n<script>x</script>\n\n[a](javascript:x) [b](other.md) [c](https://example.com/) `<i>`\n\n| <u> |\n| --- |\n| <s> |\n\n## A\n\n## A\n',
    { addressOf: (link) => (link === 'other.md' ? '/docs/guide/other' : link.startsWith('https:') ? link : null) },
  );
  assert.doesNotMatch(text, /<(script|b|i|u|s)>|="javascript:/);
  assert.match(text, /&lt;script&gt;x&lt;\/script&gt;/);
  assert.match(text, /a <a href="\/docs\/guide\/other">b<\/a> <a href="https:\/\/example.com\/">c<\/a>/);
  assert.deepEqual(anchorsOf(text), ['a-b', 'a', 'a-1']);
});

test("an operation that a document names links to its reference, and a link labeled with a file name shows the document's title", () => {
  const placeOf = operationPlaces(registry());
  const cancel = '/docs/reference/schedule#post-events-id-cancel';
  for (const named of ['/events/{id}/cancel', '/api/v2/events/7/cancel?dry_run=true', '/events/{event}/cancel'])
    assert.equal(placeOf(`POST ${named}`), cancel);
  for (const other of ['POST /nowhere', '/events/{id}/cancel', 'GET /events/{id}/cancel'])
    assert.equal(placeOf(other), null);
  const { text } = renderMarkdown('See [x.md](x.md), [`GET /events`](x.md) and `POST /events/7/cancel`.', {
    addressOf: () => '/docs/guide/x',
    titleOf: () => 'Ex',
    placeOf,
  });
  assert.match(text, /<a href="\/docs\/guide\/x">Ex<\/a>, <a href="\/docs\/guide\/x"><code>GET \/events<\/code><\/a>/);
  assert.ok(text.includes(`<a href="${cancel}"><code>POST /events/7/cancel</code></a>`));
});

test('every document of docs/ is a page, and its links lead to pages', () => {
  // The list of documents is on /docs itself.
  const files = globSync('docs/**/*.md', { cwd: ROOT })
    .filter((file) => file !== 'docs/README.md')
    .toSorted();
  const library = new Library();
  const served = library.articles.map(({ file }) => file);
  assert.deepEqual(served.filter((file) => file.startsWith('docs/')).toSorted(), files);
  for (const article of library.articles) {
    const page = pages.get(article.address)!;
    assert.ok(page.includes(`<title>${html`${article.title}`.text}: Rollcall</title>`), article.address);
    for (const [, to] of article.text.matchAll(/\]\(([^)\s#]+\.md)(?:#[^)]*)?\)/g)) {
      const file = normalize(join(dirname(article.file), to));
      assert.equal(
        library.addressOf(to, article) !== null,
        served.includes(file) || file === 'CHANGELOG.md',
        `${article.file}: ${to}`,
      );
    }
    for (const { id } of sectionsOf(article.text))
      assert.ok(anchors.get(article.address)!.includes(id), `${article.address}#${id}`);
  }
});

/** Returns the results of a search, in order. */
const found = (question: string) =>
  [...search(question).matchAll(/<li><p><a href="([^"]+)">([^<]+)<\/a> <span class="soft">([^<]+)<\/span>/g)].map(
    ([, address, title, kind]) => ({ address, title, kind }),
  );

test('a search finds operations, properties, refusals, feed items and documents, best match first', () => {
  for (const [question, title, kind] of [
    ['create an event', 'POST /events', 'Operation'],
    ['GET /events/{id}', 'GET /events/{id}', 'Operation'],
    ['max_occupancy', 'event.max_occupancy', 'Property'],
    ['event_full', 'event_full', 'Refusal'],
    ['customer.created', 'customer.created', 'Feed item'],
    ['manage_events', 'manage_events', 'Permission'],
    ['test clock', 'Test clock', 'Document'],
  ] as const) {
    const all = found(question);
    const [first] = all.filter((one) => one.kind === kind);
    assert.equal(first?.title, title, question);
    assert.ok(all.indexOf(first) < 10, question);
    const [address, anchor] = first.address.split('#');
    assert.ok(anchors.get(address)!.includes(anchor), first.address);
  }
  assert.equal(found('event_full')[0].title, 'event_full');
});

// Guards against: Markup in XML or on the reference pages
test('a search is bounded, and shows its query as text', () => {
  const many = search('e');
  assert.equal(found('e').length, 40);
  assert.match(many, /\d{3,} results for <strong>e<\/strong>. Here are the first 40/);
  assert.deepEqual(found('nothing has zzyzx'), []);
  assert.match(search('<script>alert(1)</script>'), /&lt;script&gt;/);
  assert.doesNotMatch(search('"><script>alert(1)</script>'), /<script>/);
  const long = search('x'.repeat(100_000));
  assert.ok(long.length < 50_000 && long.includes('x'.repeat(100)) && !long.includes('x'.repeat(101)));
  assert.match(search(' '), /Search operations/);
  const words = Array.from({ length: 9 }, (_, i) => (i < 8 ? 'event' : 'zzyzx')).join(' ');
  assert.ok(found(words.replaceAll('event', 'e')).length === 0);
});

test('releases are listed newest first, each with its changes', () => {
  const changes = changesPage(
    [
      { version: '0.1.0', date: '2026-01-01', changes: [{ kind: 'first_version' }] },
      {
        version: '0.2.0',
        date: '2026-02-01',
        changes: [{ kind: 'property_added', resource: 'customer', name: 'nickname' }],
      },
      { version: '0.2.1', date: '2026-02-02', changes: [] },
    ],
    html``,
  );
  assert.ok(changes.indexOf('id="0.2.0"') < changes.indexOf('id="0.1.0"'));
  assert.match(changes, /Property added: <code>customer<\/code> <code>nickname<\/code>/);
  assert.match(changes, /0\.2\.1.*\n<p>Nothing changed in the interface/);
});

test('before the first release, the page of changes explains why it is empty', () => {
  assert.match(changesPage([], html``), /no version of Rollcall has been released/);
});

const aboutPermissions = (): string =>
  [...pages].flatMap(([address, page]) => (address.startsWith('/docs/permissions') ? [page] : [])).join('\n');

test('the pages about permissions have a row for each permission, operation and object at a venue', () => {
  const declared = registry();
  const permissions = aboutPermissions();
  const heads = [...permissions.matchAll(/<th scope="row">(?:<a href="[^"]+">)?<code>([^<]+)<\/code>/g)].map(
    (m) => m[1],
  );
  const placed = [...declared.resources.values()].filter((r) => r.place).map((r) => r.name);
  const operations = declared.endpoints.map(({ method, path }) => `${method} ${path}`);
  for (const name of [...declared.permissions.keys(), ...placed, ...operations])
    assert.equal(heads.filter((h) => h === name).length, 1, name);
  for (const { permission } of [...declared.permissions.values()].filter((p) => p.atVenues))
    assert.match(permissions, new RegExp(`<code>${permission}</code></th><td>[^<]+</td><td>yes</td>`));
});

test('the page about permissions lists the properties that only some callers see', () => {
  const declared = registry();
  const permissions = pages.get('/docs/permissions')!;
  for (const resource of declared.resources.values())
    for (const property of Object.keys(resource.shown))
      assert.ok(permissions.includes(`<code>${resource.name}.${property}</code>`), `${resource.name}.${property}`);
  for (const { kind, shown = {} } of declared.feed.values())
    for (const property of Object.keys(shown))
      assert.ok(permissions.includes(`<code>${kind}</code></th><td><code>payload.${property}</code>`), kind);
});

test('every link from the pages about permissions into the reference has a target', () => {
  const links = [...aboutPermissions().matchAll(/ href="(\/docs\/reference\/[^"#]+)#([^"]+)"/g)];
  assert.ok(links.length > 100);
  assert.deepEqual(
    links.filter(([, address, anchor]) => !anchors.get(address)?.includes(anchor)),
    [],
  );
});
