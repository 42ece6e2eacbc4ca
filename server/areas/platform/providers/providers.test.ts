import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pngOf } from '../images/test/pictures.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

async function newImage(as = world.machine): Promise<any> {
  const image = (await pngOf({ width: 400, height: 200 })).toString('base64');
  const made = await world.post('/images', { as, body: { image } });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

test('a business is visible to everybody, with its currency spelled out', async () => {
  const answer = await world.get(`/providers/${world.harbour}`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.currency, { iso_currency_code: 'cad', symbol: '$', position: 'before' });
});

test('a business chooses the colour of its pages, and can reset it', async () => {
  const path = `/providers/${world.harbour}`;
  const color = async () => (await world.get(`${path}?fields=branding.color`, { as: world.machine })).body.branding;
  assert.equal((await world.patch(path, { as: world.machine, body: { branding: { color: '#0F766E' } } })).status, 200);
  assert.deepEqual(await color(), { color: '#0f766e' });
  for (const wrong of ['0f766e', '#0f7', 'teal', '#0f766e}']) {
    const refused = await world.patch(path, { as: world.machine, body: { branding: { color: wrong } } });
    assert.equal(refused.status, 400, wrong);
    assert.deepEqual(Object.keys(refused.body.field_errors), ['branding.color']);
  }
  assert.equal((await world.patch(path, { as: world.machine, body: { branding: { color: null } } })).status, 200);
  assert.deepEqual(await color(), { color: null });
});

test('a business chooses one of the available languages, and can return to the one of its country', async () => {
  const path = `/providers/${world.harbour}`;
  const set = (language: unknown) => world.patch(path, { as: world.machine, body: { language } });
  assert.equal((await world.get(path, { as: world.machine })).body.language, null);
  const chosen = await set('fr');
  assert.deepEqual([chosen.status, chosen.body.language], [200, 'fr'], chosen.text);
  for (const wrong of ['xx', 'French', 'fr-CA', '']) {
    const refused = await set(wrong);
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['language']], wrong);
  }
  assert.equal((await set(null)).body.language, null);
});

test('a business has its own logo, cover and fonts, everybody sees them, and each can be removed', async () => {
  const path = `/providers/${world.harbour}`;
  const image = await newImage();
  const set = (body: object, as = world.machine) => world.patch(path, { as, body });
  const done = await set({
    logo: image.id,
    branding: { cover: image.id, font: 'humanist', heading_font: 'old_style', heading_size: 'large' },
  });
  assert.equal(done.status, 200, done.text);
  const seen = (await world.get(`${path}?fields=logo,branding`)).body;
  const { created_at: _at, object: _object, ...shown } = image;
  assert.deepEqual(seen.logo, shown);
  assert.deepEqual(seen.branding.cover, shown);
  assert.deepEqual(
    [seen.branding.font, seen.branding.heading_font, seen.branding.heading_size],
    ['humanist', 'old_style', 'large'],
  );
  const listed = await world.get('/providers?fields=id,logo', { as: world.machine, provider: null });
  assert.deepEqual(listed.body.results, [{ id: world.harbour, logo: shown }]);
  // Absent values stay.
  await set({ branding: { heading_font: null } });
  assert.equal((await world.get(`${path}?fields=branding`)).body.branding.cover.id, image.id);
  for (const [body, field] of [
    [{ logo: 999_999 }, 'logo'],
    [{ branding: { cover: (await newImage(world.meadowMachine)).id } }, 'branding.cover'],
    [{ branding: { font: 'Comic Sans' } }, 'branding.font'],
  ] as const) {
    const refused = await set(body);
    assert.equal(refused.status, 400, refused.text);
    assert.deepEqual(Object.keys(refused.body.field_errors), [field]);
  }
  await set({ logo: null, branding: { cover: null, font: 'system', heading_size: 'medium' } });
  const after = (await world.get(`${path}?fields=logo,branding`)).body;
  assert.deepEqual([after.logo, after.branding.cover, after.branding.font], [null, null, 'system']);
});

test('emails show the icon made from the logo, at an address that works', async () => {
  const mailed = async (): Promise<string[]> => {
    const shown = await world.post('/communication/notification_types/event_reminder/preview', {
      as: world.machine,
      body: {},
    });
    assert.equal(shown.status, 200, shown.text);
    return [...shown.body.html.matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src);
  };
  const logo = (id: number | null) =>
    world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { logo: id } });
  assert.deepEqual(await mailed(), []);
  assert.equal((await logo((await newImage()).id)).status, 200);
  const [src, ...more] = await mailed();
  assert.deepEqual(more, []);
  const { pathname } = new URL(src);
  const icon = await fetch(world.url + pathname);
  assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/png']);
  assert.equal((await logo(null)).status, 200);
  assert.deepEqual(await mailed(), []);
});

test('the icon on home screens is a separate picture, which only staff set and see', async () => {
  const path = `/providers/${world.harbour}/theme`;
  assert.equal((await world.get(path, { as: world.machine })).body.homescreen_logo, null);
  const image = await newImage();
  const set = await world.patch(path, { as: world.machine, body: { homescreen_logo: image.id } });
  assert.equal(set.status, 200, set.text);
  assert.deepEqual([set.body.object, set.body.homescreen_logo.id], ['provider_theme', image.id]);
  assert.equal((await world.get(path)).status, 401);
  const [entry] = (await world.get('/audit_entries?object=provider', { as: world.machine })).body.results;
  assert.deepEqual(
    [entry.action, entry.before.homescreen_logo_id, entry.after.homescreen_logo_id],
    ['PATCH /providers/{id}/theme', [], [image.id]],
  );
  assert.equal((await world.patch(path, { as: world.machine, body: { homescreen_logo: null } })).status, 200);
  assert.equal((await world.get(path, { as: world.machine })).body.homescreen_logo, null);
});

