/** A waiver on a phone: signed by drawing with a finger, or by typing, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { TestBrowser, type Visitor } from '../../../test/pages/browser.ts';

let world: World;
let browser: TestBrowser;
before(async () => {
  world = await startWorld();
  browser = await TestBrowser.start(world.url);
});
after(async () => {
  await browser?.close();
  await world?.close();
});

async function newWaiver(drawn: boolean): Promise<number> {
  const body = { name: 'Liability', text: 'I row at my own risk.', signature_image_required: drawn };
  const made = await world.post('/waivers', { as: world.machine, body });
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}

/** Draws two lines with a finger: the second is a short one, like the dot of an i. */
async function draw({ page, context }: Visitor): Promise<void> {
  const canvas = page.locator('canvas');
  await canvas.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await canvas.boundingBox())!;
  const cdp = await context.newCDPSession(page);
  const touch = (type: string, points: readonly (readonly [number, number])[]) =>
    cdp.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: points.map(([across, down]) => ({ x: x + width * across, y: y + height * down })),
    });
  for (const line of [
    [
      [0.1, 0.2],
      [0.3, 0.9],
      [0.5, 0.2],
      [0.8, 0.7],
    ],
    [
      [0.9, 0.2],
      [0.92, 0.25],
    ],
  ] as const) {
    await touch('touchStart', [line[0]]);
    for (const point of line.slice(1)) await touch('touchMove', [point]);
    await touch('touchEnd', []);
  }
}

test('a customer signs on a phone: an empty drawing is refused, a drawn and a typed signature have a PDF', async () => {
  const [drawn, typed] = [await newWaiver(true), await newWaiver(false)];
  const person = await newMember(world);
  const customer = await makeCustomer(world, person);
  const visitor = await browser.visitor(undefined, { scripts: true });
  const { page } = visitor;
  await page.setViewportSize({ width: 390, height: 844 });
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': person.email, Password: PASSWORD });

  await visitor.open(`/account/${world.harbour}/waivers/${drawn}/${customer}`);
  await visitor.submit('Sign', { 'Your full name': 'Ada King' });
  assert.match(await visitor.text(), /Draw your signature\./);
  assert.equal(await page.getByLabel('Your full name').inputValue(), 'Ada King');
  await draw(visitor);
  const inked = () =>
    page.evaluate<boolean>(`(() => {
      const canvas = document.querySelector('canvas');
      return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0);
    })()`);
  assert.equal(await inked(), true);
  await page.getByRole('button', { name: 'Draw again' }).click();
  assert.deepEqual([await inked(), await page.locator('input[name=lines]').inputValue()], [false, '']);
  await draw(visitor);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await visitor.submit('Sign', {});
  assert.equal(visitor.path, `/account/${world.harbour}/profile/agreements`);

  await visitor.open(`/account/${world.harbour}/waivers/${typed}/${customer}`);
  await visitor.submit('Sign', { 'Your full name': 'Ada King' });
  assert.equal(visitor.path, `/account/${world.harbour}/profile/agreements`);

  const signed = await world.get(`/waiver_agreements?customer=${customer}`, { as: world.machine });
  assert.equal(signed.status, 200, signed.text);
  assert.deepEqual(
    signed.body.results.map((one: any) => [one.waiver, one.signer_name, one.signature_image !== null]).toSorted(),
    [
      [drawn, 'Ada King', true],
      [typed, 'Ada King', false],
    ],
  );
  for (const { id } of signed.body.results) {
    const pdf = await world.get(`/waiver_agreements/${id}/download`, { as: world.machine });
    assert.equal(pdf.status, 200, pdf.text);
    assert.match(pdf.text, /^%PDF-/);
  }
});
