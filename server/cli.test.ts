import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS } from './cli.ts';

test('every command is listed under its own name', async () => {
  for (const { name, load } of COMMANDS) assert.equal((await load()).name, name);
});
