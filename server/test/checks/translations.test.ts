/** Refusals and explanations for customers are translated into every language, in the areas that have translations. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { globSync, readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import { test } from 'node:test';
import { isLanguage, LANGUAGES } from '../../kernel/base/languages/languages.ts';
import { registry } from '../../app.ts';
import { translatables } from '../pages/customer-texts.ts';

/** The texts of notices have their own translations, by name. */
const OF_NOTICES = /notice|notification-type/;

const messagesIn = (language: string): Readonly<Record<string, Record<string, string>>> =>
  JSON.parse(readFileSync(`server/texts/messages/${language}.json`, 'utf8'));

/** Folders with refusals in the texts, each with the name of its part. */
const parts = new Map(
  Object.keys(messagesIn('de'))
    .filter((part) => part.endsWith('/refusals'))
    .map((part) => {
      const name = part.slice(0, -'/refusals'.length);
      const [folder] = name === 'api' ? ['server/kernel/api'] : globSync(`server/areas/*/${name}`);
      return [folder!, part] as const;
    }),
);
const folders = [...parts.keys()];

const sourcesIn = (folder: string): string[] => [
  ...new Set(
    globSync(`${folder}/**/*.ts`)
      .filter((file) => !/\.test\.ts$|\/test\//.test(file) && !OF_NOTICES.test(file))
      .flatMap((file) => translatables(readFileSync(file, 'utf8'))),
  ),
];

const valuesOf = (source: string): string[] =>
  [...new Set([...source.matchAll(/\{(\d+)\}/g)].map(([, n]) => n))].toSorted();

const holesOf = (text: string, language: string): string[] =>
  [
    ...new Set(
      (
        new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).getAst() as {
          type: number;
          value: string;
        }[]
      )
        .filter(({ type }) => type !== 0)
        .map(({ value }) => value),
    ),
  ].toSorted();

/** Areas whose texts for customers are in English only, and why. */
const IN_ENGLISH: Readonly<Record<string, string>> = {
  'server/areas/availability/calendars': 'the name of a calendar, which programs read',
  'server/areas/platform/terminologies': 'staff read what the words mean',
  'server/areas/reporting/reports': 'columns that are called customer; staff read reports',
};

test('no area has texts for customers without translations', () => {
  const areas = globSync('server/areas/*/*/index.ts').map((file) => dirname(file));
  const untranslated = areas.filter((area) => !folders.includes(area) && sourcesIn(area).length > 0);
  assert.deepEqual(untranslated.toSorted(), Object.keys(IN_ENGLISH));
});

test('every text for customers in the refusals of an area is translated into every language', () => {
  assert.ok(folders.length > 0);
  for (const folder of folders) {
    const sources = sourcesIn(folder).toSorted();
    for (const language of Object.keys(LANGUAGES).filter((one) => one !== 'en')) {
      assert.ok(isLanguage(language));
      const file = `${language} ${parts.get(folder)}`;
      const texts = messagesIn(language)[parts.get(folder)!]!;
      assert.deepEqual(Object.keys(texts).toSorted(), sources, file);
      const speaker = registry().speakers.for({ language, locale: language })!;
      for (const [source, text] of Object.entries(texts)) {
        assert.deepEqual(holesOf(text, language), valuesOf(source), `${file}: ${text}`);
        assert.notEqual(text, source, file);
        assert.ok(text.length <= 30 + source.length * 2, `${file} is long: ${text}`);
        const values = valuesOf(source).map((n) => `<${n}>`);
        assert.equal(
          speaker.say(source, values),
          text.replaceAll(/\{(\d+)\}/g, (_, n) => `<${n}>`),
          `${file}: its area declares its translations`,
        );
      }
    }
  }
});
