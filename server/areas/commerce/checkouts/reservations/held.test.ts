import assert from 'node:assert/strict';
import { HELD } from './held.ts';
import { ITEM_KINDS } from '../item-kinds/index.ts';
import { test } from 'node:test';

test('every kind of reservation has its place in the lock order', () => {
  const holding = ITEM_KINDS.filter(({ holds }) => holds !== undefined);
  assert.ok(holding.length > 0);
  for (const { type, holds } of holding)
    assert.ok(HELD.includes(holds!), `${type} holds something that held.ts does not know`);
});
