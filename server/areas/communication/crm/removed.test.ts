import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type World } from '../../../test/world.ts';

/** Paths that the API had once and has no longer. Placeholders in braces are tried as a number and as a word. */
const REMOVED = [
  '/crm/bulk_status_evaluations',
  '/crm/bulk_status_evaluations/{id}',
  '/crm/lead_forms',
  '/crm/lead_forms/{id}',
  '/crm/lead_forms/{id}/submit',
  '/crm/lead_sources',
  '/crm/lead_sources/{id}',
  '/crm/settings',
  '/crm/statuses',
  '/crm/statuses/{id}',
  '/crm/workflow_action_types/{type}',
  '/crm/workflow_triggers/{trigger}',
];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

test('removed paths do not exist for anybody, with any method: 404, as for a path that never existed', async () => {
  const callers = [world.machine, world.staff(['customers']), world.customer(await world.newCustomer()), undefined];
  for (const path of REMOVED) {
    for (const value of path.includes('{') ? ['1', 'email_customer', 'customer_status.changed'] : ['']) {
      for (const method of METHODS) {
        for (const as of callers) {
          const [{ status, body }, never] = await Promise.all(
            [path, '/crm/never_was'].map((p) =>
              world.ask(method, p.replace(/\{[^}]+\}/, value), { as, body: method === 'GET' ? undefined : {} }),
            ),
          );
          assert.deepEqual(
            [status, body.code, body.message],
            [404, 'not_found', never.body.message],
            `${method} ${path} with "${value}"`,
          );
        }
      }
    }
  }
});

test('the documents of the API do not mention them either', async () => {
  const documents = await Promise.all(
    ['/api/v2/openapi.json', '/docs/operations'].map(async (path) => (await fetch(`${world.url}${path}`)).text()),
  );
  for (const text of documents) {
    assert.ok(text.includes('/crm/workflows'), 'the document is the one of this service');
    for (const path of REMOVED) assert.ok(!text.includes(path.replace(/\{.*/, '')), path);
    assert.ok(!/lead_form|\/lead_source|bulk_status_evaluation/.test(text));
  }
});
