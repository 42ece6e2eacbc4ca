import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../kernel/base/db/sql.ts';
import { workedTable } from '../../../test/worked-table.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { WORDS } from '../../../kernel/base/values/words.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const set = (
  word: string,
  body: unknown,
  more: { query?: string; as?: string; headers?: Record<string, string> } = {},
) => world.patch(`/terminologies/${word}${more.query ?? ''}`, { as: world.machine, ...more, body });
const of = async (word: string) => (await world.get(`/terminologies/${word}`)).body;

const write = (singular: string) =>
  world.app.db.transaction(world.harbour, (tx) =>
    tx.run(sql`INSERT INTO terminology (provider_id, word, locale, singular, plural)
                 VALUES (${world.harbour}, 'store', 'de', ${singular}, 'x')`),
  );

const rows = () =>
  world.app.db.transaction(world.harbour, async (tx) => ({
    words: await tx.rows(
      sql`SELECT word, singular, plural, article FROM terminology WHERE provider_id = ${world.harbour}`,
    ),
    feed: await tx.rows(
      sql`SELECT count(*)::int AS n FROM feed_item WHERE provider_id = ${world.harbour} AND kind = 'provider.updated'`,
    ),
    audit: await tx.rows(
      sql`SELECT count(*)::int AS n FROM audit_entry
        WHERE provider_id = ${world.harbour} AND action LIKE '%/terminologies/%'`,
    ),
  }));

test('everybody reads every word of a business, also as XML', async () => {
  const { status, body } = await world.get('/terminologies');
  assert.equal(status, 200);
  assert.deepEqual(
    body.results.map(({ id }: { id: string }) => id),
    [...WORDS],
  );
  assert.equal(body.count, WORDS.length);
  const page = await world.get('/terminologies?page_size=2&page=2');
  assert.deepEqual(
    page.body.results.map(({ id }: { id: string }) => id),
    WORDS.slice(2, 4),
  );
  const xml = await world.get('/terminologies/rental', { headers: { accept: 'application/xml' } });
  assert.match(xml.text, /<singular>rental<\/singular>/);
});

test('a word is the default until the business sets its own, and again after it is restored', async () => {
  const before = await of('appointment');
  assert.deepEqual(
    [before.singular, before.plural, before.article, before.customised],
    ['appointment', 'appointments', 'an', false],
  );
  const { status, body } = await set('appointment', { singular: 'private lesson', plural: 'private lessons' });
  assert.equal(status, 200);
  assert.deepEqual(
    [body.singular, body.plural, body.article, body.customised, body.default_singular],
    ['private lesson', 'private lessons', 'a', true, 'appointment'],
  );
  assert.deepEqual(await of('appointment'), body);
  assert.deepEqual((await set('appointment', { singular: null, plural: null })).body, before);
  assert.deepEqual(await of('appointment'), before);
});

test('an article stays until the business removes it', async () => {
  await set('class', { singular: 'HIIT', plural: 'HIITs', article: 'an' });
  assert.equal((await set('class', { plural: 'HIIT classes' })).body.article, 'an');
  assert.equal((await set('class', { article: null })).body.article, 'a');
  assert.equal((await set('class', { singular: null, plural: null })).body.article, 'a');
});

test('PUT removes what the body leaves out', async () => {
  const whole = {
    singular: 'studio',
    plural: 'studios',
    translations: [{ locale: 'fr', singular: 'lieu', plural: 'lieux' }],
  };
  assert.equal((await world.put('/terminologies/venue', { as: world.machine, body: whole })).status, 200);
  assert.deepEqual((await of('venue')).translations, whole.translations);
  const { body } = await world.put('/terminologies/venue', {
    as: world.machine,
    body: { singular: null, plural: null },
  });
  assert.deepEqual([body.customised, body.translations], [false, []]);
});

test('other languages are stored for sites of the business, each once', async () => {
  const translations = [
    { locale: 'fr', singular: 'salle', plural: 'salles' },
    { locale: 'pt-BR', singular: 'sala', plural: 'salas' },
  ];
  assert.deepEqual((await set('room', { translations })).body.translations, translations);
  assert.equal((await of('room')).customised, false);
  for (const wrong of ['fr', 'en']) {
    const refused = await set('room', { translations: [translations[0], { ...translations[1], locale: wrong }] });
    assert.equal(refused.status, 400);
    assert.deepEqual(Object.keys(refused.body.field_errors), ['translations.1.locale']);
  }
});

