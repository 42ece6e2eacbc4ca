/**
 * Sends the queued messages of the ledger, for every business, as long as the worker runs. No network inside a
 * transaction, nothing sent twice or left out, whenever a process is killed: docs/adr/0013-sending.md explains how.
 */
import { randomInt } from 'node:crypto';
import { backOff } from '../rules/retry.ts';
import { beginBackground } from '../../../../kernel/work/jobs/background-lock.ts';
import { attentive } from '../../../../kernel/base/db/connections/patience.ts';
import { connectTo } from '../../../../kernel/base/db/connections/connect.ts';
import {
  claim,
  ENGINE_LOCK,
  enginesAtWork,
  isGone,
  markHandingOver,
  markKept,
  nameAttempt,
  release,
  releaseUnheard,
  settle,
  type Claimed,
  type HandingOver,
  type Settled,
} from './store.ts';
import { Grouped } from './grouped.ts';
import { headerLine } from '../../../../kernel/base/mail/address.ts';
import { Journal, readJournal, removeJournal } from './journal.ts';
import { keepUnsent, type Unsent } from '../../../../kernel/base/mail/outbox.ts';
import { Loops } from '../../../../kernel/work/worker/loops.ts';
import { messageToken, tokenHash, unsubscribeToken } from '../tokens.ts';
import { NoAddress, partsOf, smsText, writeLetter, type Written } from '../letter.ts';
import { quietUntil } from '../../../../kernel/base/values/quiet-hours.ts';
import { sealedFor, type Channel } from '../queue.ts';
import { statusUrl } from '../sms/status.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { suppressAddress } from '../suppress.ts';
import { businessTime, type Tenant } from '../../../../kernel/work/unit/work.ts';
import type { Connection } from '../../../../kernel/base/db/connections/connection.ts';
import type { Engine, EngineContext, RunningEngine } from '../../../../kernel/work/unit/engine.ts';
import type { Installation } from '../../../../kernel/work/unit/installation.ts';
import type { LastByte, Outcome } from '../../../../kernel/base/carrier.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

const IDLE_MS = 200;
const REAP_MS = 2000;
const STOP_MS = 15_000;
const SHARE = 25;
const MAX_MESSAGES = 100;
/** After this many consecutive failures, the other side counts as unreachable and is tried less and less often. */
const AWAY_MS = [1000, 2000, 5000, 15_000, 30_000];

const CHANNELS = ['email', 'sms'] as const;

const WHY = 'messages of every business are sent';

export const sendingEngine: Engine = {
  name: 'messages',
  start: async (context) => {
    const engine = new SendingEngine(context);
    await engine.start();
    return engine;
  },
  ofTestBusiness: {
    due: (provider) => [
      sql`(SELECT min(d.send_at) FROM message d WHERE d.provider_id = ${provider} AND d.status = 'queued')`,
    ],
    act: keepDue,
  },
};

class SendingEngine implements RunningEngine {
  readonly #o: EngineContext;
  readonly #number = randomInt(1, 2 ** 31 - 1);
  readonly #journal: Journal;
  readonly #handing: Grouped<HandingOver, boolean>;
  readonly #settling: Grouped<Settled, undefined>;
  readonly #loops: Loops;
  #presence?: Connection;

