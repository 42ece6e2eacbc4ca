/**
 * Strikes and penalties in the dashboard, as staff manage them in a browser. The results are checked through the
 * interface.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { button, confirm, field, noteRefusals, saying, submit } from '../test/membership-steps.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import { look } from '../test/dashboard-world.ts';
import { PenaltyWorld } from '../../../../test/worlds/penalty-world.ts';
import type { StaffPermission } from '../../../people/staff/index.ts';
import type { Visit } from '../test/window/visit.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
let p: PenaltyWorld;
const forbidden: string[] = [];

before(async () => {
  desk = await DashboardBrowser.start({ own: true });
  ({ world } = desk);
  p = await PenaltyWorld.of(world);
});
after(() => desk?.close());
afterEach(() => assert.deepEqual(forbidden, []));

/** Opens Chromium for the journey of the screen, and a window for everything else. */
async function at(tab: string, permissions?: readonly StaffPermission[], { chromium = false } = {}): Promise<Visit> {
  const who = await desk.colleague({ permissions });
  const visitor = chromium ? await desk.visitor(who) : await desk.window(who);
  noteRefusals(visitor, forbidden);
  await desk.open(visitor, `memberships?tab=${tab}`);
  return visitor;
}

test('a strike is forgiven with a note, and its penalty is voided', async () => {
  const of = await p.holder({ at: world.now, over: { deferred_charge_days: 5 } });
  await p.cancelLate(of, 3);
  await p.read();
  assert.deepEqual(
    (await p.penalties(of)).map(({ status }) => status),
    ['upcoming_charge'],
  );
  const visitor = await at('strikes', ['customers'], { chromium: true });
  const { page } = visitor;
  await button(visitor, 'Clear').waitFor({ state: 'detached' });
  await page.getByRole('listitem').first().waitFor();
  await look(visitor, 'strikes-list');
  await page.getByLabel('Status').selectOption({ label: 'Will be charged' });
  await page
    .getByRole('button', { name: /^Forgive: Late cancellation of/ })
    .first()
    .click();
  await field(visitor, 'Reason').fill('The bus did not come.');
  await button(visitor, 'Continue').click();
  await saying(visitor, 'One penalty is voided');
  await confirm(visitor, 'Forgive');
  await saying(visitor, 'No strikes match. Try other filters.');
  const strikes = await p.strikes(of);
  assert.deepEqual(
    strikes.filter(({ status }) => status === 'voided').map(({ note }) => note),
    ['The bus did not come.'],
  );
  assert.deepEqual(
    (await p.penalties(of)).map(({ status }) => status),
    ['voided'],
  );
  await visitor.close();
});

test('all pending charges of a penalty system are voided, and customers are notified in the words of the business', async () => {
  const of = await p.holder({ at: world.now, over: { name: 'Late rules', deferred_charge_days: 5 } });
  await p.cancelLate(of, 3);
  await p.read();
  const visitor = await at('penalties');
  const { page } = visitor;
  await button(visitor, 'New message').click();
  await field(visitor, 'When it is sent').selectOption({ label: 'After a penalty' });
  await field(visitor, 'Subject').fill('A fee for {{membership.name}}');
  await field(visitor, 'Message').fill('It costs {{penalty.amont}}.');
  await button(visitor, 'Save').click();
  await page.locator('.field .error').first().waitFor();
  await field(visitor, 'Message').fill('It costs {{penalty.amount}}.');
  await submit(visitor);
  await button(visitor, 'Edit: A fee for {{membership.name}}').click();
  await field(visitor, 'Subject').fill('A fee');
  await submit(visitor);
  await button(visitor, 'Edit: A fee').waitFor();
  const messages = '/communication/notification_types/membership_penalty/messages';
  const [message] = (await p.get(messages)).results;
  assert.deepEqual(
    [message.email_template, message.trigger_type],
    [{ subject: 'A fee', body: 'It costs {{penalty.amount}}.' }, 'penalty'],
  );
  await look(visitor, 'strikes-penalties');
  await button(visitor, 'Void pending penalties: Late rules').click();
  await saying(visitor, '3 strikes no longer count');
  await confirm(visitor, 'Void pending penalties');
  await page.getByRole('list', { name: 'Penalties' }).getByText('Voided', { exact: true }).first().waitFor();
  assert.deepEqual(
    (await p.penalties(of)).map(({ status }) => status),
    ['voided'],
  );
  await button(visitor, 'Delete: A fee').click();
  await confirm(visitor, 'Delete');
  await saying(visitor, 'No messages yet. Write the first one.');
  assert.equal((await p.get(messages)).count, 0);
  await visitor.close();
});
