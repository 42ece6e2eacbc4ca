import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { registry } from '../../../app.ts';
import { signature } from './engine/message.ts';
import { START } from '../../../test/clock.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/guide/webhooks.md'), 'utf8');

const text = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

test('the ten lines of the guide accept messages signed with either of two secrets, and reject altered, old or differently signed ones', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: START });
  const code = /^```js\n([^]*?)^```$/m.exec(GUIDE)![1].replace('function isGenuine', 'export function isGenuine');
  assert.ok(code.split('\n').filter((line) => line.trim() !== '').length <= 10);
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const [one, two, other] = [0, 1, 2].map(() => randomBytes(32));
  const [id, body, now] = ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', '{"feed_items":[]}', START / 1000];
  const headers = (at: number, secrets: Buffer[]) => ({
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signature(secrets, id, at, body),
  });
  for (const secret of [one, two]) {
    assert.ok(isGenuine(headers(now, [one, two]), body, text(secret)));
    assert.doesNotThrow(() => new Webhook(text(secret)).verify(body, headers(now, [one, two])));
  }
  assert.ok(!isGenuine(headers(now, [one, two]), body, text(other)));
  assert.ok(!isGenuine(headers(now, [one]), `${body} `, text(one)));
  assert.ok(!isGenuine(headers(now - 600, [one]), body, text(one)));
  assert.ok(!isGenuine({ ...headers(now, [one]), 'webhook-id': 'another' }, body, text(one)));
  assert.ok(!isGenuine({ ...headers(now, [one]), 'webhook-signature': 'v1 v1, ,' }, body, text(one)));
});

test('every request in the guide exists in the service', () => {
  const known = new Set(registry().endpoints.map((e) => `${e.method} ${e.path}`));
  const shown = [...GUIDE.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) \/api\/v2(\/[\w/{}]+)/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  assert.ok(shown.length >= 6);
  assert.deepEqual(
    shown.filter((call) => !known.has(call)),
    [],
  );
});
