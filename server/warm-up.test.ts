import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { warmUp } from './warm-up.ts';

test('the service is assembled ahead without a database, and leaves nothing behind', async () => {
  assert.equal(await warmUp(), 0);
  assert.equal(existsSync(join(tmpdir(), 'rollcall-none')), false);
});
