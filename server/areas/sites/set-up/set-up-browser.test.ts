/**
 * Setup of a new installation as its operator experiences it: from the printed link to the dashboard, in a real browser
 * without scripts.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setUpLink } from './code.ts';
import { startService, type Service } from '../../../test/service.ts';
import { TestBrowser } from '../../../test/pages/browser.ts';

const PASSWORD = 'quiet otter seven lanterns';

let service: Service;
let browser: TestBrowser;
before(async () => {
  service = await startService();
  browser = await TestBrowser.start(service.url);
});
after(async () => {
  await browser?.close();
  await service?.close();
});

test('from the printed link to the dashboard in three steps, then out, and in again', async () => {
  const visitor = await browser.visitor();
  await visitor.open('/');
  assert.equal(await visitor.heading(), 'Set up Rollcall');
  await visitor.checkAccessible('set-up-code');
  await visitor.submit('Continue', { 'Set-up code': 'abc' });
  await visitor.checkAccessible('set-up-code-wrong');
  const code = setUpLink('', service.app.installation.box).split('code=')[1];
  await visitor.submit('Continue', { 'Set-up code': code });

  assert.equal(await visitor.heading(), 'Your business');
  await visitor.checkAccessible('set-up-business');
  await visitor.submit('Continue', { 'Name of the business': 'Quay Yoga', Country: 'Canada' });

  assert.equal(await visitor.heading(), 'Time and money');
  assert.deepEqual(
    [
      await visitor.page.getByLabel('Time zone').inputValue(),
      await visitor.page.getByLabel('Currency').inputValue(),
      await visitor.page.getByRole('radio').first().isChecked(),
    ],
    ['America/Toronto', 'CAD', true],
  );
  await visitor.checkAccessible('set-up-details');
  await visitor.submit('Continue');

  assert.equal(await visitor.heading(), 'Your account');
  assert.match(await visitor.text(), /You'll be the owner of Quay Yoga/);
  await visitor.submit('Create the business', {
    'First name': 'Ada',
    'Last name': 'Byron',
    'Email address': 'ada@',
    Password: 'short',
  });
  await visitor.checkAccessible('set-up-owner-wrong');
  await visitor.submit('Create the business', { 'Email address': 'ada@example.com', Password: PASSWORD });
  assert.equal(visitor.path, '/dashboard');

  await visitor.open('/log-out');
  await visitor.checkAccessible('log-out');
  await visitor.submit('Log out');
  assert.equal(visitor.path, '/log-in');
  await visitor.checkAccessible('log-in-of-the-installation');
  await visitor.submit('Log in', { 'Email address': 'ada@example.com', Password: PASSWORD });
  assert.equal(visitor.path, '/dashboard');
  await visitor.open('/set-up');
  assert.equal(await visitor.heading(), 'Page not found');
  await visitor.close();
});
