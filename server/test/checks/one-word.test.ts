/** In each language, one thing has one word: no text uses another word for it. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The chosen word, and the words to avoid for the same thing. */
const WORDS: Readonly<Record<string, readonly (readonly [word: string, others: RegExp])[]>> = {
  de: [
    ['Standort', /\bOrte[ns]?\b/],
    ['Gutschein', /Geschenk(karte|gutschein)/i],
    ['Trainer', /\bKursleitung|\bLehrkr[aä]ft|\bLehrer/],
  ],
  fr: [['professeur', /\b(enseignants?|instructeurs?)\b/i]],
  es: [
    ['abono', /\bmembresía/i],
    ['instructor', /\bprofesor/i],
    ['factura rectificativa', /\bnotas? de abono/i],
  ],
  nl: [
    ['abonnement', /lidmaatschap/i],
    ['instructeur', /\bdocent/i],
    ['cadeaubon', /cadeaukaart/i],
    ['strippenkaart', /rittenkaart/i],
  ],
  it: [
    ['istruttore', /\binsegnant[ei]\b/i],
    ['carta regalo', /\bbuon[oi] regalo/i],
  ],
  pt: [
    ['instrutor', /\bprofessor/i],
    ['plano', /\bassinatura(?! do webhook)/i],
  ],
  pl: [['miejsce', /lokalizacj|\bobiekt(u|em|y|ów)?\b/i]],
};

/** Returns every text of a catalog with its place. */
function textsOf(language: string): (readonly [place: string, text: string])[] {
  const files = globSync([`server/texts/*/${language}.json`, `web/dashboard/texts/${language}.json`], { cwd: ROOT });
  assert.equal(files.length, 3);
  return files.flatMap((file) => {
    const all = JSON.parse(readFileSync(`${ROOT}${file}`, 'utf8')) as Record<string, Record<string, string>>;
    return Object.entries(all).flatMap(([part, texts]) =>
      Object.entries(texts).map(([key, text]) => [`${file}: ${part} ${key}`, text] as const),
    );
  });
}

for (const [language, words] of Object.entries(WORDS))
  test(`one thing has one word in every text: ${language}`, () => {
    const texts = textsOf(language);
    for (const [word, others] of words) {
      assert.ok(
        texts.some(([, text]) => text.toLowerCase().includes(word.toLowerCase())),
        word,
      );
      assert.deepEqual(
        texts.filter(([, text]) => others.test(text)),
        [],
        `say “${word}”`,
      );
    }
  });
