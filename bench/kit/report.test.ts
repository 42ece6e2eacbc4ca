import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Measurement, Report, median, paired } from './report.ts';

const VERDICTS: [string, Omit<Measurement, 'name'>, number | null, boolean][] = [
  ['a ratio that reaches its bound is ok', { figure: 50, against: 100, reach: 0.5 }, 0.5, true],
  ['a ratio below its bound is missed', { figure: 49, against: 100, reach: 0.5 }, 0.49, false],
  [
    'where lower is better the bound is a ceiling',
    { figure: 12, against: 10, reach: 1.1, better: 'lower' },
    1.2,
    false,
  ],
  ['a given ratio wins over that of the figures', { figure: 1, against: 1, ratio: 0.4, reach: 0.5 }, 0.4, false],
  [
    'without the other side the figure itself is held to the bound',
    { figure: 250, reach: 200, better: 'lower' },
    null,
    false,
  ],
  ['without a bound a row is shown and ok', { figure: 3 }, null, true],
  ['a measurement that failed is never ok', { figure: Number.NaN }, null, false],
  ['a comparison with nothing is never ok', { figure: 5, against: 0, reach: 1 }, Infinity, false],
];
for (const [guarantee, measurement, ratio, ok] of VERDICTS) {
  test(guarantee, () => {
    const row = new Report().add({ name: 'x', ...measurement });
    assert.deepEqual([row.ratio, row.ok], [ratio, ok]);
  });
}

test('the table is aligned and the file holds the same rows', async (t) => {
  const report = new Report();
  report.add({ name: 'page of attendances', figure: 12_345.6, against: 24_691.2, reach: 0.4, unit: 'req/s' });
  report.add({ name: 'start', figure: 1.5, reach: 1, better: 'lower', unit: 's' });
  let printed = '';
  report.print((text) => (printed += text));
  assert.equal(
    printed,
    [
      'name                   ours  theirs  unit   ratio  to reach',
      'page of attendances  12,346  24,691  req/s    0.5    >= 0.4  ok',
      'start                   1.5          s                 <= 1  MISSED',
      '',
    ].join('\n'),
  );
  const folder = await mkdtemp(join(tmpdir(), 'report-'));
  t.after(() => rm(folder, { recursive: true }));
  await report.write(join(folder, 'r.json'), { cores: 2 });
  assert.deepEqual(JSON.parse(await readFile(join(folder, 'r.json'), 'utf8')), {
    ok: false,
    cores: 2,
    rows: report.rows,
  });
});

test('two sides are measured in alternating turns and compared turn by turn', async () => {
  const order: string[] = [];
  const ours = [10, 40, 30];
  const theirs = [20, 50, 30];
  const side = (name: string, values: number[]) => async () => {
    order.push(name);
    return values.shift()!;
  };
  const pair = await paired(3, side('a', ours), side('b', theirs));
  assert.equal(order.join(''), 'ababab');
  assert.deepEqual(pair, { figure: 30, against: 30, ratio: 0.8, ratios: [0.5, 0.8, 1] });
});

test('the median of an even number of values lies between the two in the middle', () => {
  assert.equal(median([10, 1, 2, 3]), 2.5);
  assert.throws(() => median([]), RangeError);
});
