/** The scene of memberships that are paid by the month: callers hold and cancel them, and between that, days pass. */
import { addDays } from '../../kernel/base/values/date.ts';
import { inWords, type Scene } from './scene.ts';
import { listHolds, PLANS, report, type Plans, type PlanStep } from './model/plans.ts';
import { newCustomers } from '../schedule-world.ts';
import { passDays } from './business-day.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { wallAt } from '../../kernel/base/values/zone.ts';

const MEMBERS = 2;
const PRICE = 3000;
const DAY_MS = 86_400_000;

const REFUSED: Readonly<Record<string, string>> = {
  customer_membership: 'over',
  start_date: 'not then',
  end_date: 'too long',
  already_cancelled: 'over',
  already_ended: 'over',
};

const numberOf = (date: string): number => Date.parse(date) / DAY_MS;

export const PLAN_SCENE: Scene<Plans, PlanStep> = {
  name: 'plans',
  model: PLANS,
  // The first day is the current one of the business, which is known once the scene is prepared.
  start: () => ({ price: PRICE, began: 0, today: 0, members: [] }),
  step(dice) {
    const [member, roll] = [dice.below(MEMBERS), dice.below(100)];
    if (roll < 45) {
      const days = dice.below(5) === 0 ? null : 1 + dice.below(dice.of([8, 45]));
      return { do: 'hold', member, label: dice.below(1_000_000), after: dice.of([0, 0, dice.below(40)]), days };
    }
    if (roll < 70) return { do: 'end', member };
    if (roll < 78) return { do: 'cancel', member };
    return { do: 'look', member };
  },
  between: (dice) => ({ do: 'pass', days: dice.of([1, 1 + dice.below(12), 20 + dice.below(16)]) }),
  async prepare(stage) {
    const { world } = stage;
    const first = wallAt(world.now, 'America/Toronto').date;
    const began = numberOf(first);
    const dateOf = (day: number): string => addDays(first, day);
    let today = 0;
    const { membership } = await stage.plan(PRICE);
    const owned: number[] = [];
    for (const customer of await newCustomers(world, MEMBERS))
      owned.push((await stage.m.give(customer, membership, { bill_first_period: true })).id);
    await passDays(stage, 0);
    /** Holds that were made, the newest last. */
    const made = owned.map((): { label: number; id: number }[] => []);
    const money = async (id: number): Promise<string> => {
      const { bills, back, charged } = (await world.work(world.harbour, ({ tx, providerId }) =>
        tx.one<{ bills: string[]; back: number; charged: number }>(sql`
          SELECT (SELECT coalesce(array_agg(l.period_start::text ORDER BY l.period_start), '{}')
              FROM invoice_line l WHERE l.provider_id = ${providerId} AND l.billed_object = 'customermembership'
                AND l.billed_id = ${id}) AS bills,
            coalesce(sum(e.amount_minor) FILTER (WHERE e.kind = 'credit'), 0)::int AS back,
            coalesce(sum(e.amount_minor) FILTER (WHERE e.kind = 'charge'), 0)::int AS charged
          FROM account_entry e WHERE e.provider_id = ${providerId} AND e.customer_membership_id = ${id}
            AND e.voided_at IS NULL AND e.reverses_id IS NULL AND NOT EXISTS (SELECT FROM account_entry r
              WHERE r.provider_id = e.provider_id AND r.reverses_id = e.id)`),
      ))!;
      return report(began, bills.map(numberOf), back, charged);
    };
    const act = async (step: PlanStep, caller: number): Promise<string | null> => {
      const ask = (method: string, path: string, body?: object) => stage.ask(caller, method, path, body);
      switch (step.do) {
        case 'hold': {
          const answer = await ask('POST', '/customer_membership_holds', {
            customer_membership: owned[step.member],
            start_date: dateOf(today + step.after),
            end_date: step.days === null ? null : dateOf(today + step.after + step.days - 1),
          });
          if (answer.status < 300) made[step.member].push({ label: step.label, id: answer.body.id });
          return inWords(answer, 'held', REFUSED);
        }
        case 'end': {
          const hold = made[step.member].at(-1);
          if (!hold) return null;
          const answer = await ask('POST', `/customer_membership_holds/${hold.id}/end`, {});
          if (answer.status === 404) return 'gone';
          return inWords(answer, `${hold.label} ended`, {
            already_ended: `${hold.label} has ended`,
            non_field_errors: `${hold.label} has ended`,
          });
        }
        case 'cancel': {
          const answer = await ask('POST', `/customer_memberships/${owned[step.member]}/cancel`, {});
          return inWords(answer, `until ${numberOf(answer.body.expiration_date) - began}`, REFUSED);
        }
        case 'look': {
          const { body } = await ask('GET', `/customer_membership_holds?customer_membership=${owned[step.member]}`);
          const days = (date: string | null) => (date === null ? null : numberOf(date));
          return listHolds(
            began,
            body.results.map((one: any) => ({ from: days(one.start_date)!, to: days(one.end_date) })),
          );
        }
        case 'pass': {
          await passDays(stage, step.days);
          today += step.days;
          const reports: string[] = [];
          for (const id of owned) reports.push(await money(id));
          return reports.join('; ');
        }
      }
    };
    const members = owned.map(() => ({ holds: [], lastDay: null, billed: [began] }));
    return Object.assign(act, {
      start: { price: PRICE, began, today: began, members },
      // The next histories don't have to bill them.
      async ended(): Promise<readonly string[]> {
        for (const id of owned)
          await stage.ask(0, 'POST', `/customer_memberships/${id}/cancel`, { cancellation_reason: 'mistake' });
        return [];
      },
    });
  },
};
