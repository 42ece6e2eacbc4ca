import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { changesPage } from '../kernel/api/changes.ts';
import { contentSecurity } from '../kernel/api/reference-frame.ts';
import { permissionsPage } from '../kernel/api/permissions-page.ts';
import { referencePage } from '../kernel/api/reference.ts';
import { html } from '../kernel/api/html.ts';
import { registry } from '../app.ts';

const page = referencePage(registry());
const anchors = [...page.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]);

test('every link within the reference has its place, and every place its own name', () => {
  assert.equal(new Set(anchors).size, anchors.length, `twice: ${anchors.filter((a, i) => anchors.indexOf(a) !== i)}`);
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map((m) => m[1]);
  assert.deepEqual(
    links.filter((link) => !anchors.includes(link)),
    [],
  );
});

test('every operation, resource and error code is explained', () => {
  const declared = registry();
  for (const { method, path } of declared.endpoints)
    assert.ok(page.includes(`<span class="method">${method}</span> <code>${path}</code>`), `${method} ${path}`);
  for (const name of declared.resources.keys()) assert.ok(anchors.includes(`resource-${name}`), name);
  for (const code of declared.problems.keys()) assert.ok(anchors.includes(`error-${code}`), code);
});

test('the page has no scripts, and its policy lets in its own style alone', () => {
  assert.doesNotMatch(page, /<script|javascript:| on[a-z]+=/i);
  const style = /<style>([^]*?)<\/style>/.exec(page)![1];
  assert.ok(contentSecurity.includes(`'sha256-${hash('sha256', style, 'base64')}'`));
  assert.doesNotMatch(page, / style="/);
});

test('headings go down one step at a time, and the tags are balanced', () => {
  const levels = [...page.matchAll(/<h([1-6])/g)].map((m) => Number(m[1]));
  assert.equal(levels[0], 1);
  levels.forEach((level, i) => assert.ok(i === 0 || level <= levels[i - 1] + 1, `heading ${i}`));
  for (const tag of ['section', 'table', 'tr', 'ul', 'li', 'p', 'pre', 'code', 'details', 'div']) {
    assert.equal(page.split(new RegExp(`<${tag}[ >]`)).length, page.split(`</${tag}>`).length, tag);
  }
});

test('text becomes text, whatever it holds', () => {
  assert.equal(html`<b>${'<script>"&'}</b>`.text, '<b>&lt;script&gt;&quot;&amp;</b>');
});

test('the newest release stands first, and each with what it changed', () => {
  const changes = changesPage([
    { version: '0.1.0', date: '2026-01-01', changes: [{ kind: 'first_version' }] },
    {
      version: '0.2.0',
      date: '2026-02-01',
      changes: [{ kind: 'property_added', resource: 'customer', name: 'nickname' }],
    },
    { version: '0.2.1', date: '2026-02-02', changes: [] },
  ]);
  assert.ok(changes.indexOf('id="0.2.0"') < changes.indexOf('id="0.1.0"'));
  assert.match(changes, /Property added: <code>customer<\/code> <code>nickname<\/code>/);
  assert.match(changes, /0\.2\.1.*\n<p>Nothing changed in the interface/);
});

test('before the first release, the page of changes says why it lists none', () => {
  assert.match(changesPage([]), /no version of Rollcall has been released/);
});

test('the page about permissions has a line for each permission, operation and object at a venue', () => {
  const declared = registry();
  const permissions = permissionsPage(declared);
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

test('the page about permissions names what is shown to some only', () => {
  const declared = registry();
  const permissions = permissionsPage(declared);
  for (const resource of declared.resources.values())
    for (const property of Object.keys(resource.shown))
      assert.ok(permissions.includes(`<code>${resource.name}.${property}</code>`), `${resource.name}.${property}`);
  for (const { kind, shown = {} } of declared.feed.values())
    for (const property of Object.keys(shown))
      assert.ok(permissions.includes(`<code>${kind}</code></th><td><code>payload.${property}</code>`), kind);
});

test('every link from the page about permissions into the reference has its place', () => {
  const links = [...permissionsPage(registry()).matchAll(/ href="\/docs#([^"]+)"/g)].map((m) => m[1]);
  assert.ok(links.length > 100);
  assert.deepEqual(
    links.filter((link) => !anchors.includes(link)),
    [],
  );
});
