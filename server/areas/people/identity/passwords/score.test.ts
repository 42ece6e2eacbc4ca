import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreOf } from './score.ts';

test('passwords are scored by lists and by facts about the person', async () => {
  assert.deepEqual(await scoreOf('Password123', []), { common: true, score: 0 });
  assert.deepEqual(await scoreOf('otter kettle midnight ferry', []), { common: false, score: 4 });
  const name = 'gwendoline2024';
  const [stranger, herself] = [await scoreOf(name, []), await scoreOf(name, ['gwendoline'])];
  assert.ok(herself.score < stranger.score, `${herself.score} < ${stranger.score}`);
});

test('nothing else waits while a password is scored', async () => {
  let turns = 0;
  let asking = true;
  const turn = (): void => {
    turns++;
    if (asking) setImmediate(turn);
  };
  setImmediate(turn);
  // As long as a password can be, with parts that combine in many ways.
  await Promise.all(Array.from({ length: 5 }, (_, n) => scoreOf(`${'aA1!bB2@'.repeat(15)}${n}`, ['aA1', 'bB2'])));
  asking = false;
  assert.ok(turns > 20, `${turns} turns of the event loop`);
});
