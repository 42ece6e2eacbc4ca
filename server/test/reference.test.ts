import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { changesPage } from '../kernel/api/changes.ts';
import { contentSecurity } from '../kernel/api/reference-frame.ts';
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

test('the newest changes stand first', () => {
  const changes = changesPage([
    { date: '2026-01-01', changes: [{ kind: 'first_version' }] },
    { date: '2026-02-01', changes: [{ kind: 'property_added', resource: 'customer', name: 'nickname' }] },
  ]);
  assert.ok(changes.indexOf('id="2026-02-01"') < changes.indexOf('id="2026-01-01"'));
  assert.match(changes, /Property added: <code>customer<\/code> <code>nickname<\/code>/);
});
