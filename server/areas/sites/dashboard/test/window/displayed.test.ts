import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectOf } from './displayed.ts';

test('the subject of a selector is its last element, without conditions on others', () => {
  for (const [selector, className, tag] of [
    ['.shell .nav', 'nav', undefined],
    ['main > p.note:not(.short .note)', 'note', 'P'],
    ['a.tag[href="x > y"]', 'tag', 'A'],
    ['.list:has(> .row) + li', undefined, 'LI'],
    [':is(.a, .b)', undefined, undefined],
    ['details:not([open]) > :not(summary)', undefined, undefined],
    ['.a\\:b', undefined, undefined],
  ] as const) {
    const subject = subjectOf(selector);
    assert.deepEqual([subject.className, subject.tag], [className, tag], selector);
  }
});
