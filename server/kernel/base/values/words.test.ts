import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workedTable } from '../../../test/worked-table.ts';
import { wordingFor } from './wording.ts';
import {
  A,
  a,
  articleOf,
  DEFAULT_WORDS,
  Many,
  many,
  moment,
  One,
  one,
  say,
  textIn,
  VOCABULARY,
  Words,
  wordOf,
  WORDS,
  type EventKind,
  type Speaker,
} from './words.ts';

const DOC = 'docs/algorithms/words.md';
const FORMS = { one, many, a, One, Many, A };
const flow = new Words({ class: { singular: 'flow', plural: 'flows', article: null } });

for (const { word, 'with its article': whole } of workedTable(DOC, 'The article'))
  test(`it is ${whole}`, () => assert.equal(`${articleOf(word)} ${word}`, whole));

for (const { singular, plural, ...forms } of workedTable(DOC, 'The forms'))
  test(`${singular} and ${plural} in every form`, () => {
    const words = new Words({ room: { singular, plural, article: null } });
    const said = Object.fromEntries(Object.entries(FORMS).map(([name, form]) => [name, form.room.in(words)]));
    assert.deepEqual(said, forms);
  });

for (const row of workedTable(DOC, 'What an event is called'))
  test(`an event of the schedule type ${row['schedule type']} is called ${row.word}`, () => {
    const kind = row['schedule type'] as EventKind;
    assert.equal(wordOf(kind), row.word);
    const own = new Words({ [row.word]: { singular: 'umpf', plural: 'umpfs', article: 'a' } });
    const text = say`${A.event}, this ${one.event} and other ${many.event}.`;
    assert.equal(text.in(own.about(kind)), 'A umpf, this umpf and other umpfs.');
    assert.equal(text.in(own), 'An event, this event and other events.');
  });

test('a business without its own words has the default words, by kind if the kind is known', () => {
  assert.equal(say`Book ${a.event}.`.in(DEFAULT_WORDS), 'Book an event.');
  assert.equal(say`Book ${a.event}.`.in(DEFAULT_WORDS.about('class')), 'Book a class.');
});

test('a value is never taken for a word, and texts can contain texts', () => {
  const mine = say`The ${one.membership} "${'${one.class}'}"`;
  assert.equal(say`${mine} is not for ${many.class}.`.in(flow), 'The membership "${one.class}" is not for flows.');
});

test('staff read the words of the interface, and customers those of the business', () => {
  const both = say`This ${one.class} is full.`;
  assert.equal(wordingFor('staff', both, flow), 'This class is full.');
  assert.equal(wordingFor('customer', both, flow), 'This flow is full.');
  assert.equal(wordingFor('staff', { staff: 'The class is full.', customer: both }, flow), 'The class is full.');
  assert.equal(wordingFor('customer', { staff: 'The class is full.', customer: both }, flow), 'This flow is full.');
  assert.equal(String(both), 'This class is full.');
});

test('an article of the business takes precedence over the rule', () => {
  const words = new Words({ class: { singular: 'HIIT', plural: 'HIITs', article: 'an' } });
  assert.equal(words.a.class, 'an HIIT');
  assert.equal(words.A.class, 'An HIIT');
});

test('no word is the plural or the default of another', () => {
  const all = WORDS.flatMap((word) => VOCABULARY[word]);
  assert.equal(new Set(all).size, all.length);
});

test('a text is translated for its reader, with its values, and stays English without a translation', () => {
  const said = new Map([
    ['This {one_event} can be booked from {0} on.', (at: string) => `Buchbar ab ${at}.`],
    ['{0} is not for {many_event}.', (what: string) => `${what} gilt nicht.`],
    ['The {one_membership} "{0}"', (name: string) => `Die Karte „${name}“`],
    ['A text.', () => 'Ein Text.'],
  ]);
  const speaker: Speaker = {
    when: ({ at }) => new Date(at).toISOString().slice(0, 16),
    say: (source, [hole]) => said.get(source)?.(hole) ?? null,
  };
  const german = flow.spokenBy(speaker);
  const opens = say`This ${one.event} can be booked from ${moment(Date.UTC(2026, 6, 17, 16), 'Europe/Vienna')} on.`;
  assert.equal(opens.in(german), 'Buchbar ab 2026-07-17T16:00.');
  assert.equal(opens.about('class').in(german.about('class')), opens.in(german));
  assert.equal(opens.about('class').in(flow), 'This flow can be booked from Friday, 17 July 2026, 18:00 on.');
  const mine = say`The ${one.membership} "${'Ten'}"`;
  assert.equal(say`${mine} is not for ${many.event}.`.in(german), 'Die Karte „Ten“ gilt nicht.');
  assert.equal(textIn(german, 'A text.'), 'Ein Text.');
  assert.equal(say`Nobody said ${a.class}.`.in(german), 'Nobody said a flow.');
  assert.equal(wordingFor('staff', 'A text.', german), 'A text.');
});
