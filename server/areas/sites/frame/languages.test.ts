import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';

const COUNT = Object.keys(LANGUAGES).length;

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world?.close());

const at = (page: string) => `/account/${world.harbour}/${page}`;

test('the pages that lead into an account are in the language that the browser asks for', async () => {
  const titles = new Set<string>();
  for (const language of Object.keys(LANGUAGES)) {
    const visitor = new PageClient(world.url);
    visitor.headers = { 'accept-language': language };
    for (const page of ['log-in', 'sign-up', 'check-mail', 'forgot-password']) {
      const { status, text } = await visitor.get(at(page));
      assert.equal(status, 200);
      assert.match(text, new RegExp(`<html lang="${language}"`));
      titles.add(/<h1>([^<]*)<\/h1>/.exec(text)![1]);
    }
    for (const page of ['confirm', 'reset-password', 'invitation']) {
      const { status, text } = await visitor.get(at(page));
      assert.equal(status, 410);
      titles.add(/<h1>([^<]*)<\/h1>/.exec(text)![1]);
    }
  }
  assert.equal(titles.size, COUNT * 5, 'no two languages say the same');
});

test('form errors, including those of a password, are in the language of the page', async () => {
  const visitor = new PageClient(world.url);
  visitor.headers = { 'accept-language': 'de-AT' };
  await visitor.get(at('sign-up'));
  const { status, text } = await visitor.post(at('sign-up'), { email: 'ada at example', password: 'kurz' });
  assert.equal(status, 422);
  assert.match(text, /<title>Fehler: Registrieren – Harbour<\/title>/);
  assert.match(
    text,
    /Es gibt Probleme[^]*Vorname: Füllen Sie dieses Feld aus\.[^]*Passwort: Das sind 4 Zeichen\. Verwenden Sie mindestens 10/,
  );
  const english = text.match(/Fill this in|Error:|optional\)|Use at least/g);
  assert.deepEqual(english, null);
});

test('nobody who chooses another language, or logs in instead, loses the page that they came from', async () => {
  const page = at('events/7');
  const visitor = new PageClient(world.url);
  const back = encodeURIComponent(page);
  const links = (text: string, name: string) =>
    [...text.matchAll(/href="([^"]*)"/g)].map(([, to]) => to).filter((to) => to.startsWith(at(name)));
  const { text } = await visitor.get(`${at('sign-up')}?return_to=${back}`);
  assert.equal(links(text, 'sign-up').filter((to) => to.includes(back)).length, COUNT);
  assert.ok(links(text, 'log-in').every((to) => to.endsWith(`return_to=${back}`)));
  const wrong = await visitor.post(at('sign-up'), { return_to: page });
  assert.equal(links(wrong.text, 'sign-up').filter((to) => to.includes(back)).length, COUNT, 'after a mistake too');
  const chosen = await visitor.get(
    links(wrong.text, 'sign-up')
      .find((to) => to.endsWith('lang=fr'))!
      .replaceAll('&amp;', '&'),
  );
  assert.match(chosen.text, /<html lang="fr">[^]*S’inscrire/);
  assert.match((await visitor.get(at('log-in'))).text, /<html lang="fr">/, 'the choice is kept');
});
