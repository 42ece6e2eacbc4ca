/** The state after the sending process is killed: real processes, a real mail server. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CountingServer } from '../../../test/outside/counting-server.ts';
import { KillableInstallation } from '../../../test/processes/killed.ts';
import { everything, inTurns } from '../../../test/rare.ts';
import { fill, type Served } from '../../../test/processes/durable.ts';
import { until } from '../../../test/storm.ts';

let e: KillableInstallation;
let dataDir: string;
before(async () => {
  e = await KillableInstallation.install();
  dataDir = mkdtempSync(join(tmpdir(), 'rollcall-sending-'));
});
after(async () => {
  await e.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * A kill between the note of the last byte and the byte itself loses that message: docs/adr/0013-sending.md. The two
 * calls are adjacent, so this is rare, and never happens twice.
 */
const BETWEEN_TWO_CALLS = 1;
const LINES = 5;
/** Emails between two kills: many times the number that a worker claims together. */
const STRETCH = 100;
/** Enough for each of two workers to claim several times. */
const BOTH = everything ? 400 : 200;

const sending = (smtp: string) => ({
  SMTP_URL: smtp,
  MAIL_FROM: 'no-reply@rollcall.example',
  SMTP_CONNECTIONS: String(LINES),
  DATA_DIR: dataDir,
});

/** Queues one email for each customer. */
async function queue(key: string, customers: readonly number[], text: string): Promise<void> {
  await e.eye.query(
    `INSERT INTO message (provider_id, key, channel, purpose, kind, customer_id, subject, text_part, status, queued_at,
      send_at)
     SELECT $1, $3 || ':' || c, 'email', 'transactional', 'event_reminder', c, 'Letter', $4, 'queued', now(), now()
     FROM unnest($2::bigint[]) c`,
    [e.here.harbour, customers, key, text],
  );
}

const allSent = () => until('all are sent', async () => (await e.count(`message WHERE status <> 'sent'`)) === 0);

interface Kill {
  /** kills the worker when the server has accepted some more emails */
  readonly kill: (server: CountingServer, worker: Served) => Promise<void>;
  /** number of emails in transit at that moment, of which nobody knows whether they have arrived */
  readonly unknown: readonly [least: number, most: number];
}

const inTheMidst: Kill = {
  unknown: [0, LINES],
  async kill(server, worker) {
    const at = server.total + STRETCH;
    const killed = Promise.withResolvers<void>();
    server.onMail = (n) => {
      if (n === at) killed.resolve(worker.end('SIGKILL').then(() => {}));
      return undefined;
    };
    await killed.promise;
  },
};

const KILLS: readonly Kill[] = [
  {
    // All connections have sent their final dot and wait for a response: what the server has must not arrive again.
    unknown: [LINES, LINES],
    async kill(server, worker) {
      let held = 0;
      const from = server.total + STRETCH;
      server.onMail = (n) => (n > from ? (held++, new Promise(() => {})) : undefined);
      await until('every line waits for an answer', async () => held === LINES);
      await worker.end('SIGKILL');
    },
  },
  {
    // All connections are in the middle of a dialogue: what the server lacks must arrive.
    unknown: [0, 0],
    async kill(server, worker) {
      const from = server.total + STRETCH;
      await until('mail goes on', async () => server.total >= from);
      let asked = 0;
      server.onRecipient = () => (asked++, new Promise(() => {}));
      await until('every line is asked to wait', async () => asked === LINES);
      await worker.end('SIGKILL');
    },
  },
  inTheMidst,
];

test('a worker killed again and again in the middle of hundreds of emails leaves nobody out and sends nobody two', async () => {
  const kills = inTurns(KILLS, KILLS.length).concat(everything ? [inTheMidst, inTheMidst] : []);
  const letters = (kills.length + 1) * STRETCH;
  const server = new CountingServer();
  const smtp = await server.listen();
  const { customers } = await fill(e.here, letters, { n: 1, places: null });
  await queue('letter', customers, 'words '.repeat(200));
  for (const { kill } of kills) {
    const worker = await e.start('worker', sending(smtp));
    await kill(server, worker);
    server.onMail = undefined;
    server.onRecipient = undefined;
  }
  const heir = await e.alongside('worker', sending(smtp));
  await allSent();
  const { rows: people } = await e.eye.query<{ email: string; confirmed: boolean }>(
    `SELECT c.email, m.confirmed FROM message m JOIN customer c ON c.id = m.customer_id`,
  );
  assert.equal(people.length, letters);
  const not = people
    .map(({ email, confirmed }) => ({ times: server.taken.get(email) ?? 0, confirmed }))
    .filter(({ times, confirmed }) => times > 1 || (times < 1 && confirmed));
  assert.deepEqual(not, [], 'nobody got two, and what the ledger says that they got, they got');
  assert.ok(letters - server.total <= BETWEEN_TWO_CALLS, `${letters - server.total} were lost`);
  const unconfirmed = people.filter((p) => !p.confirmed).length;
  const [least, most] = [0, 1].map((end) => kills.reduce((sum, { unknown }) => sum + unknown[end], 0));
  assert.ok(
    unconfirmed >= least && unconfirmed <= most,
    `${unconfirmed} are not confirmed: those that were under way when a worker was killed`,
  );
  await heir.close();
  await server.close();
});

test('two workers at the same time send each email once', async () => {
  const server = new CountingServer();
  const smtp = await server.listen();
  const { customers } = await fill(e.here, BOTH, { n: 1, places: null });
  const worker = await e.start('worker', sending(smtp));
  const other = await e.alongside('worker', sending(smtp));
  await queue('both', customers, 'words');
  await allSent();
  assert.deepEqual([server.total, server.taken.size], [BOTH, BOTH]);
  assert.equal(await worker.end('SIGTERM'), 0);
  await other.close();
  await server.close();
});
