import { advanceClock, findTenant } from '../areas/platform/providers/index.ts';
import { commandTime } from './command-time.ts';
import { CommandFailure, say, textOption, UsageError, wholeId, type Command } from './command.ts';
import { endWork } from '../kernel/work/unit/background-work.ts';
import { formatInstant, parseInstant } from '../kernel/base/values/zone.ts';
import { businessTime, Work, type Tenant } from '../kernel/work/unit/work.ts';
import { ownViewer } from '../kernel/work/access/viewer.ts';
import { Problem } from '../kernel/base/problem.ts';
import { readClock, type ClockRow } from '../kernel/work/clock/test-clock.ts';
import { registry } from '../app.ts';
import { requireProvider } from './provider.ts';
import { withDatabase } from './installation.ts';
import type { Database } from '../kernel/base/db/database.ts';

const LOOK_MS = 250;
/** A running worker starts within a moment. */
const BEGINS_MS = 10_000;

interface Shown {
  readonly tenant: Tenant;
  readonly clock: ClockRow;
  readonly now: number;
}

/**
 * Reads a clock.
 * @throws CommandFailure if there is no such business, or it has no clock of its own
 */
async function look(db: Database, id: number): Promise<Shown> {
  const { name } = await requireProvider(db, id);
  return db.looking(id, async (tx) => {
    const clock = await readClock(tx, id);
    if (!clock)
      throw new CommandFailure(
        `${name} is not a test business: its time is the real time. Remedy: create one with "rollcall provider create --test".`,
      );
    const tenant = (await findTenant(tx, id))!;
    return { tenant, clock, now: businessTime(tenant, commandTime()) };
  });
}

const sayTime = ({ tenant, now, clock }: Shown): void => {
  say(formatInstant(now, tenant.zone));
  const { advances_from: from, advances_to: to, failure } = clock;
  if (from !== null && to !== null)
    say(
      `Advancing to ${formatInstant(to, tenant.zone)}: ${Math.min(Math.floor((100 * (now - from)) / (to - from)), 99)}%`,
    );
  if (failure !== null) say(failure);
};

export const showClock: Command = {
  name: 'clock show',
  summary: 'Print what time it is at a test business',
  positionals: ['BUSINESS'],
  async run(given) {
    const id = wholeId(given.positionals[0], 'BUSINESS');
    sayTime(await withDatabase((db) => look(db, id)));
    return 0;
  },
};

export const advanceClockCommand: Command = {
  name: 'clock advance',
  summary: 'Advance the clock of a test business, and wait until everything due is done',
  details:
    'The service must be running: its worker does what is due until then, in order. If the command is interrupted, the advance goes on.',
  positionals: ['BUSINESS'],
  options: {
    by: { type: 'string', value: 'LENGTH', description: 'how far, in ISO 8601, for example P1M, P2W or PT36H' },
    to: { type: 'string', value: 'TIME', description: 'to which moment, for example 2027-03-01T09:00:00Z' },
  },
  async run(given) {
    const id = wholeId(given.positionals[0], 'BUSINESS');
    const asked = wanted(textOption(given, 'by'), textOption(given, 'to'));
    return withDatabase(async (db) => {
      await begin(db, id, asked);
      return wait(db, id);
    });
  },
};

function wanted(by: string | undefined, to: string | undefined): { by?: string; to?: number } {
  if ((by === undefined) === (to === undefined)) throw new UsageError('Give either --by or --to.');
  if (to === undefined) return { by };
  const moment = parseInstant(to, 'UTC');
  if (moment === null) throw new UsageError(`--to must be a moment, for example 2027-03-01T09:00:00Z, not "${to}".`);
  return { to: moment };
}

async function begin(db: Database, id: number, asked: { by?: string; to?: number }): Promise<void> {
  await look(db, id);
  const declared = registry();
  await db.transaction(id, async (tx) => {
    const tenant = (await findTenant(tx, id))!;
    const now = businessTime(tenant, commandTime());
    const viewer = ownViewer(id, 'operator');
    const work = new Work({ tx, registry: declared, tenant, viewer, now, requestId: 'command' });
    await advanceClock(work, asked).catch((error: unknown) => {
      if (error instanceof Problem) throw new CommandFailure(wordsOf(error));
      throw error;
    });
    await endWork(work, declared, 'rollcall clock advance');
  });
}

const wordsOf = (problem: Problem): string => Object.values(problem.fields).flat()[0] ?? problem.message;

/** Prints the progress until the clock has arrived. */
async function wait(db: Database, id: number): Promise<number> {
  const started = performance.now();
  let reported = -1;
  let [first, moved]: [number | null, boolean] = [null, false];
  for (;;) {
    const shown = await look(db, id);
    const { ahead_ms: ahead, advances_from: from, advances_to: to, failure } = shown.clock;
    if (from === null || to === null) {
      sayTime(shown);
      return failure === null ? 0 : 1;
    }
    first ??= ahead;
    moved ||= ahead > first;
    if (!moved && performance.now() - started > BEGINS_MS)
      throw new CommandFailure(
        'Nothing advances the clock. Remedy: start the service ("rollcall start"); its worker continues from here.',
      );
    const percent = Math.min(Math.floor((100 * (shown.now - from)) / (to - from)), 99);
    if (percent >= reported + 10) {
      reported = percent - (percent % 10);
      say(`${formatInstant(shown.now, shown.tenant.zone)} (${percent}%)`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