test('a business says whether its staff need a second factor', async () => {
  const path = `/providers/${world.harbour}`;
  const security = async () => (await world.get(`${path}?fields=security`, { as: world.machine })).body.security;
  assert.deepEqual(await security(), { second_factor_required: false, log_in_links: false });
  for (const second_factor_required of [true, false]) {
    assert.equal(
      (await world.patch(path, { as: world.machine, body: { security: { second_factor_required } } })).status,
      200,
    );
    assert.deepEqual(await security(), { second_factor_required, log_in_links: false });
  }
  const links = await world.patch(path, { as: world.machine, body: { security: { log_in_links: true } } });
  assert.equal(links.status, 200, links.text);
  assert.deepEqual(await security(), { second_factor_required: false, log_in_links: true });
});

test('a business sells to people without an account only once it enables this', async () => {
  const path = `/providers/${world.harbour}`;
  const site = async () => (await world.get(`${path}?fields=booking_site`)).body.booking_site;
  const before = await site();
  assert.equal(before.sells_to_guests, false);
  for (const sells_to_guests of [true, false]) {
    const body = { booking_site: { sells_to_guests } };
    assert.equal((await world.patch(path, { as: world.machine, body })).status, 200);
    assert.deepEqual(await site(), { ...before, sells_to_guests });
  }
});

const staff = (providerId: number) => ({
  mode: 'provider' as const,
  providerId,
  staffId: null,
  permissions: [],
  venues: null,
});

const idsOf = async (as: string, query = '', headers: Record<string, string> = {}) => {
  const { status, body, text } = await world.get(`/providers?fields=id${query}`, { as, provider: null, headers });
  assert.equal(status, 200, text);
  return { count: body.count, ids: body.results.map((p: { id: number }) => p.id) };
};

test('without a header, a credential lists every business that it can access, and no other', async () => {
  const { harbour, meadow } = world;
  const customer = { mode: 'customer' as const, providerId: harbour, customerId: await world.newCustomer() };
  const both = world.token([staff(harbour), staff(meadow), customer]);
  assert.deepEqual(await idsOf(both), { count: 2, ids: [harbour, meadow] });
  assert.deepEqual(await idsOf(both, '&page_size=1'), { count: 2, ids: [harbour] });
  assert.deepEqual(await idsOf(both, '&page_size=1&page=2'), { count: 2, ids: [meadow] });
  assert.deepEqual(await idsOf(both, '', { 'service-request-mode': 'customer' }), { count: 1, ids: [harbour] });
  assert.deepEqual(await idsOf(world.machine), { count: 1, ids: [harbour] });
  const limited = world.token([staff(harbour), staff(meadow)], 'person', undefined, { reach: [meadow] });
  assert.deepEqual(await idsOf(limited), { count: 1, ids: [meadow] });
  assert.deepEqual(await idsOf(world.token([])), { count: 0, ids: [] });
});

test('the list of businesses is limited to the one in the header, and callers without a credential need the header', async () => {
  const named = await world.get('/providers?fields=id', { provider: world.meadow });
  assert.deepEqual(named.body.results, [{ id: world.meadow }]);
  const foreign = await world.get('/providers', { as: world.machine, provider: world.meadow });
  assert.equal(foreign.body.code, 'provider_invalid');
  assert.equal((await world.get('/providers', { provider: null })).body.code, 'provider_header_missing');
});

test('an empty mode header counts as none', async () => {
  const headers = { 'service-request-mode': '' };
  assert.equal((await world.get('/customers', { as: world.machine, headers })).status, 200);
  assert.equal(
    (await world.get('/customers', { as: world.machine, headers: { 'service-request-mode': ' ' } })).status,
    200,
  );
});

test('a business gets the address of its booking site from its name, and can choose another free one', async () => {
  const path = `/providers/${world.harbour}`;
  const site = async () =>
    (await world.get(`${path}?fields=booking_site.slug,booking_site.is_listed`, { as: world.machine })).body
      .booking_site;
  const first = await site();
  assert.match(first.slug, /^harbour(-\d+)?$/);
  const change = (booking_site: object) => world.patch(path, { as: world.machine, body: { booking_site } });
  const slug = `bay-${world.harbour}`;
  assert.equal((await change({ slug, is_listed: false })).status, 200);
  assert.deepEqual(await site(), { slug, is_listed: false });
  const theirs = (await world.get(`/providers/${world.meadow}?fields=booking_site`, { as: world.meadowMachine })).body;
  for (const [wrong, why] of [
    ['Bay', /lower-case/],
    ['bay--lane', /lower-case/],
    ['42', /at least one letter/],
    ['docs', /uses this address itself/],
    [theirs.booking_site.slug, /Another business/],
  ] as const) {
    const refused = await change({ slug: wrong });
    assert.equal(refused.status, 400, wrong);
    assert.match(refused.body.field_errors['booking_site.slug'][0], why);
  }
  assert.equal((await change(first)).status, 200);
});
