import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingForms, type FormFacts } from './requirement.ts';

const NOW = Date.parse('2026-06-10T12:00Z');
const base: FormFacts = { id: 1, title: 'Health', version: 2, stale: false, answered: null };
const missing = (form: Partial<FormFacts>) => missingForms([{ ...base, ...form }], NOW).length === 1;

for (const [name, form, isMissing] of [
  ['was never answered', {}, true],
  ['was answered and never expires', { answered: { version: 1, until: null } }, false],
  ['was answered and expires later', { answered: { version: 2, until: NOW + 1 } }, false],
  ['was answered and expires now', { answered: { version: 2, until: NOW } }, true],
  ['was answered in an older version and asks again', { stale: true, answered: { version: 1, until: null } }, true],
  ['was answered in this version and asks again', { stale: true, answered: { version: 2, until: null } }, false],
] as const)
  test(`a form that ${name} is ${isMissing ? 'missing' : 'not missing'}`, () => {
    assert.equal(missing(form), isMissing);
  });
