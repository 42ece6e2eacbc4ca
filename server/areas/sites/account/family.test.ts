/** Parents add their children themselves, and book for them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../people/identity/index.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { newEvent, newPlace, row } from '../../../test/schedule-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser } from '../../../test/pages/page-visitor.ts';

const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let browser: PageBrowser;
before(async () => {
  world = await startWorld();
  browser = new PageBrowser(world.url);
});
after(async () => {
  await world?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;

async function someone(email: string, over: object = {}): Promise<number> {
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  return world.newCustomer({ user_id: userId, email, first_name: 'Ada', ...over });
}

async function client(email: string, language = 'en'): Promise<PageClient> {
  const pages = new PageClient(world.url);
  pages.headers = { 'accept-language': language };
  await pages.get(at('log-in'));
  await pages.post(at('log-in'), { email, password: PASSWORD });
  return pages;
}

/** Returns the ids of somebody's children, as they see them through the interface. */
async function childrenOf(parent: number): Promise<any[]> {
  const answer = await world.get('/customers?fields=id,first_name,date_of_birth,family_role&page_size=50', {
    as: world.customer(parent),
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.results.filter((one: any) => one.family_role === 'child');
}

test('a parent adds a child, and books for them', async () => {
  const ada = await someone('ada.family@example.com');
  const { id: event } = await newEvent(world, await newPlace(world), { name: 'Young sailors' });
  const visitor = await browser.visitor();
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': 'ada.family@example.com', Password: PASSWORD });
  await visitor.follow('People');
  await visitor.checkAccessible('family-empty');
  await visitor.submit('Add a child', { 'First name': '', 'Last name': 'Byron' });
  assert.match(await visitor.text(), /First name: Fill this in\./);
  await visitor.checkAccessible('family-wrong');
  const born = { 'First name': 'Ben', 'Last name': 'Byron', 'Date of birth (optional)': '2018-05-17' };
  await visitor.submit('Add a child', born);
  assert.match(await visitor.text(), /Your child has been added[^]*Ben Byron\s*Born on May 17, 2018/);
  await visitor.checkAccessible('family');
  const [ben, ...more] = await childrenOf(ada);
  assert.deepEqual([ben.first_name, ben.date_of_birth, more.length], ['Ben', '2018-05-17', 0]);
  await visitor.page.getByLabel('I take part too, not only my children').uncheck();
  await visitor.page.getByRole('button', { name: 'Save your choice' }).click();
  assert.match(await visitor.text(), /Your choice is saved\./);
  const seen = await world.get(`/customers/${ada}?fields=participating`, { as: world.machine });
  assert.equal(seen.body.participating, false);
  await visitor.open(`${world.site}/events/${event}`);
  await visitor.submit('Book for Ben');
  const booked = await world.get(`/attendances?event=${event}&status=registered`, { as: world.machine });
  assert.deepEqual(
    booked.body.results.map((one: any) => one.customer),
    [ben.id],
  );
  await visitor.close();
});

test('a parent invites another one, who follows the link, becomes a customer and joins', async () => {
  const ian = await someone('ian.family@example.com');
  await world.post(`/customers/${ian}/add_child`, {
    as: world.customer(ian),
    body: { first_name: 'Ivy', last_name: 'Byron' },
  });
  const [mine, theirs] = [await client('ian.family@example.com'), new PageClient(world.url)];
  await mine.get(at('profile/family'));
  const wrong = await mine.post(at('profile/family/invite'), { first_name: 'Jo', last_name: 'Byron', email: 'jo' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /value="Jo"/, 'what was typed stays');
  const sent = { first_name: 'Jo', last_name: 'Byron', email: 'jo.family@example.com' };
  const invited = await mine.post(at('profile/family/invite'), sent);
  assert.match(invited.headers.get('location')!, /done=invited/);
  assert.match((await mine.get(at('profile/family'))).text, /jo\.family@example\.com/);
  const { body } = await world.get('/family_invites', { as: world.customer(ian) });
  const { pathname, search } = new URL(body.results[0].claim_url);
  const { headers } = await theirs.get(pathname + search);
  assert.match(decodeURIComponent(headers.get('location')!), /log-in\?return_to=.*invite=/);
  await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email: sent.email, password: PASSWORD, firstName: 'Jo', lastName: 'Byron' }),
  );
  const jo = await client(sent.email);
  assert.match((await jo.get(pathname + search)).text, /You’re invited to a family/);
  const invite = new URLSearchParams(search).get('invite')!;
  assert.match((await jo.post(at('profile/family/join'), { invite })).headers.get('location')!, /done=family-joined/);
  assert.match((await jo.get(at('profile/family'))).text, /Ivy/);
  const again = await jo.post(at('profile/family/join'), { invite });
  assert.ok(again.status >= 400, 'a link works once');
});

test('a form that is sent twice adds one child, also at the same time', async () => {
  const eve = await someone('eve.family@example.com');
  const [one, other] = [await client('eve.family@example.com'), await client('eve.family@example.com')];
  await one.get(at('profile/family'));
  await other.get(at('profile/family'));
  const child = { first_name: 'Cleo', last_name: 'Byron', date_of_birth: '' };
  const answers = await Promise.all([
    one.post(at('profile/family'), child),
    other.post(at('profile/family'), child),
    one.post(at('profile/family'), child),
  ]);
  for (const { status, headers } of answers)
    assert.deepEqual([status, new URL(headers.get('location')!, world.url).search], [303, '?done=child-added']);
  assert.equal((await childrenOf(eve)).length, 1);
  await one.post(at('profile/family'), { ...child, first_name: 'Dina' });
  assert.equal((await childrenOf(eve)).length, 2, 'another child is another one');
});

test("errors are in the language of the person, and children can't add anybody", async () => {
  const gil = await someone('gil.family@example.com');
  const pages = await client('gil.family@example.com', 'de');
  await pages.get(at('profile/family'));
  const sent = { first_name: 'Ida', last_name: 'Byron', date_of_birth: '2199-01-01' };
  const refused = await pages.post(at('profile/family'), sent);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /Muss ein Geburtsdatum in der Vergangenheit sein/);
  assert.match(refused.text, /value="Ida"/, 'what was typed stays');
  assert.deepEqual(await childrenOf(gil), []);
  const family = await row(world, 'family', {});
  await someone('young.family@example.com', { family_id: family, family_role: 'child' });
  const young = await client('young.family@example.com');
  const page = await young.get(at('profile/family'));
  assert.match(page.text, /Somebody else manages your family/);
  assert.doesNotMatch(page.text, /name="first_name"/);
  assert.ok((await young.post(at('profile/family'), { ...sent, date_of_birth: '' })).status >= 400);
  assert.equal((await new PageClient(world.url).get(at('profile/family'))).status, 303);
});

test('the family page is available in every language', async () => {
  const ole = await someone('ole.family@example.com');
  const english = /\b(child|Child|children|family|Born|Add|birth|Back to|take part)\b/;
  for (const language of Object.keys(LANGUAGES).filter((one) => one !== 'en')) {
    const pages = await client('ole.family@example.com', language);
    await pages.get(at('profile/family'));
    await pages.post(at('profile/family'), { first_name: 'X', last_name: language, date_of_birth: '2019-02-03' });
    const { text } = await pages.get(at('profile/family?done=child-added'));
    assert.doesNotMatch(text.slice(text.indexOf('<main')).replaceAll(/<[^>]*>/g, ' '), english, language);
  }
  assert.equal((await childrenOf(ole)).length, Object.keys(LANGUAGES).length - 1);
});
