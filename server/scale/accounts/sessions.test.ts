/** One log-in, whichever cell has the pages: over HTTP, with two cells on two databases. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PASSWORD, PeopleOfCells } from '../../test/cells/people-of-cells.ts';
import type { PageClient } from '../../test/pages/page-client.ts';

let people: PeopleOfCells;
before(async () => void (people = await PeopleOfCells.start({ count: 3 })));
after(() => people?.close());

// Guards against: Access that has ended in one cell and goes on in another
test('a session of one cell opens pages of another, and ends everywhere when it ends in either', async () => {
  const person = await people.newPerson(1);
  for (const ends of [1, 2]) {
    const browser = await people.browserOf(1, person);
    for (const cell of [1, 2]) assert.equal(await people.isIn(cell, browser), true);
    const leaving = people.at(ends, browser);
    await leaving.get(people.profile(ends));
    const left = await leaving.post(`/account/${people.world(ends).harbour}/log-out`, {});
    assert.equal(left.status, 303, left.text);
    for (const cell of [1, 2]) assert.equal(await people.isIn(cell, browser), false);
  }
});

test('a secret naming an unknown cell, or one that never issued it, is no session', async () => {
  const browser = await people.browserOf(1, await people.newPerson(1));
  const secret = browser.cookies.get('rollcall_session')!;
  for (const prefix of ['rcs2_', 'rcs3_', 'rcs_']) {
    browser.cookies.set('rollcall_session', secret.replace('rcs1_', prefix));
    for (const cell of [1, 2]) assert.equal(await people.isIn(cell, browser), false);
  }
});

test('while the cell of a session is unreachable, the response says that its validity is unknown', async () => {
  const person = await people.newPerson(1);
  const browser = await people.browserOf(1, person);
  assert.equal(await people.isIn(2, browser), true);
  const { front } = people.all.cell(1);
  front.shut();
  const anew = people.at(2, browser);
  const { status, headers } = await anew.get(people.profile(2));
  // They can log in, because this cell knows them.
  const entered = await people.logInWith(anew, 2, person);
  front.reopen();
  assert.deepEqual([status, headers.get('retry-after')], [503, '2']);
  assert.equal(entered.status, 303, entered.text);
  for (const cell of [1, 2]) for (const one of [browser, anew]) assert.equal(await people.isIn(cell, one), true);
});

test('somebody who proves their password in another cell continues there, and their previous session has ended', async () => {
  const browser = await people.browserOf(1, await people.newPerson(1));
  const there = people.at(2, browser);
  const proof = `/account/${people.world(2).harbour}/profile/passkeys/proof`;
  await there.get(people.profile(2));
  const proved = await there.post(proof, { current_password: PASSWORD });
  assert.equal(proved.status, 303, proved.text);
  assert.match(there.cookies.get('rollcall_session')!, /^rcs2_/);
  for (const cell of [1, 2]) {
    assert.equal(await people.isIn(cell, there), true);
    assert.equal(await people.isIn(cell, browser), false);
  }
});

test('a person sees the devices of all cells, and logs them out from any', async () => {
  const person = await people.newPerson(1);
  const [first, second, third] = [
    await people.browserOf(1, person),
    await people.browserOf(2, person),
    await people.browserOf(1, person),
  ];
  const page = people.at(2, first);
  const { text } = await page.get(people.profile(2));
  assert.equal(text.match(/profile\/sessions\/end"/g)?.length, 2);
  const others = await page.post(`${people.profile(2)}/sessions/end-others`, {});
  assert.equal(others.status, 303, others.text);
  for (const cell of [1, 2]) {
    assert.equal(await people.isIn(cell, first), true);
    for (const ended of [second, third]) assert.equal(await people.isIn(cell, ended), false);
  }
  const again = await people.browserOf(2, person);
  const shown = await page.get(people.profile(2));
  const [, id] = /name="id" value="(\d+)"/.exec(shown.text)!;
  await page.post(`${people.profile(2)}/sessions/end`, { id });
  assert.equal(await people.isIn(1, again), false);
  const { front } = people.all.cell(1);
  const here = await people.browserOf(2, person);
  front.shut();
  const without = await people.at(2, here).get(people.profile(2));
  front.reopen();
  assert.match(without.text, /Some devices can&#39;t be shown right now|Some devices can't be shown right now/);
});

test('a device of another cell is logged out while a third cell is unreachable', async () => {
  const person = await people.newPerson(1);
  const here = await people.browserOf(1, person);
  const there = await people.browserOf(2, person);
  const page = people.at(1, here);
  const { front } = people.all.cell(3);
  front.shut();
  try {
    const shown = await page.get(people.profile(1));
    const [, id] = /name="id" value="(\d+)"/.exec(shown.text)!;
    const ended = await page.post(`${people.profile(1)}/sessions/end`, { id });
    assert.equal(ended.status, 303, ended.text);
    assert.equal(await people.isIn(2, there), false);
    const again = await page.post(`${people.profile(1)}/sessions/end`, { id });
    assert.equal(again.status, 503, 'whether the third cell has it is not known');
  } finally {
    front.reopen();
  }
});

async function dashboardToken(cell: number, browser: PageClient): Promise<string> {
  const answer = await fetch(`${people.world(cell).url}/dashboard/token`, {
    method: 'POST',
    headers: {
      origin: people.all.publicUrl,
      cookie: `rollcall_session=${browser.cookies.get('rollcall_session')}`,
    },
  });
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { token: string }).token;
}

test('one log-in shows the businesses of all cells, without those of an unreachable cell', async () => {
  const person = await people.newPerson(1);
  const browser = await people.browserOf(1, person);
  assert.equal(await people.isIn(2, browser), true);
  for (const cell of [1, 2]) await people.newStaff(cell, { email: person.email, userId: person.id });
  const token = await dashboardToken(1, browser);
  const businesses = async (cell: number, query = 'expand=provider') => {
    const { status, body } = await people.world(cell).get(`/auth/profiles?${query}`, { as: token, provider: null });
    assert.equal(status, 200);
    return [body.count, ...body.results.map(({ provider }: { provider: { name: string } }) => provider.name)];
  };
  for (const cell of [1, 2]) assert.deepEqual(await businesses(cell), [2, 'Harbour 1', 'Harbour 2']);
  assert.deepEqual(await businesses(1, 'expand=provider&page=2&page_size=1'), [2, 'Harbour 2']);
  const { front } = people.all.cell(2);
  front.shut();
  assert.deepEqual(await businesses(1), [1, 'Harbour 1']);
  front.reopen();
});

test('the dashboard token of a session in another cell is checked at each request', async () => {
  const person = await people.newPerson(1);
  const { world } = people.all.cell(2);
  const browser = await people.browserOf(1, person);
  // The first request that needs the person copies them to this cell.
  assert.equal(await people.isIn(2, browser), true);
  await people.newStaff(2, { email: person.email, userId: person.id });
  const token = await dashboardToken(2, browser);
  const staff = () => world.get('/staff', { as: token, provider: world.harbour });
  assert.equal((await staff()).status, 200);
  const { front } = people.all.cell(1);
  front.shut();
  assert.equal((await staff()).status, 503);
  front.reopen();
  const leaving = people.at(1, browser);
  await leaving.get(people.profile(1));
  await leaving.post(`/account/${people.world(1).harbour}/log-out`, {});
  assert.equal((await staff()).status, 401);
});
