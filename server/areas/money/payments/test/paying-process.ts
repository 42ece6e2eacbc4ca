/**
 * A process that starts payments and calls the processor, several at a time, until it is killed. Arguments: the
 * business, the processor, the customer who pays.
 */
import { createApp } from '../../../../app.ts';
import { connectPayee, PaymentWorld, UNWANTED } from './payment-world.ts';
import { readConfig } from '../../../../config.ts';
import { ownContext } from '../../../../test/own-context.ts';
import { driveAll } from '../engine.ts';
import { pino } from 'pino';
import { setTimeout as pause } from 'node:timers/promises';
import { SECRET_KEY } from '../../../../test/secret-key.ts';
import { startPayment } from '../index.ts';
import { backgroundWork } from '../../../../kernel/work/unit/background-work.ts';
import type { World } from '../../../../test/world.ts';
import { clockOf } from '../../../../test/clock.ts';

const [harbour, sandbox, payer] = process.argv.slice(2).map(Number);
const config = readConfig({ HOST: '127.0.0.1', LOG_LEVEL: 'silent', SECRET_KEY, ROLE: 'server' });
const now = clockOf(process.env.DATABASE_URL!);
const app = createApp({ config, databaseUrl: process.env.DATABASE_URL!, log: pino({ level: 'silent' }), now });
connectPayee();
// The parts of a world that are needed here.
const world = { app, harbour, now: now() } as unknown as World;
Object.defineProperty(world, 'now', { get: now });
const own = ownContext(world);
const p = new PaymentWorld(world, sandbox, 0);

const SCENARIOS = ['success', 'success', 'unheard', 'declined'];
const pay = async (n: number): Promise<void> => {
  const id = await backgroundWork(own, harbour, 'test', (work) =>
    startPayment(work, {
      processor: sandbox,
      payer,
      amount: n % 3 === 0 ? UNWANTED : 1000,
      payee: { name: 'test_sale', id: payer },
      description: 'A class',
      returnTo: '',
      cancelTo: '',
      scenario: SCENARIOS[n % SCENARIOS.length],
    }),
  );
  await p.drive(id!);
};

let n = 0;
const forever = async (): Promise<never> => {
  for (;;) await pay(n++);
};
const driving = async (): Promise<never> => {
  // Polls for due payments, like an engine.
  for (;;) if (!(await driveAll(own))) await pause(50);
};
process.on('disconnect', () => process.exit(1));
await Promise.all([forever(), forever(), forever(), driving()]);
