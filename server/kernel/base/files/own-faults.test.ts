import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FilesFailed, OwnFaults } from './own-faults.ts';
import { translate } from '../../api/requests/refusals.ts';
import type { FileStore } from './file-store.ts';

const failing = (code: string): FileStore => {
  const fail = async (): Promise<never> => {
    throw Object.assign(new Error(`${code}: write`), { code });
  };
  return {
    put: fail,
    get: fail,
    read: fail,
    remove: fail,
    list: fail,
    putParts: async (_, parts) => {
      for await (const _part of parts) await fail();
      return 0;
    },
  };
};

async function* some(): AsyncGenerator<string> {
  yield 'x';
}

const refusalOf = async (act: Promise<unknown>): Promise<string> => {
  const error = await act.then(
    () => assert.fail('nothing failed'),
    (one: unknown) => one,
  );
  assert.ok(error instanceof FilesFailed);
  const problem = translate(error, new Map());
  assert.equal(problem.status, 503);
  return String(problem.message);
};

test('a full disk for files, or an unreachable bucket, is never reported as a lost database', async () => {
  for (const code of ['ENOSPC', 'EDQUOT']) {
    const store = new OwnFaults(failing(code));
    for (const act of [store.put('images/1', Buffer.of(1)), store.putParts('images/1', some())])
      assert.match(await refusalOf(act), /^The disk for images and other files is full/);
  }
  const store = new OwnFaults(failing('ECONNREFUSED'));
  for (const act of [store.get('a'), store.read('a'), store.list('a'), store.remove('a')])
    assert.match(await refusalOf(act), /^Images and other files can’t be saved or read/);
});

test("the source of a file's parts keeps its own errors", async () => {
  const lost = Object.assign(new Error('the database is away'), { code: '57P01' });
  const parts = async function* () {
    yield await Promise.reject<string>(lost);
  };
  await assert.rejects(new OwnFaults(failing('ENOSPC')).putParts('a', parts()), lost);
});
