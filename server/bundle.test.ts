import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { currentBundle, LIST, marksOf, showSources } from '../bin/bundled.mjs';
import { bundle } from './bundle.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(import.meta.dirname, 'test', 'processes', 'throwing.ts');

let into: string;
let folder: string;
before(async () => {
  into = mkdtempSync(join(tmpdir(), 'rollcall-bundle-'));
  folder = await bundle({ throwing: SOURCE }, into);
});
after(() => rmSync(into, { recursive: true, force: true }));

test('an error in the bundle shows the function, the file and the line of the source', async () => {
  const { refuseAlways, SAID } = await import(join(folder, 'throwing.mjs'));
  assert.equal(SAID, 'Grüße – 🎾');
  const prepare = Error.prepareStackTrace;
  let stack = '';
  try {
    showSources(ROOT, folder);
    refuseAlways();
  } catch (error) {
    stack = (error as Error).stack!;
  } finally {
    Error.prepareStackTrace = prepare;
  }
  const line =
    readFileSync(SOURCE, 'utf8')
      .split('\n')
      .findIndex((text) => text.includes('throw new')) + 1;
  const [head, first] = stack.split('\n');
  assert.equal(head, 'Error: refused: Grüße – 🎾');
  assert.match(first, /^ {4}at refuseAlways \(file:.*\/server\/test\/processes\/throwing\.ts:\d+\)$/);
  assert.ok(first.endsWith(`:${line})`), first);
});

test('the bundle of the current sources is the current one', () => {
  assert.equal(currentBundle(ROOT, into), folder);
});

test('a bundle is ignored if a source has changed or is gone, or another Node built it', () => {
  const root = join(into, 'project');
  mkdirSync(join(root, 'made', 'abc'), { recursive: true });
  const source = join(root, 'a.ts');
  writeFileSync(source, 'one');
  const marks = marksOf(source);
  const list = (files: object, node = process.version) =>
    writeFileSync(join(root, 'made', LIST), JSON.stringify({ node, folder: 'abc', files }));
  const current = () => currentBundle(root, join(root, 'made'));
  list({ 'a.ts': marks });
  assert.equal(current(), join(root, 'made', 'abc'));
  list({ 'a.ts': marks }, 'v1.0.0');
  assert.equal(current(), null);
  list({ 'a.ts': marks, 'b.ts': [1, 1] });
  assert.equal(current(), null);
  list({ 'a.ts': marks });
  utimesSync(source, 1, 1);
  assert.equal(current(), null);
  rmSync(join(root, 'made', LIST));
  assert.equal(current(), null);
});
