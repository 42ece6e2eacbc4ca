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

test('calculations of credits and charges that customers read are in the language of the business', () => {
  const [german, american] = [at('DE', 'EUR'), at('US', 'USD')];
  const hold = (of: typeof german) =>
    of
      .say('hold.credit.days', {
        amount: of.amount(1200),
        held: 14,
        total: 31,
        start: of.date('2026-08-01'),
        end: of.date('2026-08-31'),
      })
      .replace(/\s€/, ' €');
  assert.equal(
    hold(german),
    'Gutschrift von 12,00 €: Die Pause umfasst 14 von 31 Tagen des Abrechnungszeitraums ' +
      'vom 1. August 2026 bis 31. August 2026.',
  );
  assert.equal(
    hold(american),
    'Credit of $12.00: the hold covers 14 of 31 days of the billing period from August 1, 2026 to August 31, 2026.',
  );
  const penalty = (of: typeof german) =>
    of.say('penalty', {
      count: 2,
      days: 30,
      free: 1,
      list: of.say('penalty.late_cancel', { day: of.date('2026-08-01'), event: 'Yoga' }),
    });
  assert.equal(
    penalty(german),
    '2 Verstöße innerhalb von 30 Tagen, 1 ist kostenlos: späte Absage am 1. August 2026 (Yoga).',
  );
  assert.equal(
    penalty(american),
    '2 infractions within 30 days, 1 is free: late cancellation on August 1, 2026 (Yoga).',
  );
});

test('a text about an event uses the word for its kind, and a message the language of its reader', () => {
  const tenant = { providerId: 1, zone: 'Europe/Berlin', currency: 'EUR', words: DEFAULT_WORDS };
  assert.equal(
    storedTexts({ tenant }, { kind: 'appointment' }).say('given_back.event_cancelled'),
    'The appointment was cancelled.',
  );
  assert.equal(storedTexts({ tenant }, { reader: readerIn('FR') }).say('infraction.no_show'), 'absence sans prévenir');
  assert.equal(storedTexts({ tenant }, { reader: readerIn('DE') }).say('infraction.no_show'), 'Fehlen');
});
