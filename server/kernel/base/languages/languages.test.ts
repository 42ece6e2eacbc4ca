import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catalog } from './catalog.ts';
import { DEFAULT_WORDS } from '../values/words.ts';
import { fc } from '../../../test/properties.ts';
import { isLanguage, LANGUAGES, readerIn, readerOf, type Language } from './languages.ts';
import { plainDateIn, spokenAmount, spokenMoment } from './spoken.ts';
import { amountIn, dayIn, daysIn, momentIn, soonIn, timeIn, timesIn } from './times.ts';

const USUAL = { language: 'en', locale: 'en-GB' } as const;

test("a page is in the browser's most preferred language that is available", () => {
  for (const [accepts, chosen, language, locale] of [
    ['de-AT,de;q=0.9,en;q=0.8', null, 'de', 'de-AT'],
    ['ja,fr;q=0.5,nl;q=0.7', null, 'nl', 'nl'],
    ['zh-Hant-TW, pt-BR;q=0.3', null, 'pt', 'pt-BR'],
    ['DE-at', null, 'de', 'de-AT'],
    ['fr;q=0, it', null, 'it', 'it'],
    ['ja', null, 'en', 'en-GB'],
    [undefined, null, 'en', 'en-GB'],
    ['en-US,en', 'pl', 'pl', 'pl'],
    ['en-US,de-CH;q=0.4', 'de', 'de', 'de-CH'],
    ['en-US', 'xx', 'en', 'en-US'],
    ['en-US', '__proto__', 'en', 'en-US'],
  ] as const)
    assert.deepEqual(readerOf(accepts, chosen, USUAL), { language, locale }, `${accepts} ${chosen}`);
});

test('a business uses the language that most people read in its country, if it is available', () => {
  for (const [country, locale] of [
    ['FR', 'fr-FR'],
    ['AT', 'de-AT'],
    ['BR', 'pt-BR'],
    ['CA', 'en-CA'],
    ['JP', 'en-JP'],
    ['ZZ', 'en-ZZ'],
  ])
    assert.equal(readerIn(country).locale, locale);
});

test("a business that chose a language uses it in its country's format", () => {
  assert.deepEqual(readerIn('CH', 'fr'), { language: 'fr', locale: 'fr-CH' });
  assert.deepEqual(readerIn('FR', 'en'), { language: 'en', locale: 'en-FR' });
  assert.equal(readerIn('FR', null).locale, 'fr-FR');
  assert.equal(readerIn('FR', 'xx').locale, 'fr-FR');
});

test('any headers of a browser lead to a usable language and locale', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.option(fc.string()), (accepts, chosen) => {
      const { language, locale } = readerOf(accepts, chosen, USUAL);
      assert.ok(isLanguage(language));
      assert.ok(new Intl.Locale(locale).language === language);
    }),
  );
});

const same = <T>(of: T) => Object.fromEntries(Object.keys(LANGUAGES).map((l) => [l, of])) as Record<Language, T>;

test('messages are printed with their values, and choose a form by number', () => {
  const catalog = new Catalog({
    ...same({ left: '{n, plural, =0 {Full} one {# spot left} other {# spots left}}', tag: '<b>{name}</b>' }),
    pl: { left: '{n, plural, =0 {Brak} one {# miejsce} few {# miejsca} other {# miejsc}}', tag: '{name}' },
  });
  const say = catalog.for(USUAL, DEFAULT_WORDS);
  assert.deepEqual(
    [0, 1, 12].map((n) => say('left', { n })),
    ['Full', '1 spot left', '12 spots left'],
  );
  assert.deepEqual(
    [1, 3, 5].map((n) => catalog.for({ language: 'pl', locale: 'pl' }, DEFAULT_WORDS)('left', { n })),
    ['1 miejsce', '3 miejsca', '5 miejsc'],
  );
  assert.equal(say('tag', { name: '{n}' }), '<b>{n}</b>');
});

