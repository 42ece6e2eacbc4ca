/** The audit of suppressed addresses: additions and removals, each with its author. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { ownContext } from '../../../test/own-context.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { suppress } from './suppress.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const ask = async (method: string, path: string, body?: Record<string, unknown>): Promise<any> => {
  const answer = await world.ask(method, path, { as: world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

/** Returns the audit entries of a suppression, oldest first. */
const audited = async (id: number): Promise<any[]> =>
  (await ask('GET', `/audit_entries?object=suppression&object_id=${id}&sort=id`)).results;

test('adding and removing a suppressed address are in the audit', async () => {
  const { id } = await ask('POST', '/communication/suppressions', { address: 'gone@example.com', note: 'They asked.' });
  await ask('DELETE', `/communication/suppressions/${id}`);
  assert.deepEqual(
    (await audited(id)).map(({ action, before: was, after: is }) => [
      action,
      was?.address ?? null,
      is?.address ?? null,
    ]),
    [
      ['POST /communication/suppressions', null, 'gone@example.com'],
      ['DELETE /communication/suppressions/{id}', 'gone@example.com', null],
    ],
  );
});

test('a stronger reason that replaces a weaker one is in the audit, and a weaker one changes nothing', async () => {
  const address = 'news@example.com';
  const { id } = await ask('POST', '/communication/suppressions', { address, reason: 'unsubscribed' });
  for (const reason of ['bounced', 'unsubscribed'] as const)
    await backgroundWork(ownContext(world), world.harbour, 'test', (work) =>
      suppress(work, { channel: 'email', address, reason }),
    );
  assert.deepEqual(
    (await audited(id)).map(({ before: was, after: is }) => [was?.reason ?? null, is.reason]),
    [
      [null, 'unsubscribed'],
      ['unsubscribed', 'bounced'],
    ],
  );
});
