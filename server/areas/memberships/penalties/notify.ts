/**
 * Messages about infractions and penalties, in the words of the business. Each is enqueued in the transaction of its
 * cause.
 */
import { count, lastStrike } from './rules/sequences.ts';
import { spokenDateIn } from '../../../kernel/base/languages/spoken.ts';
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import type { Due } from './settle.ts';
import { MEMBERSHIP_PENALTY } from './notification-type.ts';
import { readersOf } from '../../people/customers/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Account, KnownStrike, RuleOf } from './facts.ts';
import type { NoticeValues } from '../../../kernel/work/unit/notices.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Trigger = 'non_penalized_infraction' | 'penalty';

interface Template {
  readonly id: number;
  readonly subject: string;
  readonly body: string;
  readonly system: number;
  readonly trigger_type: Trigger;
}

interface About {
  readonly trigger: Trigger;
  readonly strike: KnownStrike;
  readonly rule: RuleOf;
  /** number of infractions that count together, including this one */
  readonly counted: number;
  readonly due: Due | null;
  /** row that stores the ids of the messages */
  readonly kept: { readonly table: 'membership_strike' | 'membership_penalty'; readonly id: number };
}

/**
 * Sends messages: for each new penalty; and for each new infraction that does not complete one, once for each system.
 */
export async function notifyInfractions(
  work: Work,
  account: Account,
  recorded: readonly KnownStrike[],
  made: ReadonlyMap<number, Due>,
): Promise<void> {
  const penalties = [...made].map(([id, due]): About => ({
    trigger: 'penalty',
    strike: lastStrike(due) as KnownStrike,
    rule: due.rule,
    counted: due.strikes.length,
    due,
    kept: { table: 'membership_penalty', id },
  }));
  const mine = new Set(account.strikes.map(({ id }) => id));
  const costly = new Set(penalties.map(({ strike }) => strike.attendance));
  const free = new Map<string, About>();
  for (const strike of recorded) {
    const key = `${strike.system}:${strike.attendance}`;
    if (!mine.has(strike.id) || costly.has(strike.attendance) || free.has(key)) continue;
    const rule = account.rules.get(strike.rule)!;
    const counted = count(
      rule,
      account.strikes.filter((other) => other.rule === strike.rule),
    ).position.get(strike.id)!;
    free.set(key, {
      trigger: 'non_penalized_infraction',
      strike,
      rule,
      counted,
      due: null,
      kept: { table: 'membership_strike', id: strike.id },
    });
  }
  for (const about of [...penalties, ...free.values()]) await send(work, account.customerMembership, about);
}

async function send(work: Work, customerMembership: number, about: About): Promise<void> {
  const { tx, providerId } = work;
  const templates = await tx.rows<Template>(sql`SELECT m.* FROM membership_penalty_message m
      JOIN membership_penalty_message_system x ON x.provider_id = m.provider_id
        AND x.membership_penalty_message_id = m.id
    WHERE m.provider_id = ${providerId} AND x.membership_penalty_system_id = ${about.rule.system}
      AND m.trigger_type = ${about.trigger} ORDER BY m.id`);
  if (templates.length === 0) return;
  const { holder, values } = await valuesOf(work, customerMembership, about);
  const customers =
    about.trigger === 'penalty' ? await alsoWhoPays(work, about.strike.customer, holder) : [about.strike.customer];
  const { times } = (await tx.one<{ times: number }>(
    sql`SELECT times FROM membership_strike WHERE provider_id = ${providerId} AND id = ${about.strike.id}`,
  ))!;
  const key = about.trigger === 'penalty' ? `penalty:${about.kept.id}` : `strike:${about.strike.id}.${times}`;
  const messages = await work.registry.notifier.notify(
    work,
    templates.flatMap(({ id, subject, body }) =>
      customers.map((customer) => ({
        type: { ...MEMBERSHIP_PENALTY, subject, body },
        customer,
        values,
        key: `${key}:${id}`,
      })),
    ),
  );
  const table = { membership_strike: sql`membership_strike`, membership_penalty: sql`membership_penalty` }[
    about.kept.table
  ];
  await tx.run(
    sql`UPDATE ${table} SET message_ids = message_ids || ${messages}::bigint[]
      WHERE provider_id = ${providerId} AND id = ${about.kept.id}`,
  );
}

/**
 * Adds the holder of the membership, who also pays for others who may use it, unless they already receive the message.
 */
async function alsoWhoPays(work: Work, customer: number, holder: number): Promise<number[]> {
  const readers = (await readersOf(work, [customer])).get(customer) ?? [];
  return readers.includes(holder) ? [customer] : [customer, holder];
}

async function valuesOf(
  work: Work,
  customerMembership: number,
  { strike, rule, counted, due }: About,
): Promise<{ holder: number; values: (reader: Reader) => NoticeValues }> {
  const facts = (await work.tx.one<{
    holder: number;
    membership: string;
    first_name: string | null;
    last_name: string | null;
  }>(sql`
    SELECT cm.customer_id AS holder, m.name AS membership, c.first_name, c.last_name FROM customer_membership cm
    JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
    JOIN customer c ON c.provider_id = cm.provider_id AND c.id = ${strike.customer}
    WHERE cm.provider_id = ${work.providerId} AND cm.id = ${customerMembership}`))!;
  const values = (reader: Reader): NoticeValues => ({
    'participant.first_name': facts.first_name,
    'participant.name': [facts.first_name, facts.last_name].filter(Boolean).join(' '),
    'membership.name': facts.membership,
    'event.name': strike.eventName,
    'event.date': spokenDateIn(reader, strike.on),
    'infraction.type': storedTexts(work, { reader }).say(`infraction.${strike.type}`),
    'infractions.count': String(counted),
    'infractions.free': String(rule.maxInfractions),
    'infractions.left': String(Math.max(0, rule.maxInfractions - counted)),
    'infractions.days': String(rule.days),
    'penalty.amount': storedTexts(work, { reader }).amount(rule.price),
    'penalty.due_date': due && spokenDateIn(reader, due.dueOn),
  });
  return { holder: facts.holder, values };
}
