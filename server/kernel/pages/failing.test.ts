import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fastify from 'fastify';
import { html } from '../base/markup/html.ts';
import { framed } from './layout.ts';
import { LANGUAGES, readerIn } from '../base/languages/languages.ts';
import { Limits } from '../api/limits/limits.ts';
import { bareFrame, page, type Site } from './visit.ts';
import { Problem } from '../base/problem.ts';
import { aroundFor } from './messages.ts';
import { servePages, type PageRoute } from './pages.ts';
import { strayed } from './failing.ts';
import { START } from '../../test/clock.ts';

const SITE: Site = { name: 'Le Quai', home: '/quai', theme: '/quai/theme.css', reader: readerIn('FR') };
const failing = (error: Error) => () => {
  throw error;
};
const ROUTES: PageRoute<Site>[] = [
  { path: '/{slug}', charged: 'page', get: () => page('Ici', html`<h1>Ici</h1>`) },
  {
    path: '/{slug}/form',
    charged: 'page',
    get: () => page('Ici', html`<h1>Ici</h1>`),
    post: () => page('Ici', html`<h1>Ici</h1>`),
  },
  { path: '/{slug}/broken', charged: 'page', get: failing(new Error('nobody foresaw this')) },
  { path: '/{slug}/closed', charged: 'page', get: failing(new Problem('not_found', 'Not found.')) },
];

/** False while businesses can't be looked up. */
let isUp = true;
const lookedUp = async (slug: string): Promise<Site | null> => {
  if (!isUp) throw new Error('the database does not answer');
  return slug === 'quai' ? SITE : null;
};
/** A fixed time: however slow the machine is, the limits never refill. */
const NOW = START;
const shared = { limits: new Limits(true, () => NOW), publicUrl: undefined };
const away = strayed({ ...shared, site: async (path) => lookedUp(path.split('/')[1]) });
const http = fastify();
let url: string;
before(async () => {
  http.setNotFoundHandler((request, reply) => away(request, reply) ?? reply.code(404).send('for programs'));
  servePages(http, {
    ...shared,
    prefix: '',
    routes: ROUTES,
    site: ({ slug }) => lookedUp(slug),
    metrics: { request: () => {} },
    now: () => NOW,
  });
  url = await http.listen({ port: 0, host: '127.0.0.1' });
});
after(() => http.close());

const ask = async (path: string, language: string, init: RequestInit = {}) => {
  const answer = await fetch(url + path, {
    ...init,
    headers: { accept: 'text/html', 'accept-language': language, ...init.headers },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const form = (body: string) => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

/** Asserts that the page is in the frame of the business, and has at least one link to continue. */
function assertOfBusiness(text: string, language: string): void {
  assert.match(text, new RegExp(`^<!doctype html>\\s<html lang="${language}`));
  assert.match(text, /<a class="name" href="\/quai">[^]*Le Quai<\/a>/);
  assert.ok(text.includes('href="/quai/theme.css"'));
  assert.match(text, /<main[^]*<p class="actions"><a class="button[^"]*" href="\/[^"]*">[^]*<\/main>/);
}

test('an error page is in the language of the person who reads it, and looks like the business', async () => {
  for (const language of Object.keys(LANGUAGES)) {
    const say = aroundFor({ language, locale: language } as Parameters<typeof aroundFor>[0]);
    for (const [path, status, title, init] of [
      ['/quai/nowhere/at/all', 404, say('error.404'), {}],
      ['/quai/closed', 404, say('error.404'), {}],
      ['/quai/broken?x=1', 500, say('error.500'), {}],
      ['/quai/form', 403, say('error.403'), form('form_token=none')],
      ['/quai/form', 413, say('error.413'), form(`x=${'x'.repeat(20_000)}`)],
    ] as const) {
      const answer = await ask(path, language, init);
      assert.equal(answer.status, status, path);
      assert.ok(answer.text.includes(`<h1>${html`${title}`.text}</h1>`), `${path} in ${language}`);
      assert.ok(answer.text.includes(`<p>${say('page.powered')}</p>`), `${path} in ${language}`);
      assertOfBusiness(answer.text, language);
    }
  }
});

test('a browser that asks for a language we lack gets that of the business, or the one in the address', async () => {
  assertOfBusiness((await ask('/quai/closed', 'ja')).text, 'fr-FR');
  assertOfBusiness((await ask('/quai/closed?lang=pl', 'ja')).text, 'pl');
});

test('an error that may pass links to the same page again, with its query', async () => {
  assert.match((await ask('/quai/broken?x=1', 'en')).text, /<a class="button" href="\/quai\/broken\?x=1">Try again</);
  assert.match((await ask('/quai/form', 'en', form('form_token=none'))).text, /href="\/quai\/form">Open the page</);
});

test("a recently shown business keeps its look while it can't be looked up, and when requests are limited", async () => {
  await ask('/quai', 'de');
  isUp = false;
  try {
    const answer = await ask('/quai', 'de');
    assert.equal(answer.status, 500);
    assertOfBusiness(answer.text, 'de');
  } finally {
    isUp = true;
  }
  let last = await ask('/quai', 'de');
  for (let n = 0; n < 2000 && last.status !== 429; n++) last = await ask('/quai', 'de');
  assert.equal(last.status, 429);
  assertOfBusiness(last.text, 'de');
  assert.match(last.text, new RegExp(`In ${last.headers.get('retry-after')} Sekunden? geht es weiter`));
  const elsewhere = await ask('/quai/nowhere/at/all', 'de');
  assert.equal(elsewhere.status, 429);
  assert.match(elsewhere.text, /<h1>Zu viele Anfragen/);
});

const framedIn = (locale: string): string =>
  framed(SITE, page('x', html``, { frame: bareFrame({ language: 'en', locale }) }));

test('text runs in the direction of its language', () => {
  for (const locale of ['en-CA', 'pl']) assert.doesNotMatch(framedIn(locale), /<html [^>]*dir=/);
  for (const locale of ['he-IL', 'ar', 'fa']) assert.match(framedIn(locale), /<html [^>]*dir="rtl"/);
});
