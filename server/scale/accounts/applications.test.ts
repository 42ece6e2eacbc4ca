/** Tokens of applications, and the keys that sign them, in an installation of two cells: over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { disableAccount } from '../../areas/people/identity/index.ts';
import { disconnect } from '../../areas/people/applications/oauth/connections.ts';
import { PATHS } from '../../areas/people/applications/oauth/offered.ts';
import { People, type Held } from '../../test/people.ts';
import { PeopleOfCells, type Person } from '../../test/cells/people-of-cells.ts';
import { rotateKeys, signingKey } from '../../areas/people/applications/keys/signing-keys.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { START } from '../../test/clock.ts';

let people: PeopleOfCells;
let application: People;
before(async () => {
  people = await PeopleOfCells.start({ worker: false });
  application = await People.of(people.world(1));
});
after(() => people?.close());

/** Lets an application of the first cell in for somebody who works in the second. */
async function letIn(): Promise<Person & { held: Held }> {
  const person = await people.newPerson(1);
  await people.browserOf(2, person);
  await people.newStaff(2, { email: person.email, userId: person.id });
  return { ...person, held: await application.tokens(person.id) };
}

const ask = (cell: number, token: string) =>
  people.world(cell).get('/staff', { as: token, provider: people.world(cell).harbour });
const refresh = (cell: number, refreshToken: string) =>
  people.world(cell).post('/auth/refresh_access_token', {
    body: { refresh_token: refreshToken, client_secret: application.application.secret },
  });

const published = async (cell: number) => {
  const answer = await fetch(people.world(cell).url + PATHS.jwks);
  const { keys } = (await answer.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid).toSorted();
};

test('a token names its application’s business and the cell that issued it, and works where its person is', async () => {
  const { held } = await letIn();
  const { business, cell } = decodeJwt(held.access_token);
  assert.deepEqual([business, cell], [people.world(1).harbour, 1]);
  assert.equal((await ask(2, held.access_token)).status, 200);
});

test('a revocation in its cell applies in every cell from the next request on', async () => {
  const { id, held } = await letIn();
  assert.equal((await ask(2, held.access_token)).status, 200);
  await people
    .door(1)
    .db.acrossTenants('a test disconnects', (tx) => disconnect(tx, id, application.application.id, START));
  for (const cell of [1, 2]) assert.equal((await ask(cell, held.access_token)).status, 401);
  for (const cell of [1, 2]) assert.equal((await refresh(cell, held.refresh_token)).status, 401);
});

test('disabling an account in any cell ends its tokens in all', async () => {
  const { id, held } = await letIn();
  await people.door(2).changing('a test disables an account', (tx) => disableAccount(tx, id, START));
  for (const cell of [1, 2]) assert.equal((await ask(cell, held.access_token)).status, 401);
});

test('a person sees the applications of all cells, and disconnects them from any', async () => {
  const person = await letIn();
  const browser = await people.browserOf(2, person);
  const { text } = await browser.get(people.profile(2));
  assert.match(text, /Rowing Diary/);
  const sent = await browser.post(`${people.profile(2)}/disconnect`, { id: String(application.application.id) });
  assert.equal(sent.headers.get('location'), `${people.profile(2)}/settings?done=disconnected`);
  for (const cell of [1, 2]) assert.equal((await ask(cell, person.held.access_token)).status, 401);
});

test('a refresh token works once, whichever cell receives it', async () => {
  const { held } = await letIn();
  const { status, body } = await refresh(2, held.refresh_token);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal((await ask(2, body.access_token)).status, 200);
  for (const cell of [1, 2]) assert.equal((await refresh(cell, held.refresh_token)).status, 401);
  // The token may have been stolen: everything from that log-in has ended.
  assert.equal((await ask(2, body.access_token)).status, 401);
  assert.equal((await refresh(2, 'rcr_made-up')).status, 401);
});

test('while the cell of a token is unreachable, the response says that its validity is unknown', async () => {
  const { held } = await letIn();
  const { front } = people.all.cell(1);
  front.shut();
  const answers = [await ask(2, held.access_token), await refresh(2, held.refresh_token)];
  front.reopen();
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('retry-after')]),
    answers.map(() => [503, '2']),
  );
  assert.equal((await ask(2, held.access_token)).status, 200);
});

test('all cells publish the same keys, including a new one before it signs', async () => {
  await letIn();
  const before = await published(1);
  assert.equal(before.length, 1);
  assert.deepEqual(await published(2), before);
  const { installation } = people.world(2).app;
  const { kid } = await people
    .door(2)
    .db.acrossTenants('a test rotates the keys', (tx) => rotateKeys(tx, installation, START));
  for (const cell of [1, 2]) assert.deepEqual(await published(cell), [...before, kid].toSorted());
  const [first, second] = await Promise.all(
    [1, 2].map((cell) =>
      people.rows(cell, sql`SELECT kid, signs_from, retired_at, published_until FROM signing_key ORDER BY kid`),
    ),
  );
  assert.deepEqual(first, second);
});

test('a cell that missed a key fetches it when it receives something signed with it, and creates none', async () => {
  for (const cell of [1, 2]) await people.rows(cell, sql`DELETE FROM signing_key`);
  const { box } = people.door(1);
  // The other cell was unreachable.
  const { kid } = await people.door(1).db.acrossTenants('a test makes a key', (tx) => signingKey(tx, { box }, START));
  const { held } = await letIn();
  assert.equal(decodeProtectedHeader(held.access_token).kid, kid);
  assert.equal((await ask(2, held.access_token)).status, 200);
  for (const cell of [1, 2]) assert.deepEqual(await published(cell), [kid]);
  // Nor does a cell that needs a key to sign with.
  await people.rows(2, sql`DELETE FROM signing_key`);
  assert.deepEqual(await published(2), [kid]);
});
