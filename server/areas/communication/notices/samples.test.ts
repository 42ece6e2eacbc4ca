import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, readerIn, type Language } from '../../../kernel/base/languages/languages.ts';
import { registry } from '../../../app.ts';
import { sampleIn } from './samples.ts';

const plain = (text: string): string => text.replaceAll(/\s/g, ' ');
const german = (sample: string): string => plain(sampleIn(readerIn('DE'), sample, 'EUR'));

test('samples are in the language of the reader, with days, times and amounts as they write them', () => {
  assert.equal(
    german('You can cancel for free until Thursday, 1 October 2026 at 18:00.'),
    'Kostenlos absagen können Sie bis Donnerstag, 1. Oktober 2026, 18:00.',
  );
  assert.equal(german('Friday, 2 October 2026'), 'Freitag, 2. Oktober 2026');
  assert.equal(german('15 July 2026'), '15. Juli 2026');
  assert.match(german('Fri 2 Oct, 18:00'), /^Fr\.?, 2\. Okt\.?, 18:00$/);
  assert.equal(german('$12.00'), '12,00 €');
  assert.equal(plain(sampleIn(readerIn('US'), 'Friday, 2 October 2026', 'USD')), 'Friday, October 2, 2026');
  assert.equal(sampleIn(readerIn('JP', 'en'), '$45.00', 'JPY'), '¥45');
});

/** Names, addresses and words of a sentence that only English has. */
const ALIKE =
  /^(?:Ada(?: King)?|Byron(?:['’]s| has| is| King)?|Harbour Lane|Rowing|Club|class|Pier 4|1 Pier, Toronto|Grace|Kim Reyes|Visa 4242)$/;

test('every sample that has words is translated into every language', () => {
  const samples = new Set(
    [...registry().notices.values()].flatMap(({ fields }) => fields.map((f) => String(f.sample))),
  );
  const worded = [...samples].filter((sample) => !ALIKE.test(sample) && !/^(?:https?:|\S+@|[A-Z]+-\d+$)/.test(sample));
  for (const language of (Object.keys(LANGUAGES) as Language[]).filter((one) => one !== 'en'))
    for (const sample of worded) {
      const said = sampleIn({ language, locale: language }, sample, 'EUR');
      if (/\p{L}/u.test(sample)) assert.notEqual(said, sample, `${language}: ${sample}`);
      assert.doesNotMatch(said, /\b(?:the|you|your|day|October|July)\b|[A-Z][a-z]+day,/, `${language}: ${said}`);
    }
});
