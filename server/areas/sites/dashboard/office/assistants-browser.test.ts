/** The owner sees who connected an assistant, switches one off, and gets what is needed to connect another. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AssistantWorld } from '../../../../test/worlds/assistant-world.ts';
import { DashboardWorld } from '../test/dashboard-world.ts';

let desk: DashboardWorld;
before(async () => {
  desk = await DashboardWorld.start({ own: true });
});
after(() => desk?.close());

test('an assistant is switched off in two taps, and its next call is refused', async () => {
  const { world } = desk;
  const a = await AssistantWorld.on(world);
  const [staff, member] = [await a.newStaff(), await a.newMember()];
  const { access_token } = await a.tokens(staff);
  await a.tokens(member, { scope: 'read' });
  const client = await a.connect(access_token);
  const owner = await desk.window();
  const { page } = owner;
  await desk.open(owner, 'assistants');
  await page
    .getByText(/Ada Byron.*reads and proposes changes · last used/)
    .first()
    .waitFor();
  await page
    .getByText(/only reads · last used/)
    .first()
    .waitFor();
  await owner.checkLive('assistants');
  await page.getByRole('button', { name: 'Switch off: Otter, Ada Byron' }).press('Enter');
  const dialog = page.getByRole('dialog').last();
  await dialog.getByText('One assistant is switched off').waitFor();
  await owner.checkLive('assistant-off');
  await dialog.getByRole('button', { name: 'Switch off', exact: true }).press('Enter');
  await dialog.getByText('One assistant is switched off').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Switch off: Otter, Ada Byron' }).waitFor({ state: 'detached' });
  await assert.rejects(client.listTools());
  owner.check();
});

test('the address for assistants is the service’s own, wherever the page was opened', async () => {
  const { world } = desk;
  const { port } = new URL(world.url);
  const own = world.app.installation.baseUrl;
  const elsewhere = `http://${new URL(own).hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}`;
  const owner = await desk.window(undefined, elsewhere);
  await desk.open(owner, 'assistants');
  assert.equal(await owner.page.getByRole('region', { name: 'Address', exact: true }).innerText(), `${own}/mcp`);
  await owner.close();
});

test('one tap gives an assistant its client ID, for an application that is an assistant', async () => {
  const { world } = desk;
  const owner = await desk.window();
  const { page } = owner;
  await desk.open(owner, 'assistants');
  assert.equal(await page.getByRole('region', { name: 'Address', exact: true }).innerText(), `${world.url}/mcp`);
  await page.getByRole('button', { name: 'Get a client ID for Claude' }).press('Enter');
  const id = await page.getByRole('region', { name: 'Client ID for Claude' }).innerText();
  const { body } = await world.get('/applications', { as: world.machine });
  const made = body.results.find(({ client_id }: { client_id: string }) => client_id === id);
  assert.deepEqual([made.is_assistant, made.is_public], [true, true]);
  await owner.checkLive('assistants-connect');
  owner.check();
});
