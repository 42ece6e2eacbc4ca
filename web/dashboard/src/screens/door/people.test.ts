import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNamed, partsOf, readCode } from './people.ts';
import type { Status } from './marks/queue.ts';

const person = (
  id: number,
  first_name: string,
  status: Status | 'not_registered' | 'late_cancelled',
  spot: { status: string; position: number | null } | null = null,
) => ({ id, status, customer: { first_name, last_name: 'Ito' }, waitlist_spot: spot });

test('people are listed by name, the waitlist by position, and late cancellations at the end', () => {
  const { booked, waiting, cancelled } = partsOf(
    [
      person(1, 'Zoe', 'registered', { status: 'on_waitlist', position: 3 }),
      person(2, 'Ana', 'attended'),
      person(3, 'Cleo', 'not_registered', { status: 'on_waitlist', position: 2 }),
      person(4, 'Dina', 'late_cancelled', { status: 'on_waitlist', position: 1 }),
      person(5, 'Eva', 'not_registered', { status: 'spot_reserved', position: 1 }),
      person(6, 'Finn', 'late_cancelled', { status: 'expired', position: null }),
      person(7, 'Gil', 'not_registered', { status: 'rejected', position: null }),
    ],
    new Map(),
  );
  assert.deepEqual(
    [booked, waiting, cancelled].map((part) => part.map(({ id }) => id)),
    [[2, 1], [5, 4, 3, 1], [6]],
  );
});

test('a mark of this device is shown before it is sent', () => {
  const { booked } = partsOf(
    [person(1, 'Zoe', 'registered'), person(2, 'Ana', 'attended')],
    new Map<number, Status>([
      [1, 'no_show'],
      [9, 'attended'],
    ]),
  );
  assert.deepEqual(
    booked.map(({ status }) => status),
    ['attended', 'no_show'],
  );
});

test('a name is found by the beginnings of its words, regardless of accents', () => {
  for (const text of ['andre', 'dup', 'ma an', 'DUPONT André']) assert.ok(isNamed('André-Marie Dupont', text), text);
  for (const text of ['upont', 'andre x']) assert.ok(!isNamed('André-Marie Dupont', text), text);
});

test('a code is the number of a customer or an email address', () => {
  assert.deepEqual(readCode(' 00042 '), { id: 42 });
  assert.deepEqual(readCode('#7'), { id: 7 });
  assert.deepEqual(readCode('Ana@Example.com'), { email: 'ana@example.com' });
  for (const text of ['', '0', 'Ana', '12a', '99999999999999999999', 'a b@c']) assert.equal(readCode(text), null, text);
});
