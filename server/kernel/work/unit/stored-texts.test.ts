import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_WORDS } from '../../base/values/words.ts';
import { readerIn } from '../../base/languages/languages.ts';
import { storedTexts } from './stored-texts.ts';

const at = (country: string, currency: string) =>
  storedTexts({
    tenant: { providerId: 1, zone: 'Europe/Berlin', currency, words: DEFAULT_WORDS, reader: readerIn(country) },
  });

test('texts that are stored for everyone are in the language of the business, with its days and amounts', () => {
  const [german, american] = [at('DE', 'EUR'), at('US', 'USD')];
  const period = (of: typeof german) =>
    of.say('period', { name: 'Club', start: of.date('2030-02-28'), end: of.date('2030-03-30') });
  assert.equal(period(german), 'Club: 28. Februar 2030 bis 30. März 2030');
  assert.equal(period(american), 'Club: February 28, 2030 to March 30, 2030');
  const event = (of: typeof german) => of.say('event', { name: 'Rowing', day: of.day('2026-07-16') });
  assert.equal(event(german), 'Rowing am Donnerstag, 16. Juli 2026');
  assert.equal(event(american), 'Rowing on Thursday, July 16, 2026');
  assert.equal(german.amount(1200).replace(/\s/, ' '), '12,00 €');
  assert.deepEqual([german.say('walk_in'), american.say('walk_in')], ['Laufkundschaft', 'Walk-in customer']);
});
