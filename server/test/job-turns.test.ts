/** The order in which the jobs of several businesses run. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { invitationMail } from '../areas/people/identity/index.ts';
import { accountMail, enqueueMail } from '../areas/people/identity/mail/account-mail.ts';
import { anotherServer, beside, until } from './storm.ts';
import { startWorld, type World } from './world.ts';

let world: World;
before(async () => {
  world = await startWorld({ own: true });
});
after(() => world.close());

/** Too many to finish in time if each waited for the next poll of a worker. */
const INVITATIONS = 250;

/** Not the first: one worker may run several short jobs while the others are about to poll. */
const SOON = INVITATIONS / 5;

// Guards against: One business uses up what all of them share
test('many invitations of one business delay neither the jobs of another nor anybody’s password reset', async () => {
  const owner = await beside(world.databaseUrl);
  const enqueue = (provider: number, jobs: Parameters<typeof invitationMail>[0][]) =>
    world.work(provider, async (work) => {
      for (const job of jobs) work.enqueue(invitationMail(job));
    });
  const queued = async () =>
    Number((await owner.query('SELECT coalesce(max(id), 0) AS id FROM graphile_worker._private_jobs')).rows[0].id);
  const before = await queued();
  // None of these people exist, so each job has nothing to do: the test is about the order.
  await enqueue(
    world.harbour,
    Array.from({ length: INVITATIONS }, (_, i) => ({ customer: 900_000 + i })),
  );
  await enqueue(world.meadow, [{ customer: 900_000 }]);
  const meadows = await queued();
  await world.work(world.harbour, (work) =>
    enqueueMail(
      work.tx,
      accountMail({ kind: 'reset_password', email: 'nobody@example.com' }, { providerId: world.harbour }),
    ),
  );
  const reset = await queued();
  const worker = await anotherServer(world, { ROLE: 'worker' });
  // The worker also runs the jobs of the setup, and its own daily jobs.
  const done = async () => {
    const { rows } = await owner.query<{ id: number }>(
      `SELECT split_part(job_key, ':', 2)::int AS id FROM job_effect WHERE job_key ~ ':[0-9]+$' ORDER BY done_at`,
    );
    return rows.filter(({ id }) => id > before && id <= reset);
  };
  try {
    await until('all have run', async () => (await done()).length === INVITATIONS + 2);
  } finally {
    await worker.close();
  }
  const rows = await done();
  const place = (id: number) => rows.findIndex((row) => row.id === id);
  assert.ok(place(reset) < SOON, `the new password came as number ${place(reset)}`);
  assert.ok(place(meadows) < SOON, `the other business came as number ${place(meadows)}`);
  await owner.end();
});