test('singular or plural alone is refused, with the remedy', async () => {
  for (const [body, field] of [
    [{ singular: 'flow' }, 'plural'],
    [{ plural: 'flows' }, 'singular'],
    [{ singular: 'flow', plural: null }, 'plural'],
  ] as const) {
    const refused = await set('course', body);
    assert.equal(refused.status, 400);
    assert.deepEqual(Object.keys(refused.body.field_errors), [field]);
    assert.match(refused.body.message, /Send both `singular` and `plural`/);
  }
});

test('a word can’t contain anything that a page, an email or a template interprets as markup', async () => {
  for (const wrong of [
    '<b>flow</b>',
    '{{customer.first_name}}',
    'a\nb',
    'a\u202eb',
    '[x]',
    'a`b',
    ' ',
    'x'.repeat(41),
    '"',
  ])
    assert.equal((await set('course', { singular: wrong, plural: 'flows' })).status, 400, JSON.stringify(wrong));
  for (const right of ["kids' class", 'T’ai-chi & more', 'Étude (1/2)', 'кружок']) {
    const { status, body } = await set('course', { singular: right, plural: `${right} x` });
    assert.equal(status, 200, right);
    assert.equal(body.singular, right);
  }
  await set('course', { singular: null, plural: null });
});

test('the database itself refuses markup, whatever writes', async () => {
  for (const wrong of ['<b>', '{{x}}', 'a\nb', ' a', '', 'a]', 'x'.repeat(41)])
    await assert.rejects(write(wrong), /terminology_plain/, JSON.stringify(wrong));
});

test('only super admins set words, and words that texts do not use can’t be set', async () => {
  const developer = world.staff(['developer']);
  assert.equal((await set('class', { singular: 'flow', plural: 'flows' }, { as: developer })).status, 403);
  const customer = world.customer(await world.newCustomer());
  assert.equal((await set('class', { singular: 'flow', plural: 'flows' }, { as: customer })).status, 403);
  for (const path of ['/terminologies/zebra', '/terminologies/1'])
    assert.equal((await world.get(path)).status, 404, path);
});

test('sending a word back as shown changes nothing, and records no feed item', async () => {
  await set('spot', { singular: 'mat', plural: 'mats' });
  const before = await rows();
  for (const word of ['spot', 'booking', 'waitlist'] as const) {
    const shown = await of(word);
    for (const method of ['put', 'patch'] as const) {
      const { status, body } = await world[method](`/terminologies/${word}`, { as: world.machine, body: shown });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(body, shown);
    }
  }
  assert.deepEqual(await rows(), before);
});

test('a dry run shows the word and stores nothing', async () => {
  const preview = await set('instructor', { singular: 'coach', plural: 'coaches' }, { query: '?dry_run=true' });
  assert.equal(preview.body.singular, 'coach');
  assert.equal(preview.body.effects[0].effect, 'provider.updated');
  assert.equal((await of('instructor')).singular, 'instructor');
});

test('repeating a request with its idempotency key sets the word once', async () => {
  const headers = { 'idempotency-key': `words-${world.harbour}` };
  const body = { singular: 'guide', plural: 'guides' };
  const first = await set('instructor', body, { headers });
  await set('instructor', { singular: null, plural: null });
  assert.deepEqual((await set('instructor', body, { headers })).body, first.body);
  assert.equal((await of('instructor')).singular, 'instructor');
});

test('words of one business do not affect any other', async () => {
  await set('store', { singular: 'kiosk', plural: 'kiosks' });
  const other = await world.get('/terminologies/store', { provider: world.meadow });
  assert.equal(other.body.singular, 'store');
});

test('the guide lists every word, with its default and its meaning', async () => {
  const { body } = await world.get('/terminologies', { provider: world.meadow });
  assert.deepEqual(
    workedTable('docs/guide/words.md', 'Which words there are').map(
      ({ id, default: one, 'what it stands for': what }) => [id, one, what],
    ),
    body.results.map((r: Record<string, string>) => [r.id, r.default_singular, r.description]),
  );
});
