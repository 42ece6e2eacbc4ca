/**
 * The texts of all three stores: complete in every language, with the same placeholders, in its own words, and used.
 * The English source of most parts is in `en.json`. Where it is in the code, as in refusals and notices, that is
 * compared.
 */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ALIKE } from './texts-alike.ts';
import {
  ALL,
  lengthOf,
  missingPlurals,
  OTHERS,
  placeholdersOf,
  ROOT,
  STORES,
  textsOf,
  type Store,
  type Texts,
} from './texts.ts';
import { bareWord, translatables } from '../pages/customer-texts.ts';
import { DEFAULT_WORDS, FORMS, WORDS } from '../../kernel/base/values/words.ts';
import { LANGUAGES, type Language } from '../../kernel/base/languages/languages.ts';
import { OURS, TEMPLATE_FIELDS, templateIn } from '../../areas/commerce/gift-cards/delivery-notice.ts';
import { registry } from '../../app.ts';
import { templateProblem } from '../../kernel/base/values/template.ts';
import { wordHole } from '../../kernel/base/languages/catalog.ts';

const read = (pattern: string | string[]): string[] =>
  globSync(pattern, { cwd: ROOT })
    .filter((file) => !/\.test\.ts$|\/test\//.test(file))
    .map((file) => readFileSync(ROOT + file, 'utf8'));

/** Staff read "Selected: 3" in languages that would have to decline the noun. */
const isForStaff = (store: Store): boolean => store === 'web/dashboard/texts';

/** The words of a business, which English messages have as placeholders and translations don't. */
const OF_WORDS = new Set(FORMS.flatMap((form) => WORDS.map((word) => `value ${wordHole(form, word)}`)));

function namesIn(store: Store, message: string, language: Language): string[] {
  const names = placeholdersOf(message, language).filter((name) => !OF_WORDS.has(name));
  return isForStaff(store) ? [...new Set(names.map((name) => name.split(' ')[1]!))].toSorted() : names;
}

/** Keys that code builds from values alone. Tests of these parts compare them with what the service declares. */
const FROM_VALUES: Readonly<Record<string, RegExp>> = {
  'accounts/checkout': /^(?:on|back)\./,
  changes: /./,
  'reports/values': /./,
  notices: /./,
  palette: /^command\./,
  'screens/imports': /^(?:dates|delimiter|meaning|property)\./,
  'screens/settings': /^(?:choice|hint|label)\./,
  'ui/history': /^property\./,
};

/** The words of reports, which staff read. */
const OF_REPORTS = /^reports\//;

for (const store of STORES) {
  const english = textsOf(store, 'en');
  describe(`every part of ${store} says the same in every language`, () => {
    const texts = new Map(ALL.map((language) => [language, textsOf(store, language)]));
    for (const [part, source] of Object.entries(english).filter(([name]) => !OF_REPORTS.test(name)))
      test(part, () => {
        const alike = ALIKE[store][part] ?? [];
        const unneeded = new Set(alike);
        for (const [language, parts] of texts) {
          const messages = parts[part]!;
          assert.deepEqual(Object.keys(messages), Object.keys(source), `${language} has the keys of English, in order`);
          for (const [key, message] of Object.entries(messages)) {
            const which = `${language} ${key}: ${message}`;
            assert.match(message, /^\S(?:.*\S)?$/s, which);
            assert.deepEqual(namesIn(store, message, language), namesIn(store, source[key]!, 'en'), which);
            assert.deepEqual(missingPlurals(message, language), [], which);
            // A label that is three times as long does not fit.
            assert.ok(lengthOf(message, language) <= 12 + lengthOf(source[key]!, 'en') * 2.2, `${which} is long`);
            if (language === 'en' || message !== source[key]) continue;
            assert.ok(alike.includes(key), `${which} is as in English`);
            unneeded.delete(key);
          }
        }
        assert.deepEqual([...unneeded], [], 'listed in texts-alike.ts, although every language has its own words');
      });
  });

  test(`no text of ${store} is unused`, () => {
    const code = (store === 'web/dashboard/texts' ? read('web/**/*.{ts,tsx}') : read('server/**/*.ts')).join('\n');
    const isUsed = usesIn(code);
    const unused = Object.entries(english).flatMap(([part, texts]) =>
      Object.keys(texts)
        .filter((key) => !FROM_VALUES[part]?.test(key) && !isUsed(key))
        .map((key) => `${part} ${key}`),
    );
    assert.deepEqual(unused, []);
  });

  if (!isForStaff(store))
    test(`no text of ${store} has a fixed word for a thing that a business names itself`, () => {
      const forCustomers = Object.entries(english).filter(([part]) => !OF_REPORTS.test(part));
      const bare = forCustomers.flatMap(([, texts]) =>
        Object.entries(texts).filter(([, text]) => bareWord(text.replaceAll(/\{(?:\w+)\}/g, 'x')) !== null),
      );
      assert.deepEqual(bare, []);
    });
}

/** Every name in the sources: the values that code puts into the keys that it builds. */
const NAMES = new Set(
  read(['{server,web}/**/*.{ts,tsx}', 'db/**/*.sql'])
    .join('\n')
    .match(/[\w-]+/g),
);

const HOLE = /\$\{[^{}`]*\}/;

/** Returns a test for keys that code has, whole or built: `notice.${type}`, `'on.' + place`. */
function usesIn(code: string): (key: string) => boolean {
  const literals = new Set(
    [...code.matchAll(/'([\w.-]+)'|"([\w.-]+)"|`([\w.-]+)`|^\s*(\w+):/gm)].map((found) => found.slice(1).find(Boolean)),
  );
  const built = [
    ...[...code.matchAll(/`([\w.-]*(?:\$\{[^{}`]*\}[\w.-]*)+)`/g)].map(([, text]) => text!.split(HOLE)),
    ...[...code.matchAll(/'([\w.-]+[._])' \+/g)].map(([, begin]) => [begin!, '']),
  ]
    .filter((texts) => texts.some((text) => /[a-z\d]/i.test(text)))
    .map((texts) => new RegExp(`^${texts.map((text) => RegExp.escape(text)).join('(.+)')}$`));
  const isBuilt = (key: string, isKnown: (name: string) => boolean): boolean =>
    built.some((pattern) =>
      pattern
        .exec(key)
        ?.slice(1)
        .every((value) => value.split('.').every(isKnown)),
    );
  // A value may be built itself: `operator_${act}`.
  return (key) =>
    literals.has(key) || isBuilt(key, (name) => NAMES.has(name) || isBuilt(name, (part) => NAMES.has(part)));
}

/** In each language, the chosen word for a thing or form of address, and the words to avoid for it. */
const ONE_WORD: Readonly<Partial<Record<Language, readonly (readonly [word: string, others: RegExp])[]>>> = {
  de: [
    ['Standort', /\bOrte[ns]?\b/],
    ['Gutschein', /Geschenk(karte|gutschein)/i],
    ['Trainer', /\bKursleitung|\bLehrkr[aä]ft|\bLehrer/],
    ['pausiert', /\bruht\b/],
  ],
  fr: [
    ['professeur', /\b(enseignants?|instructeurs?)\b/i],
    ['code promo', /codes? de réduction/i],
    ['pause', /suspensions?\b/i],
  ],
  es: [
    ['abono', /\bmembresía/i],
    ['instructor', /\bprofesor/i],
    ['factura rectificativa', /\bnotas? de abono/i],
    ['puedes', /\busted(es)?\b/i],
  ],
  nl: [
    ['abonnement', /lidmaatschap/i],
    ['instructeur', /\bdocent/i],
    ['cadeaubon', /cadeaukaart/i],
    ['strippenkaart', /rittenkaart/i],
    ['toegangssleutel', /\bpasskey/i],
    ['gepauzeerd', /stilgezet|stilzetten|stilstaan/i],
    ['je', /\b(u|uw)\b/i],
  ],
  it: [
    ['istruttore', /\binsegnant[ei]\b/i],
    ['carta regalo', /\bbuon[oi] regalo/i],
    ['pausa', /\bsospension/i],
    ['e-mail', / email\b/],
  ],
  pt: [
    ['instrutor', /\bprofessor/i],
    ['plano', /\bassinatura(?! do webhook)/i],
    ['vaga', /\blugar(es)? livres?/i],
    ['pausa', /\bsuspens(ão|ões)/i],
    ['ligação', /\blinks?\b/i],
    ['e-mail', / email\b/],
  ],
  pl: [
    ['miejsce', /lokalizacj|\bobiekt(u|em|y|ów)?\b/i],
    ['lista rezerwowa', /list\S* oczekujących/i],
    ['kody zapasowe', /kod\S* odzyskiwania/i],
  ],
  he: [
    ['הקפאה', /השעי(?!ה)|השעיי/],
    ['סניף', /מיקומים|אתר הפעילות/],
    ['יתרת זכות', /קרדיט/],
    ['אימייל', /דוא״ל|(?<!אי)מייל/],
    ['שובר מתנה', /כרטיס\S* מתנה|תו שי/],
    ['כרטיסייה', /כרטיסיה/],
    ['רשימת ההמתנה', /רשימת (ה)?ממתינים/],
  ],
};

describe('one thing has one word in every text', () => {
  for (const [language, words] of Object.entries(ONE_WORD) as [Language, (typeof ONE_WORD)[Language] & {}][])
    test(language, () => {
      const texts = STORES.flatMap((store) =>
        Object.entries(textsOf(store, language)).flatMap(([part, all]) =>
          Object.entries(all).map(([key, text]) => [`${store}: ${part} ${key}`, text] as const),
        ),
      );
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
});

test('the dashboard has the languages of the booking site', () => {
  const [text] = read('web/dashboard/src/words/language.ts');
  for (const [code, name] of Object.entries(LANGUAGES)) assert.ok(text!.includes(`${code}: '${name}'`), code);
});

/** The texts of notices have their own translations, by name. */
const OF_NOTICES = /notice|notification-type/;

const messagesIn = (language: Language): Readonly<Record<string, Texts>> => textsOf('server/texts/messages', language);

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
    for (const language of OTHERS) {
      const file = `${language} ${parts.get(folder)}`;
      const texts = messagesIn(language)[parts.get(folder)!]!;
      assert.deepEqual(Object.keys(texts).toSorted(), sources, file);
      const speaker = registry().speakers.for({ language, locale: language })!;
      for (const [source, text] of Object.entries(texts)) {
        assert.deepEqual(
          placeholdersOf(text, language),
          valuesOf(source).map((n) => `value ${n}`),
          `${file}: ${text}`,
        );
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

const NOTICE_PARTS = ['subject', 'body', 'sms', 'button'] as const;

/** Returns the fields of a template, without those for "you" or a name: languages inflect these differently. */
const fieldsOf = (template: string): string[] =>
  [...new Set([...template.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name!))]
    .filter((name) => !/^participant\.|^event\.word$/.test(name))
    .toSorted();

test('every notice exists in every language, with the same fields', () => {
  for (const { type, fields, translations = {}, freeform, ...texts } of registry().notices.values()) {
    // Texts that staff or a business write each time are their own.
    if (freeform) continue;
    assert.deepEqual(Object.keys(translations), OTHERS, type);
    const english = { subject: texts.subject, body: texts.body, sms: texts.smsBody, button: texts.button };
    for (const [language, all] of Object.entries(translations))
      for (const part of NOTICE_PARTS) {
        const [translated, source] = [all[`${type}.${part}`], english[part]];
        assert.equal(translated === undefined, source === undefined, `${language} ${type}.${part}`);
        if (translated === undefined) continue;
        assert.equal(templateProblem(translated, fields), null, `${language} ${type}.${part}`);
        assert.deepEqual(fieldsOf(translated), fieldsOf(String(source)), `${language} ${type}.${part}`);
        assert.notEqual(translated, String(source), `${language} ${type}.${part}`);
      }
  }
});

test('no language has texts for a notice that does not exist', () => {
  const known = new Set(
    [...registry().notices.keys()].flatMap((type) => NOTICE_PARTS.map((part) => `${type}.${part}`)),
  );
  for (const { translations } of registry().notices.values())
    for (const all of Object.values(translations ?? {}))
      for (const key of Object.keys(all)) assert.ok(known.has(key), key);
});

test('every notice that people can switch off has a name on their page, and no other does', () => {
  const optional = [...registry().notices.values()].filter((one) => one.optional).map(({ type }) => `notice.${type}`);
  const named = Object.keys(textsOf('server/texts/pages', 'en')['accounts/letters']!);
  assert.deepEqual(named.filter((key) => key.startsWith('notice.')).toSorted(), optional.toSorted());
});

test('the email that delivers a gift card has the same fields in every language', () => {
  const english = templateIn({ words: DEFAULT_WORDS }, OURS);
  for (const language of ALL) {
    const written = templateIn({ words: DEFAULT_WORDS, reader: { language, locale: language } }, OURS);
    assert.equal(written.language, language);
    for (const part of ['subject', 'body'] as const) {
      assert.equal(templateProblem(written[part], TEMPLATE_FIELDS), null, `${language} ${part}`);
      assert.deepEqual(fieldsOf(written[part]), fieldsOf(english[part]), `${language} ${part}`);
    }
  }
});
