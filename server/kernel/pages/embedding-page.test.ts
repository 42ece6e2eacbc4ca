import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddingCookie, embeddingPage, rememberedPage } from './embedding-page.ts';

const PAGE = 'https://studio.example/classes?week=2#timetable';

test('people can return to a page of the website that they came from, and to no other page', () => {
  assert.deepEqual(embeddingPage(PAGE, 'https://studio.example/', true), { href: PAGE, host: 'studio.example' });
  for (const [asked, referrer] of [
    [PAGE, undefined],
    [PAGE, 'https://other.example/'],
    [PAGE, 'http://studio.example/'],
    [null, 'https://studio.example/'],
    ['/classes', 'https://studio.example/'],
    ['javascript:alert(1)', 'https://studio.example/'],
    ['https://studio.example@other.example/', 'https://studio.example/'],
    ['https://ada:secret@studio.example/', 'https://studio.example/'],
    [`https://studio.example/${'x'.repeat(1000)}`, 'https://studio.example/'],
  ] as const)
    assert.equal(embeddingPage(asked, referrer, true), null, String(asked));
});

test('pages without https count only while the service has none either', () => {
  const page = 'http://127.0.0.1:8080/';
  assert.equal(embeddingPage(page, page, true), null);
  assert.equal(embeddingPage(page, page, false)?.host, '127.0.0.1:8080');
});

test('the page is remembered for one site only', () => {
  const cookie = embeddingCookie('/harbour', { href: PAGE, host: 'studio.example' });
  assert.equal(rememberedPage(cookie, '/harbour', true)?.href, PAGE);
  assert.equal(rememberedPage(cookie, '/meadow', true), null);
  assert.equal(rememberedPage('/harbour javascript:alert(1)', '/harbour', true), null);
  assert.equal(rememberedPage(null, '/harbour', true), null);
});
