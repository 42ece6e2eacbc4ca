import { addEntry, voidEntries } from '../writes.ts';
import { giveCredit } from '../credit.ts';
import { iso } from '../../../../test/schedule-world.ts';
import { reasonOf } from '../reasons.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { World } from '../../../../test/world.ts';

/** Creates a charge on the account of a customer with a membership. */
export const charge = (
  world: World,
  providerId: number,
  { reason, subject }: { reason: string; subject: number },
  owned: number,
): Promise<number> =>
  world.work(providerId, async (work) => {
    const found = await work.tx.one<{ customer: number }>(
      sql`SELECT customer_id AS customer FROM customer_membership WHERE provider_id = ${providerId} AND id = ${owned}`,
    );
    return addEntry(work, {
      customer: found!.customer,
      kind: 'charge',
      amount: 500,
      reason: reasonOf(reason),
      subject,
      customerMembership: owned,
      explanation: 'What was agreed.',
      dueOn: iso(world.now).slice(0, 10),
      period: null,
    });
  });

/** Creates account credit, and the charge that reverses it. */
async function takenBack(world: World, providerId: number): Promise<void> {
  const customer = await world.newCustomer({}, providerId);
  await world.work(providerId, async (work) => {
    const gift = await giveCredit(work, { customer, amount: 500, explanation: 'A gift.' });
    await voidEntries(work, [gift], 'It was meant for somebody else.');
  });
}

/** Creates credits that give back a part of a charge and of a line of an invoice. */
async function returned(world: World, providerId: number, owned: number): Promise<void> {
  const entry = await charge(world, providerId, { reason: 'reactivation', subject: owned }, owned);
  const line = await seed(world, 'invoice_line_item', providerId);
  const credit = { kind: 'credit', amount: 1, explanation: 'On hold.', customerMembership: owned } as const;
  await world.work(providerId, async (work) => {
    const { customer } = (await work.tx.one<{ customer: number }>(
      sql`SELECT customer_id AS customer FROM customer_membership WHERE provider_id = ${providerId} AND id = ${owned}`,
    ))!;
    const of = { customer, reason: reasonOf('hold'), subject: owned, dueOn: iso(world.now).slice(0, 10), period: null };
    for (const returns of [{ entry }, { line }]) await addEntry(work, { ...credit, ...of, returns });
  });
}

export const SEEDS: Seeds = {
  account_entry: async (world, providerId) => {
    const owned = await seed(world, 'customermembership', providerId);
    await takenBack(world, providerId);
    await returned(world, providerId, await seed(world, 'customermembership', providerId));
    return charge(world, providerId, { reason: 'reactivation', subject: owned }, owned);
  },
};
