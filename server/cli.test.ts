import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS } from './cli.ts';

test('every command is loaded under the name that it has', async () => {
  for (const { name, load } of COMMANDS) assert.equal((await load()).name, name);
});
