import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LANGUAGE_NAMES, PRICES, TEMPLATES, templateOf, textsIn, usualPrices } from './template.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

const prices = { visit: '22.00', pack: '190.00', month: '119.00', trial: '39.00' };

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const apply = (body: object, query = '', as = world.machine) =>
  world.post(`/business_templates/apply${query}`, { as, body: { prices, ...body } });
const get = async (path: string) => (await world.get(path, { as: world.machine })).body;

/** Returns the names of the merge fields. */
const holes = (one: string) => [...one.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name).toSorted();

test('every template has all of its texts in every language', () => {
  const keys = Object.keys(textsIn('en'));
  for (const language of LANGUAGE_NAMES) {
    const texts = textsIn(language);
    assert.deepEqual(Object.keys(texts), keys, language);
    for (const [key, text] of Object.entries(texts)) {
      assert.match(text, /^\S(?:.*\S)?$/s, `${language} ${key}`);
      assert.deepEqual(holes(text), holes(textsIn('en')[key]), `${language} ${key}`);
    }
    for (const template of TEMPLATES)
      for (const { text } of templateOf(template).offerings) assert.ok(texts[text] && texts[`${text}.about`], text);
  }
});

test('usual prices name everything that a template asks for, and a single visit costs less than a pack', () => {
  for (const currency of ['eur', 'USD', 'JPY']) {
    const usual = usualPrices(currency)!;
    assert.deepEqual(Object.keys(usual).toSorted(), PRICES.toSorted());
    assert.ok(Number(usual.visit) < Number(usual.pack) && Number(usual.trial) < 3 * Number(usual.visit), currency);
  }
  assert.equal(usualPrices('XXX'), null);
});

test('a template creates classes, a trial, a pack, a membership and emails that can be edited, in one language', async () => {
  const { results, usual_prices } = await get('/business_templates?language=de');
  const yoga = results.find((one: any) => one.template === 'yoga_studio');
  assert.deepEqual(yoga.offering_types, ['Vinyasa Flow', 'Sanftes Yoga', 'Yoga für Einsteiger']);
  assert.equal(typeof usual_prices.visit, 'string');
  const tried = await apply({ template: 'yoga_studio', language: 'de' }, '?dry_run=true');
  assert.equal(tried.status, 200, tried.text);
  assert.equal((await get('/memberships?name_contains=10%20Besuche')).count, 0, 'a dry run creates nothing');
  const { status, body: made, text } = await apply({ template: 'yoga_studio', language: 'de' });
  assert.equal(status, 200, text);
  assert.deepEqual(
    [made.offering_types.length, made.memberships.length, made.crm_workflows.length, made.existing],
    [3, 3, 2, []],
  );
  const flow = await get(`/offering_types/${made.offering_types[0]}`);
  assert.deepEqual(
    [flow.name, flow.dropin_price, flow.cancellation_notice_interval, flow.waitlist_max],
    ['Vinyasa Flow', '22.00', 720, 5],
  );
  const sold = (await get('/memberships?for_sale=true&sort=order&page_size=100')).results.filter(({ id }: any) =>
    made.memberships.includes(id),
  );
  assert.deepEqual(
    sold.map(({ name, is_draft, new_customers_only }: any) => [name, is_draft, new_customers_only]).toSorted(),
    [
      ['10 Besuche', false, false],
      ['Monatsmitgliedschaft', false, false],
      ['Probe: 3 Besuche', false, true],
    ],
  );
  const grants = (await get(`/membership_registration_grants?membership=${made.memberships[1]}`)).results;
  assert.deepEqual(
    grants.map(({ registration_option }: any) => registration_option).toSorted(),
    made.offering_types.toSorted(),
    'other classes of the business stay as they are',
  );
  for (const id of made.crm_workflows) assert.equal((await get(`/crm/workflows/${id}`)).is_enabled, false);
  const { results: actions } = await get(`/crm/workflow_actions?workflow=${made.crm_workflows[0]}`);
  assert.ok(actions.every(({ email_template }: any) => email_template.subject.includes('{{business.name}}')));
});

test('a template that is applied twice, or by two people at the same time, doubles nothing', async () => {
  const both = await Promise.all([
    apply({ template: 'gym', language: 'fr' }),
    apply({ template: 'gym', language: 'fr' }),
  ]);
  assert.deepEqual(both.map(({ status, body }) => [status, body.memberships.length]).toSorted(), [
    [200, 0],
    [200, 3],
  ]);
  const again = (await apply({ template: 'gym', language: 'fr' })).body;
  assert.deepEqual([again.offering_types, again.memberships, again.crm_workflows], [[], [], []]);
  assert.ok(again.existing.includes('Abonnement mensuel'));
  const [{ n }] = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM membership WHERE provider_id = ${
        world.harbour
      } AND name = 'Abonnement mensuel'`,
    ),
  );
  assert.equal(n, 1);
});

test('prices are checked in the currency of the business, and only super admins apply a template', async () => {
  const wrong = await apply({ template: 'club', prices: { ...prices, pack: '1.234' } });
  assert.equal(wrong.status, 400);
  assert.ok(wrong.body.field_errors['prices.pack'], wrong.text);
  assert.equal((await apply({ template: 'club' }, '', world.staff(['manage_events', 'customers']))).status, 403);
  assert.equal((await apply({ template: 'bakery' })).body.field_errors.template.length, 1);
});
