/** Families in imported files: children without an address, one address for several people, and named guardians. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addressesIn } from './rules/address.ts';
import { fates, upload, work } from '../test/moving.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(Date.parse('2026-03-02T17:00:00Z'));
});
after(() => world?.close());

/** Checks and imports a file twice; the second time changes nothing. Returns the fates of the check. */
async function moveIn(csv: string): Promise<Awaited<ReturnType<typeof fates>>> {
  const file = await upload(world, csv, { kind: 'customers' });
  await work(world, file.id, 'check');
  const foreseen = await fates(world, file.id);
  await work(world, file.id, 'run');
  assert.deepEqual(await fates(world, file.id), foreseen);
  const again = await work(world, file.id, 'run');
  assert.deepEqual([again.created_count, again.changed_count], [0, 0]);
  const copy = await work(world, (await upload(world, csv, { kind: 'customers' })).id, 'run');
  assert.deepEqual([copy.created_count, copy.changed_count], [0, 0]);
  return foreseen;
}

const family = async (name: string): Promise<[string, string, string, number][]> => {
  const path = `/customers?query=${name}&fields=first_name,email,family,family_role&sort=id`;
  return (await world.get(path, { as: world.machine })).body.results.map((one: any) => [
    one.first_name,
    one.email,
    one.family_role,
    one.family,
  ]);
};

test('people with one address are one family, and an adult keeps the address', async () => {
  const found = await moveIn(`First Name,Last Name,Email,Birthday
Kit,Reef,reef@example.com,2015-08-30
Moss,Reef,reef@example.com,1984-05-17
Wyn,Reef,reef@example.com,1985-02-03
`);
  assert.deepEqual(found, [
    [
      2,
      'created',
      [
        'Email: belongs to the customer in line 3 already; this one is imported without an address',
        'Email: joins the family of Moss Reef',
      ],
    ],
    [3, 'created', []],
    [
      4,
      'created',
      [
        'Email: belongs to the customer in line 3 already; this one is imported without an address',
        'Email: joins the family of Moss Reef',
      ],
    ],
  ]);
  const people = await family('Reef');
  assert.deepEqual(people.map(([name, email, role]) => [name, email, role]).toSorted(), [
    ['Kit', '', 'child'],
    ['Moss', 'reef@example.com', 'manager'],
    ['Wyn', '', 'manager'],
  ]);
  assert.equal(new Set(people.map((one) => one[3])).size, 1);
});

test('a dependent without an address joins the guardian whom a column names', async () => {
  const found = await moveIn(`First Name,Last Name,Email,Is Dependent,Guardian Email
Lu,Heath,,TRUE,ivo.heath@example.com
Ivo,Heath,ivo.heath@example.com,FALSE,
Una,Heath,,TRUE,nobody.known@example.com
`);
  assert.deepEqual(found, [
    [2, 'created', ['Guardian Email: joins the family of Ivo Heath']],
    [3, 'created', []],
    [4, 'created', ['Guardian Email: names a family of which nobody is a customer yet: import the file again']],
  ]);
  assert.deepEqual(
    (await family('Heath')).map(([name, , role]) => [name, role]),
    [
      ['Lu', 'child'],
      ['Ivo', 'manager'],
      ['Una', null],
    ],
  );
});

test('people of one household are one family under its adult', async () => {
  await moveIn(`Client ID,First Name,Last Name,Email,Date of Birth,Household
1,Ash,Dune,,2014-01-02,D1
2,Bo,Dune,bo.dune@example.com,1980-01-02,D1
`);
  assert.deepEqual((await family('Dune')).map(([name, , role]) => [name, role]).toSorted(), [
    ['Ash', 'child'],
    ['Bo', 'manager'],
  ]);
});

test('an address in an unusual form is read, and one that is not an address costs only its cell', async () => {
  const found = await moveIn(`First Name,Last Name,Email
Ada,Pine,Ada Pine <ada.pine@example.com>
Ben,Pine,mailto:ben.pine@example.com
Cal,Pine,cal.pine@example.com; cal@example.org
Dee,Pine,noemail
Eli,Pine,eli.pine@example
Eli,Pine,eli.pine@example
`);
  assert.deepEqual(
    found.map(([, fate, issues]) => [fate, issues]),
    [
      ['created', []],
      ['created', []],
      ['created', ['Email: has several addresses; only cal.pine@example.com is imported']],
      ['created', ['Email: is not an email address; this person is imported without one']],
      ['created', ['Email: is not an email address; this person is imported without one']],
      ['rejected', ['Email: is already in line 6']],
    ],
  );
  assert.deepEqual(
    (await family('Pine')).map(([name, email]) => [name, email]),
    [
      ['Ada', 'ada.pine@example.com'],
      ['Ben', 'ben.pine@example.com'],
      ['Cal', 'cal.pine@example.com'],
      ['Dee', ''],
      ['Eli', ''],
    ],
  );
});

test('addresses are found in a cell with anything around them', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['a@example.com', ['a@example.com']],
    ['"Moor, A." <a@example.com>', ['a@example.com']],
    ['MAILTO:a@example.com', ['a@example.com']],
    ['a@example.com ::: b@example.com', ['a@example.com', 'b@example.com']],
    ['a@example.com, a@example.com', ['a@example.com']],
    ['a@@example.com', []],
    ['a at example.com', []],
  ];
  for (const [text, found] of cases) assert.deepEqual(addressesIn(text), found, text);
});
