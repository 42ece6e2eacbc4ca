// The cost of two design decisions in isolation: row-level security, and exact counts kept in stripes. Prints both,
// without a target.
//
// node bin/rollcall.mjs run bench/costs.ts
import { install, startCluster, statementsOf } from './kit/installation.ts';
import { LIST } from './reads.ts';
import { pgbench } from './kit/pgbench.ts';
import { scriptOf } from './kit/script.ts';
import { sessionUrl } from './kit/contest.ts';
import { median } from './kit/report.ts';

const SECONDS = 3;
const TURNS = 3;
const say = (line: string) => process.stdout.write(`${line}\n`);

const cluster = await startCluster();
try {
  const installation = await install(cluster, 'costs', { customers: 5000, events: 1000, attendances: 100_000 });
  const writes = await statementsOf(installation, (base, headers) => fetch(base + LIST, { headers }));
  const list = scriptOf(writes, [], '', 'pipelined');
  const stripes = {
    script: `SELECT coalesce(sum(n), 0) FROM row_count WHERE provider_id = ${installation.provider}
      AND relation = 'attendance';\n`,
    vars: {},
  };
  const rows = { script: `SELECT count(*) FROM attendance WHERE provider_id = ${installation.provider};\n`, vars: {} };
  const rate = async (url: string, { script, vars }: typeof list) =>
    (await pgbench({ url, script, vars, clients: 8, seconds: SECONDS })).tps;
  const owner = installation.url;
  const figures = { guarded: [] as number[], open: [] as number[], stripes: [] as number[], rows: [] as number[] };
  for (let i = 0; i < TURNS; i++) {
    figures.guarded.push(await rate(sessionUrl(owner), list));
    figures.open.push(await rate(owner, list));
    figures.stripes.push(await rate(owner, stripes));
    figures.rows.push(await rate(owner, rows));
  }
  const of = (name: keyof typeof figures) => median(figures[name]);

  say(
    `list under row-level security: ${of('guarded').toFixed(0)}/s, as an owner it does not bind: ${of('open').toFixed(0)}/s, ratio ${(of('guarded') / of('open')).toFixed(2)}`,
  );
  say(
    `count of 100,000 rows by stripes: ${of('stripes').toFixed(0)}/s, by counting: ${of('rows').toFixed(0)}/s, ratio ${(of('stripes') / of('rows')).toFixed(0)}`,
  );
  await installation.remove?.();
} finally {
  await cluster.remove();
}
