/**
 * A broadcast to thousands through a real mail server on this machine: measures time and memory, and how often each
 * recipient got it, even if the worker is killed in between.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountingServer } from '../../server/test/outside/counting-server.ts';
import { install, vacuum, type Cluster, type Installation } from '../kit/installation.ts';
import { serve, type Served } from '../../server/test/processes/durable.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import { until } from '../../server/test/storm.ts';
import type { Report } from '../kit/report.ts';

export interface BroadcastPlan {
  readonly recipients: number;
  readonly kills: number;
}

const PATIENCE_MS = 300_000;
const LOOK_MS = 200;
const MAX_SECONDS = 60;
const MAX_MB = 400;
const MAX_GROWTH_MB = 32;

const content = {
  subject: 'News from {{business.name}}',
  message: `Dear {{customer.first_name}},\n\n${'The pier opens at nine, and boats go out until the evening. '.repeat(20)}`,
  use_case: 'marketing',
  channel: 'email',
};

interface Bench {
  readonly installation: Installation;
  readonly mail: CountingServer;
  readonly env: Record<string, string>;
}

export async function broadcastRows(
  report: Report,
  cluster: Cluster,
  { recipients, kills }: BroadcastPlan,
): Promise<void> {
  const installation = await install(cluster, 'broadcast', { customers: recipients, events: 10, attendances: 0 });
  const dataDir = mkdtempSync(join(tmpdir(), 'rollcall-bench-sending-'));
  const mail = new CountingServer();
  try {
    const env = {
      SMTP_URL: await mail.listen(),
      MAIL_FROM: 'Bench <bench@example.com>',
      SMTP_CONNECTIONS: '10',
      DATA_DIR: dataDir,
    };
    await installation.db.transaction(installation.provider, (tx) =>
      tx.run(
        sql`UPDATE customer SET is_opted_into_broadcast_messages = true WHERE provider_id = ${installation.provider}`,
      ),
    );
    await vacuum(installation.url);
    await measure(report, { installation, mail, env }, recipients);
    await killing(report, { installation, mail, env }, recipients, kills);
  } finally {
    await mail.close();
    await installation.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(report: Report, bench: Bench, recipients: number): Promise<void> {
  const server = await serve(bench.installation.url, { ...bench.env, ROLE: 'all' });
  try {
    const once = async () => {
      forget(bench.mail);
      return memoryFor(server, async () => sent(bench, await send(bench, server)));
    };
    // The first broadcast fills the pools and lets the heap reach its usual size: only growth after that would be a
    // leak.
    const first = await once();
    const began = performance.now();
    const second = await once();
    const seconds = (performance.now() - began) / 1000;
    const name = `broadcast to ${recipients.toLocaleString('en')} by SMTP`;
    report.add({
      name: `${name}, until the last is sent`,
      figure: seconds,
      reach: (MAX_SECONDS * recipients) / 10_000,
      better: 'lower',
      unit: 's',
    });
    report.add({ name: '  messages', figure: recipients / seconds, unit: '/s' });
    report.add({
      name: '  memory of the process at its most',
      figure: second,
      reach: MAX_MB,
      better: 'lower',
      unit: 'MB',
    });
    report.add({
      name: '  above what it took for as many before',
      figure: second - first,
      reach: MAX_GROWTH_MB,
      better: 'lower',
      unit: 'MB',
    });
    report.add({
      name: '  people who did not get it exactly once',
      figure: await wrong(bench, recipients),
      reach: 0,
      better: 'lower',
    });
  } finally {
    await server.end('SIGTERM');
  }
}

/** Kills the worker at regular intervals of delivered messages. */
async function killing(report: Report, bench: Bench, recipients: number, kills: number): Promise<void> {
  const { mail, env, installation } = bench;
  const server = await serve(installation.url, { ...env, ROLE: 'server' });
  let worker = await serve(installation.url, { ...env, ROLE: 'worker' });
  try {
    forget(mail);
    const broadcast = await send(bench, server);
    for (let kill = 1; kill <= kills; kill++) {
      await until(
        `letter ${kill} of the killing`,
        async () => mail.total >= (recipients * kill) / (kills + 1),
        PATIENCE_MS,
      );
      await worker.end('SIGKILL');
      worker = await serve(installation.url, { ...env, ROLE: 'worker' });
    }
    await sent(bench, broadcast);
    report.add({
      name: `  the same with the worker killed ${kills} times: not exactly once`,
      figure: await wrong(bench, recipients),
      reach: 0,
      better: 'lower',
    });
  } finally {
    await worker.end('SIGTERM');
    await server.end('SIGTERM');
  }
}

/** Sends a broadcast to everybody through the interface; returns its id. */
async function send({ installation: { token } }: Bench, { url }: Served): Promise<number> {
  const call = async (path: string, body: object): Promise<any> => {
    const answer = await fetch(`${url}/api/v2/communication/broadcast_messages${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const { id } = await call('', { ...content, target_recipients: { query_type: 'customer', query: {} } });
  await call(`/${id}/send`, content);
  return id;
}

async function sent({ installation: { db, provider } }: Bench, id: number): Promise<void> {
  await until(
    `broadcast ${id} is sent`,
    async () => {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      return db.transaction(provider, (tx) =>
        tx.one(
          sql`SELECT 1 AS sent FROM broadcast_message
            WHERE provider_id = ${provider} AND id = ${id} AND status = 'sent'`,
        ),
      );
    },
    PATIENCE_MS,
  );
}

function forget(mail: CountingServer): void {
  mail.taken.clear();
  mail.messageIds.clear();
  mail.total = 0;
}

/** Returns the customers whose mailbox has not exactly one message, and the messages to unknown recipients. */
async function wrong({ installation: { db, provider }, mail }: Bench, recipients: number): Promise<number> {
  const people = await db.transaction(provider, (tx) =>
    tx.rows<{ email: string }>(sql`SELECT email FROM customer WHERE provider_id = ${provider}`),
  );
  const known = people.filter(({ email }) => mail.taken.get(email) === 1).length;
  return people.length - known + Math.abs(mail.total - recipients);
}

/** Returns the peak memory during `act`. */
async function memoryFor(server: Served, act: () => Promise<void>): Promise<number> {
  let most = memoryOf(server);
  const watch = setInterval(() => (most = Math.max(most, memoryOf(server))), LOOK_MS);
  await act().finally(() => clearInterval(watch));
  return most;
}

/** Returns the resident memory of the server in megabytes. */
const memoryOf = ({ process: { pid } }: Served): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
