/** Next steps after every refusal that the pages can show. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_WORDS } from '../../../kernel/base/values/words.ts';
import { ENGLISH } from '../../../kernel/base/languages/languages.ts';
import { FRAME } from './messages.ts';
import { OPERATIONS } from './desk.ts';
import { registry } from '../../../app.ts';
import { STEPS } from './ways.ts';
import { waysAfter, wayTo } from './views/ways-on.ts';
import type { At } from './desk.ts';

/** Refusals that have a page of their own. */
const ELSEWHERE = ['not_found'];

/** Returns the codes with which the operations of the pages can refuse. */
const declared = (): Set<string> =>
  new Set(
    OPERATIONS.filter((name) => !name.startsWith('GET ') || name.endsWith('/explain')).flatMap((name) =>
      registry()
        .operation(name)
        .problems.map((problem) => (typeof problem === 'string' ? problem : problem.code)),
    ),
  );

test('each refusal of an operation that the pages call has next steps, and no others are listed', () => {
  assert.deepEqual(Object.keys(STEPS).toSorted(), [...declared()].filter((one) => !ELSEWHERE.includes(one)).toSorted());
});

const written = { say: FRAME.for(ENGLISH, DEFAULT_WORDS), reader: ENGLISH };
const visitOf = (site: object): At =>
  ({ site: { id: 7, name: 'Harbour', offers: [], contact: { email: null, phone: null }, ...site } }) as unknown as At;

test('each refusal ends with a button, or with the form, even if the business published no contact and has no site', () => {
  for (const home of ['/harbour', '/account/7/profile'])
    for (const [code, steps] of [...Object.entries(STEPS), [null, []] as const]) {
      const ways = waysAfter(visitOf({ home }), written, { code }, []);
      const isForm = steps.length === 1 && steps[0] === 'form';
      assert.equal(ways === null, isForm, `${code} at ${home}`);
      if (ways !== null) assert.match(ways.text, /<a class="button quiet" href="[^"]+">[^<]+<\/a>/, code ?? '');
    }
});

test('what is missing comes first, then the alternatives of the page, then the ways to ask', () => {
  const site = { home: '/harbour', offers: ['shop'], contact: { email: 'desk@harbour.example', phone: null } };
  const labels = (code: string | null, others: readonly string[] = []) =>
    [
      ...waysAfter(
        visitOf(site),
        written,
        { code },
        others.map((label) => wayTo('#', label)),
      )!.text.matchAll(/>([^<]+)<\/a>/g),
    ].map(([, label]) => label);
  assert.deepEqual(labels('membership_required'), ['See memberships and prices', 'Write to Harbour']);
  assert.deepEqual(labels('membership_unpaid', ['Other']), ['Pay the invoice', 'Other', 'Write to Harbour']);
  assert.deepEqual(labels('event_full'), ['See the timetable', 'Write to Harbour']);
  assert.deepEqual(labels('event_full', ['Other']), ['Other', 'Write to Harbour']);
  assert.deepEqual(labels('out_of_stock'), ['Store', 'Write to Harbour']);
  assert.deepEqual(labels('registration_blocked'), ['Write to Harbour']);
});
