import assert from 'node:assert/strict';
import { rollcall, type Business } from './cell.ts';
import type { Machine } from './machine.ts';

interface Revocable {
  readonly token: string;
  revoke(): Promise<void>;
}

/** Creates a token that works at `url`, and returns a way to revoke it. `machine`: where the commands run */
export async function revocable(url: string, machine: Machine, { id: business }: Business): Promise<Revocable> {
  const name = `revoked-${Date.now()}`;
  const token = (await rollcall(machine, ['token', 'create', `--provider=${business}`, `--name=${name}`])).trim();
  const answer = await fetch(`${url}/api/v2/customers?page_size=1`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 200, 'a new token works');
  const list = await rollcall(machine, ['token', 'list']);
  const id = list
    .split('\n')
    .find((line) => line.includes(name))!
    .match(/\d+/)![0];
  return { token, revoke: async () => void (await rollcall(machine, ['token', 'revoke', id])) };
}
