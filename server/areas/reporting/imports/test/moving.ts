/** File imports for tests, through the interface. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { until } from '../../../../test/storm.ts';
import { xlsx, type Cell } from '../../reports/exports/write-xlsx.ts';
import type { World } from '../../../../test/world.ts';

export const fixture = (name: string): Buffer => readFileSync(new URL(`files/${name}`, import.meta.url));

export async function upload(world: World, file: Buffer | string, over: Record<string, unknown> = {}): Promise<any> {
  const body = { file: Buffer.from(file).toString('base64'), ...over };
  const answer = await world.post('/imports', { as: world.machine, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** Checks or imports a file, and waits until it is done. */
export async function work(world: World, id: number, how: 'check' | 'run'): Promise<any> {
  const begun = await world.post(`/imports/${id}/${how}`, { as: world.machine });
  assert.equal(begun.status, 200, begun.text);
  return until('the job is over', async () => {
    const { body } = await world.get(`/imports/${id}`, { as: world.machine });
    return ['checked', 'complete', 'failed'].includes(body.status) && body;
  });
}

/** Returns the line, fate and reasons of every row. */
export async function fates(world: World, id: number): Promise<[number, string, string[]][]> {
  const { body } = await world.get(`/imports/${id}/rows`, { as: world.machine });
  return body.results.map((row: any) => [
    row.line,
    row.fate,
    row.issues.map((issue: any) => `${issue.column}: ${issue.reason}`),
  ]);
}

/** Creates a workbook with one sheet. */
export async function workbook(headings: readonly string[], rows: readonly (readonly Cell[])[]): Promise<Buffer> {
  async function* portions() {
    yield rows;
  }
  const parts: Uint8Array[] = [];
  const sheet = {
    name: 'Members',
    headings,
    widths: headings.map(() => 10),
    portions: portions(),
    cells: (row: readonly Cell[]) => row,
  };
  for await (const part of xlsx(sheet)) parts.push(part);
  return Buffer.concat(parts);
}
