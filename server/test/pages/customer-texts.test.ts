import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bareWord, customerTexts } from './customer-texts.ts';
import { registry } from '../../app.ts';
import { Said, type Text } from '../../kernel/base/values/words.ts';

const REMEDY =
  'write it with `say` and the words, or with `site.tenant.words` on a page: see STYLE.md, "Words of a business"';

/** Without texts for programs: the reference of the interface, the tools of assistants, and the words themselves. */
const sources = globSync('server/{areas,kernel}/**/*.ts').filter(
  (file) =>
    !/\.test\.ts$|\/test\/|values\/words\.ts$|platform\/terminologies\/|kernel\/api\/|sites\/(?:reference\/|assistants\/(?:tools\/|server\.ts$))/.test(
      file,
    ),
);

/** Pages, without the operations and the feed that an application reads. */
const isPage = (file: string): boolean =>
  file.startsWith('server/areas/sites/') && !/\/(?:desk|feed|index|initiate)\.ts$/.test(file);

test('no text for customers has a fixed word for a thing that a business names itself', () => {
  const bare = sources.flatMap((file) =>
    customerTexts(readFileSync(file, 'utf8'), { pages: isPage(file) }).flatMap(({ line, text }) => {
      const word = bareWord(text);
      return word === null ? [] : [`${file}:${line}: "${word}" in: ${text.trim()}`];
    }),
  );
  assert.deepEqual(bare, [], REMEDY);
});

const staticOf = (text: Text): string =>
  text instanceof Said
    ? text.parts
        .map((part) => (typeof part === 'object' ? (part instanceof Said ? staticOf(part) : 'x') : part))
        .join('')
    : text;

/** A template field is not a fixed word: `{{event.name}}`. */
const withoutFields = (text: string): string => text.replaceAll(/\{\{[^{}|]*/g, '{{x');

test('no notice has a fixed word in its texts or in the fields that customers read', () => {
  const bare = [...registry().notices.values()].flatMap(({ type, subject, body, smsBody, description }) =>
    [subject, body, smsBody, description].flatMap((text) => {
      const word = bareWord(withoutFields(staticOf(text)));
      return word === null ? [] : [`${type}: "${word}" in: ${staticOf(text)}`];
    }),
  );
  assert.deepEqual(bare, [], REMEDY);
});

const SOURCE = `
const refused = { staff: 'The event is full.', customer: 'This event is full.' };
const next = {
  customer:
    "Choose another class.",
};
const said = say\`This \${one.event} is on the waitlist.\`;
const page = html\`<p class="spot"><a href="/events/1">Take the \${one.spot}</a> of the venue</p>\`;
const fields = 'venue.name,event.id';
`;

const words = (pages: boolean) => customerTexts(SOURCE, { pages }).map(({ line, text }) => [line, bareWord(text)]);

test('the search finds the words that customers read, and no others', () => {
  assert.deepEqual(words(false), [
    [2, 'event'],
    [5, 'class'],
    [7, 'waitlist'],
    [8, 'venue'],
  ]);
  assert.deepEqual(customerTexts("const label = 'Leave the waitlist';", { pages: true }).length, 1);
  assert.deepEqual(customerTexts("const label = 'Leave the waitlist';", { pages: false }).length, 0);
});