  constructor(context: EngineContext) {
    this.#o = context;
    const { db, now, installation, log } = context;
    this.#loops = new Loops(log);
    this.#journal = new Journal(installation.messages.dataDir, this.#number);
    this.#handing = new Grouped((items) =>
      db.acrossTenants(WHY, (tx) => markHandingOver(tx, this.#number, items, now())),
    );
    this.#settling = new Grouped((items) =>
      db.acrossTenants(WHY, async (tx) => {
        await settle(tx, this.#number, items, now());
        return items.map(() => undefined);
      }),
    );
  }

  async start(): Promise<void> {
    await this.#connect();
    this.#loops.repeat('sending of messages: reaper', REAP_MS, () => this.#reap());
    for (const channel of CHANNELS) this.#loops.run(() => this.#channel(channel));
  }

  async stop(): Promise<void> {
    if (this.#loops.stopped) return;
    // Messages that the other side does not acknowledge in this time are found as handed over by the next engine.
    await Promise.race([this.#loops.stop(), new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    await this.#presence?.end().catch(() => {});
    this.#journal.remove();
  }

  /** A session lock shows that this engine is alive; it is released with its connection, however the process ends. */
  async #connect(): Promise<void> {
    const client = await connectTo(this.#o.url, attentive());
    await client.query('SELECT pg_advisory_lock($1, $2)', [ENGINE_LOCK, this.#number]);
    this.#presence = client;
    client.on('end', () => void this.#reconnect());
  }

  async #reconnect(): Promise<void> {
    while (!this.#loops.stopped) {
      await this.#loops.pause(500);
      try {
        return await this.#connect();
      } catch {
        // The database may still be starting; messages that others take over from us in the meantime are no longer
        // handed over here.
      }
    }
  }

  /** Settles messages of engines that are no longer alive: a lock that we can acquire belongs to nobody. */
  async #reap(): Promise<void> {
    const { db, now, log, installation } = this.#o;
    const engines = await db.acrossTenants(WHY, enginesAtWork);
    for (const engine of engines.filter((e) => e !== this.#number)) {
      const { dataDir } = installation.messages;
      const released = await db.acrossTenants(WHY, async (tx) =>
        (await isGone(tx, engine)) ? release(tx, engine, readJournal(dataDir, engine), now()) : null,
      );
      if (!released) continue;
      removeJournal(dataDir, engine);
      log.warn(released, 'took over the messages of a worker that is gone');
    }
  }

  /** Runs one channel: claims messages, and keeps its connections busy. */
  async #channel(channel: Channel): Promise<void> {
    const carrier = this.#o.installation.messages[channel === 'email' ? 'mail' : 'sms'];
    const lines = carrier?.lines ?? 1;
    const line = new Set<Promise<void>>();
    let waiting: Claimed[] = [];
    let after = 0;
    let away = 0;
    let unheard = false;
    const inHand = new Set<string>();
    while (!this.#loops.stopped) {
      try {
        if (waiting.length === 0) {
          if (unheard)
            await this.#o.db.acrossTenants(WHY, (tx) => releaseUnheard(tx, this.#number, channel, [...inHand]));
          unheard = true;
          const claimed = await this.#claim(channel, after);
          // Goes through all businesses, then starts over.
          after = claimed.full ? claimed.last : 0;
          waiting = claimed.rows;
          unheard = false;
          if (!carrier && waiting.length > 0) {
            unheard = true;
            await this.#keep(waiting.splice(0));
            unheard = false;
            continue;
          }
          if (waiting.length === 0) {
            if (!claimed.full && !claimed.any) await this.#loops.pause(IDLE_MS);
            continue;
          }
        }
        while (waiting.length > 0 && line.size < lines) {
          const message = waiting.shift()!;
          inHand.add(nameAttempt(message));
          const sending: Promise<void> = this.#send(message)
            .then(
              (reached) => void (away = reached ? 0 : away + 1),
              (err) => this.#tell(err),
            )
            .finally(() => {
              line.delete(sending);
              inHand.delete(nameAttempt(message));
            });
          line.add(sending);
        }
        // A connection that waits long for a response does not keep free ones from other messages that are due.
        if (line.size < lines && away < lines) continue;
        if (line.size > 0) await Promise.race(line);
        if (away >= lines && !this.#loops.stopped) {
          await Promise.all(line);
          await this.#giveBack(waiting.splice(0));
          await this.#loops.pause(AWAY_MS[Math.min(Math.floor(away / lines) - 1, AWAY_MS.length - 1)]);
        }
      } catch (err) {
        this.#tell(err);
        await this.#loops.pause(1000);
      }
    }
    await Promise.all(line);
    await this.#giveBack(waiting).catch((err) => this.#tell(err));
  }

  #tell(err: unknown): void {
    this.#o.log.warn({ err }, 'sending messages: will try again');
  }

  async #claim(
    channel: Channel,
    after: number,
  ): Promise<{ rows: Claimed[]; any: boolean; full: boolean; last: number }> {
    const { db, now, installation } = this.#o;
    const claimed = await db.acrossTenants(WHY, (tx) =>
      claim(tx, { installation, engine: this.#number, channel, share: SHARE, most: MAX_MESSAGES, after, now: now() }),
    );
    const not = claimed.map((m) => notNow(m, now())).filter((s) => s !== null);
    // In a separate transaction: if a transaction writes a row twice, its references are checked again, and people are
    // locked before their messages.
    if (not.length > 0) await db.acrossTenants(WHY, (tx) => settle(tx, this.#number, not, now()));
    const put = new Set(not.map(nameAttempt));
    return {
      rows: claimed.filter((m) => !put.has(nameAttempt(m))),
      any: claimed.length > 0 || after > 0,
      full: claimed.length === MAX_MESSAGES,
      last: claimed.reduce((most, m) => Math.max(most, m.provider_id), 0),
    };
  }

  /**
   * Retries until the ledger has the outcome: otherwise, the message would remain claimed for as long as this engine is
   * alive.
   */
  async #settle(settled: Settled): Promise<void> {
    for (;;) {
      try {
        return await this.#settling.call(settled);
      } catch (err) {
        // Once this engine is gone, another worker finds the message.
        if (this.#loops.stopped) throw err;
        this.#tell(err);
        await this.#loops.pause(1000);
      }
    }
  }

  #giveBack(rows: readonly Claimed[]): Promise<unknown> {
    return Promise.all(rows.map((m) => this.#settle({ ...attempt(m), status: 'queued', uncounted: true })));
  }

  /** Keeps messages that nothing is configured to send: in the transaction that records it, hence once. */
  #keep(rows: readonly Claimed[]): Promise<void> {
    return this.#o.db.acrossTenants(WHY, (tx) => keep(tx, this.#o.installation, this.#number, rows));
  }

  /** Sends one message; returns false if the other side is unreachable. */
  async #send(m: Claimed): Promise<boolean> {
    let outcome: Outcome;
    try {
      outcome = await this.#hand(m);
    } catch (error) {
      if (!(error instanceof NoAddress)) {
        // An error of ours, such as a lost database: the message is returned to the queue, or found by the reaper.
        await this.#settle({ ...attempt(m), ...this.#later(m, 'this service could not send it') });
        throw error;
      }
      await this.#settle({ ...attempt(m), status: 'failed', error: error.message, address: m.address });
      return true;
    }
    if (outcome.outcome === 'withdrawn') return true;
    // We closed the connection ourselves, so the message may have been accepted.
    if (outcome.outcome === 'unanswered' && this.#loops.stopped) return true;
    await this.#settle({ ...attempt(m), ...this.#after(m, outcome) });
    this.#journal.forget(nameAttempt(m));
    if (outcome.outcome === 'refused' && outcome.address)
      await suppressAddress(this.#o, {
        providerId: m.provider_id,
        channel: m.channel,
        address: m.address!,
        message: m.id,
        code: outcome.code,
      });
    return outcome.outcome !== 'not_reached';
  }

  async #hand(m: Claimed): Promise<Outcome> {
    const { installation, now } = this.#o;
    const { mail, sms } = installation.messages;
    const w = writtenOf(installation, m);
    const last: LastByte = {
      mayEnd: () => this.#handing.call(handingOver(installation, m)),
      ending: () => this.#journal.note(nameAttempt(m)),
    };
    if (m.channel === 'email') return mail!.hand(await writeLetter(installation, w, now()), last);
    return sms!.hand({ to: w.address, body: smsText(installation, w), statusUrl: statusUrl(installation, m) }, last);
  }

  #after(
    m: Claimed,
    outcome: Exclude<Outcome, { outcome: 'withdrawn' }>,
  ): Omit<Settled, keyof ReturnType<typeof attempt>> {
    switch (outcome.outcome) {
      case 'taken':
        return { status: 'sent', reference: outcome.reference };
      case 'refused':
        if (outcome.permanent)
          return { status: outcome.address ? 'bounced' : 'failed', error: outcome.said, address: m.address };
        return this.#later(m, outcome.said);
      default:
        return this.#later(m, outcome.said);
    }
  }

  #later(m: Claimed, why: string): Pick<Settled, 'status' | 'error' | 'sendAt' | 'address'> {
    const wait = backOff(m.attempts);
    if (wait === null) return { status: 'failed', error: why, address: m.address };
    return { status: 'queued', error: why, sendAt: this.#o.now() + wait };
  }
}

const attempt = ({ provider_id, id, attempts }: Claimed) => ({ provider_id, id, attempts });

/** Returns the outcome for messages that must no longer be sent, or not at this hour. */
function notNow(m: Claimed, now: number): Settled | null {
  if (m.verdict !== null) return { ...attempt(m), status: 'skipped', reason: m.verdict, uncounted: true };
  if (m.channel !== 'sms' || m.purpose !== 'marketing' || m.quiet_start === null || m.quiet_end === null) return null;
  const until = quietUntil({ start: m.quiet_start, end: m.quiet_end }, now, m.zone);
  return until === null ? null : { ...attempt(m), status: 'queued', sendAt: until, uncounted: true };
}

function writtenOf({ box }: Installation, m: Claimed): Written {
  const text = m.sealed ? box.open(sealedFor(m.provider_id, m.key), m.text_part ?? '') : (m.text_part ?? '');
  return { ...m, address: m.address!, text };
}

const handingOver = ({ box }: Installation, m: Claimed): HandingOver => ({
  ...attempt(m),
  address: m.address!,
  tokenHash: tokenHash(messageToken(box, m.provider_id, m.id)),
  unsubscribeHash: m.purpose === 'marketing' ? tokenHash(unsubscribeToken(box, m.provider_id, m.id)) : null,
});

async function keep(
  tx: Transaction,
  installation: Installation,
  engine: number,
  rows: readonly Claimed[],
): Promise<void> {
  const { sender } = installation.messages;
  const unsent = rows.map((m): Unsent => {
    const w = writtenOf(installation, m);
    const common = { providerId: m.provider_id, channel: m.channel, recipient: w.address };
    if (m.channel === 'sms')
      return { ...common, sender: headerLine(m.business), subject: '', text: smsText(installation, w), html: '' };
    return {
      ...common,
      sender: `${headerLine(m.business) || sender.name} <${sender.address}>`,
      ...partsOf(installation, w),
    };
  });
  const mine = await markKept(
    tx,
    engine,
    rows.map((m) => handingOver(installation, m)),
  );
  await keepUnsent(
    tx,
    unsent.filter((_, i) => mine[i]),
  );
}

/** Keeps due messages of a test business, by its own time: nothing is sent from there. */
async function keepDue({ db, installation, now }: EngineContext, tenant: Tenant): Promise<boolean> {
  const { providerId } = tenant;
  const engine = randomInt(1, 2 ** 31 - 1);
  const at = businessTime(tenant, now());
  let any = false;
  for (const channel of CHANNELS) {
    const claimed = await db.transaction(providerId, async (tx) => {
      beginBackground(tx, [providerId]);
      const rows = await claim(tx, {
        installation,
        engine,
        channel,
        share: SHARE,
        most: MAX_MESSAGES,
        after: 0,
        now: at,
        ofTests: true,
      });
      const not = rows.map((m) => notNow(m, at)).filter((s) => s !== null);
      if (not.length > 0) await settle(tx, engine, not, at);
      const put = new Set(not.map(nameAttempt));
      const kept = rows.filter((m) => !put.has(nameAttempt(m)));
      if (kept.length > 0) await keep(tx, installation, engine, kept);
      return rows.length;
    });
    any ||= claimed > 0;
  }
  return any;
}
