import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayActFor, type Person } from './may-change.ts';

const person = (id: number, familyId: number | null, familyRole: Person['familyRole']): Person => ({
  id,
  familyId,
  familyRole,
});

const cases: [string, Person, Person, boolean][] = [
  ['oneself', person(1, null, null), person(1, null, null), true],
  ['a child, oneself', person(2, 7, 'child'), person(2, 7, 'child'), true],
  ['a manager, a child of the family', person(1, 7, 'manager'), person(2, 7, 'child'), true],
  ['a manager, the other manager', person(1, 7, 'manager'), person(3, 7, 'manager'), false],
  ['a manager, a child of another family', person(1, 7, 'manager'), person(2, 8, 'child'), false],
  ['a child, its manager', person(2, 7, 'child'), person(1, 7, 'manager'), false],
  ['a child, a sibling', person(2, 7, 'child'), person(4, 7, 'child'), false],
  ['two people without a family', person(1, null, null), person(2, null, null), false],
];

for (const [who, actor, subject, allowed] of cases) {
  test(`${who}: may ${allowed ? '' : 'not '}act`, () => assert.equal(mayActFor(actor, subject), allowed));
}