test('a Hebrew prefix is joined to a Hebrew word, and to nothing else', () => {
  const catalog = new Catalog(same({ on: 'מסתיים ב-{day}, לא אי-הגעה ולא חד-{day}' }));
  const say = catalog.for({ language: 'he', locale: 'he' }, DEFAULT_WORDS);
  assert.deepEqual(
    ['יום שני', '23 בנובמבר', 'Yoga'].map((day) => say('on', { day }).split(',')[0]),
    ['מסתיים ביום שני', 'מסתיים ב-23 בנובמבר', 'מסתיים ב-Yoga'],
  );
  assert.match(say('on', { day: 'יום' }), /, לא אי-הגעה ולא חד-יום$/);
});

const plain = (text: string): string => text.replaceAll(/[\u2009\u202F\u00A0]/g, ' ');

test('a sentence that ends with a time ends with one full stop', () => {
  const say = new Catalog(same({ until: 'Until {when}. Or {name}.' })).for(USUAL, DEFAULT_WORDS);
  const when = momentIn('en-CA', Date.UTC(2026, 10, 23, 23), 'America/Toronto');
  assert.equal(
    plain(say('until', { when, name: 'later...' })),
    'Until Monday, November 23, 2026 at 6:00 p.m. Or later....',
  );
});

test("days, times and amounts are in the reader's format", () => {
  const [from, to] = [Date.UTC(2026, 10, 23, 17), Date.UTC(2026, 10, 23, 18)];
  assert.equal(plain(timeIn('en-US', from, 'America/Toronto')), '12:00 PM');
  assert.equal(plain(timeIn('en-GB', from, 'America/Toronto')), '12:00');
  assert.equal(plain(timesIn('de', from, to, 'Europe/Berlin')), '18:00–19:00 Uhr');
  assert.equal(plain(timesIn('en-GB', from, from + 8 * 3_600_000, 'Europe/London')), '17:00 – 01:00');
  assert.equal(plain(timesIn('en-GB', from, from + 30 * 3_600_000, 'UTC')), '17:00 – Tuesday 24 November, 23:00');
  assert.equal(dayIn('fr', from, 'Europe/Paris'), 'lundi 23 novembre 2026');
  assert.equal(plain(momentIn('en-GB', from, 'UTC')), 'Monday, 23 November 2026 at 17:00');
  assert.equal(plain(momentIn('de', from, 'Europe/Berlin')), 'Montag, 23. November 2026 um 18:00');
  assert.equal(plain(soonIn('en-US', to, from, 'UTC')), '6:00 PM');
  assert.equal(plain(soonIn('en-GB', to, from - 86_400_000, 'UTC')), 'Monday, 23 November 2026 at 18:00');
  assert.equal(plain(daysIn('en-GB', from, from + 6 * 86_400_000, 'UTC')), '23 – 29 November 2026');
  assert.equal(plain(amountIn('de', { minor: 123_450, currency: 'EUR' })), '1.234,50 €');
  assert.equal(plain(amountIn('en', { minor: 1500, currency: 'JPY' })), '¥1,500');
  assert.equal(plain(amountIn('pl', { minor: -50, currency: 'PLN' })), '-0,50 zł');
});

test('a sentence has days, times and amounts in the format of the region of its reader, and else in plain English', () => {
  const at = Date.parse('2026-07-17T22:00Z');
  const said = (locale: string) => {
    const reader = { language: 'en', locale } as const;
    return [
      plainDateIn(reader, '2026-07-17'),
      spokenMoment(reader, at, 'America/Toronto'),
      spokenAmount(reader, { minor: 3000, currency: 'CAD' }),
    ].map(plain);
  };
  assert.deepEqual(said('en'), ['17 July 2026', 'Friday, 17 July 2026, 18:00', '$30.00']);
  assert.deepEqual(said('en-US'), ['July 17, 2026', 'Friday, July 17, 2026, 6:00 PM', '$30.00']);
  assert.deepEqual(said('en-GB'), ['17 July 2026', 'Friday, 17 July 2026, 18:00', '$30.00']);
  assert.deepEqual(said('en-CA'), ['July 17, 2026', 'Friday, July 17, 2026, 6:00 p.m.', '$30.00']);
});
