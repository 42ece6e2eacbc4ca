/** All payers combined, for the schedule: their facts, the choice of the payer or a refusal, and the debits. */
import { join, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { keepingCustomers } from '../../../people/customers/index.ts';
import { invalid, type Problem, type ProblemKind } from '../../../../kernel/base/problem.ts';
import { unique } from '../../../../kernel/base/fields/unique.ts';
import type { Charge, Choice, Debit, DropInPrice, GivenBack, Objection, Payer } from './payer.ts';
import type { PaymentFacts } from '../rules/booking.ts';
import type { Text } from '../../../../kernel/base/values/words.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Facts of each payer about a customer for an event, in the order of the payers. */
export type Knowledge = readonly unknown[];

/** The input of the choice: the facts about the customer, and the price of the event. */
export interface Due {
  readonly known: Knowledge;
  readonly price: DropInPrice | null;
}

/** The subject that the caller wants to pay with. */
export interface Named {
  readonly payer: Payer;
  readonly id: number;
}

interface Paying {
  /** null: the first that can pay */
  readonly named: Named | null;
  /** true if there is nothing to pay */
  readonly comped: boolean;
  /** true if the booking is already paid and another subject should pay for it instead */
  readonly anew?: boolean;
  /** true if staff book: if payment is required and no payer can pay, the price is charged to the account */
  readonly onAccount?: boolean;
}

export const ANY: Paying = { named: null, comped: false };

/** The payment of one booking; `payer` is null if no payment is required, or if `refusal` says why no payer can pay. */
export interface Payment extends PaymentFacts {
  readonly payer: Payer | null;
  /** choice of the payer */
  readonly choice: Choice | null;
  /** true if no payer pays and the customer owes the price */
  readonly owed: boolean;
  readonly known: Knowledge;
}

/** Subjects used by bookings that are decided but not written yet. */
export type Taken = Map<Payer, Map<number, number>>;

/** A payment at one event for a booking that has been made. */
interface Paid extends Omit<Debit, 'known' | 'choice'> {
  readonly payment: Payment;
}

/** The explanation that `explain` gives staff for a rule that would refuse a customer. */
const ON_ACCOUNT: Text = 'Nothing pays for it yet. The price is charged to the account.';

const NOTHING_TAKEN: ReadonlyMap<number, number> = new Map();

export class Payers {
  readonly all: readonly Payer[];
  /** their refusals, by code */
  readonly kinds: Readonly<Record<string, ProblemKind>>;
  /** codes of refusals that end once the customer pays */
  readonly #payable: ReadonlySet<string>;
  /** codes of refusals that don't apply to staff, who charge the price to the account instead */
  readonly #owed: ReadonlySet<string>;

  /** Combines the payers. @throws Error if two have the same name, or a refusal with the same code */
  constructor(all: readonly Payer[]) {
    this.all = all;
    unique(
      'subject of a payer',
      all.map((p) => [p.subject, p]),
    );
    const refusals = all.flatMap((p) => p.refusals.map(({ kind }) => [kind.code, kind] as const));
    this.kinds = Object.fromEntries(unique('refusal of a payer', refusals));
    this.#payable = new Set(all.flatMap((p) => p.refusals.flatMap(({ kind, payable }) => (payable ? kind.code : []))));
    this.#owed = new Set(all.flatMap((p) => p.refusals.flatMap(({ kind, owed }) => (owed ? kind.code : []))));
  }

  /** Returns the subject that a request names. @throws Problem if it names more than one */
  named(sent: Record<string, unknown>, comped = false): Named | null {
    const named = this.all.flatMap((payer) => {
      const id = (sent[payer.subject] ?? null) as number | null;
      return id === null ? [] : [{ payer, id }];
    });
    if (named.length === 0) return null;
    const [{ payer }, second] = named;
    if (comped) throw invalid(payer.subject, payer.notComped);
    if (second) throw invalid(second.payer.subject, `Name this or ${payer.subject}, not both.`);
    return named[0];
  }

  /** Returns a refusal if the customer may not use the subject, as if it did not exist. */
  refuseUnknown(known: Knowledge, named: Named | null): Problem | null {
    return named && named.payer.refuseUnknown(known[this.all.indexOf(named.payer)], named.id);
  }

  /** Returns the facts about customer `c` for an event, as columns that `known` reads. */
  columns(c: string, event: Sql): Sql[] {
    return this.all.map((p) => p.facts(c, event));
  }

  known(columns: readonly (string | null)[]): Knowledge {
    return this.all.map((p, i) => p.read(columns[i]!));
  }

  /**
   * Returns the locks in the documented order, after the row of the event: the customers by id, because a merge or a
   * deletion may be in progress; then everything that they may use, payer by payer, by id. Reads after these locks stay
   * valid. `ids`: customers, as an array of bigint.
   */
  locks(provider: unknown, ids: Sql): Sql[] {
    return [keepingCustomers(provider, ids), ...this.#locking.map((p) => p.lock!(provider, ids))];
  }

  get #locking(): readonly Payer[] {
    return this.all.filter((p) => p.lock);
  }

  async lock({ tx, providerId }: Work, ids: Sql): Promise<void> {
    await tx.all(this.locks(providerId, ids));
  }

  /** Returns true if the chosen subject was locked by `locks`: `rows` are the results of its statements. */
  holds({ payer, choice }: Payment, rows: readonly (readonly (string | null)[])[][]): boolean {
    if (!payer?.lock) return true;
    const locked = rows[1 + this.#locking.indexOf(payer)];
    return locked.some(([id]) => Number(id) === choice!.chosen);
  }

  /**
   * Chooses the payer: the requested one, else the first that can pay. If none can, returns the first refusal that a
   * payment would resolve, else the first objection; without objections, the booking is free.
   */
  choose({ known, price }: Due, { named, comped, anew = false, onAccount = false }: Paying, taken?: Taken): Payment {
    const paid = !anew && this.all.some((p, i) => p.paid(known[i]));
    const choices = this.all.map((payer, i) =>
      payer.choose(known[i], {
        wanted: named?.payer === payer ? named.id : null,
        settled: comped || paid || (named !== null && named.payer !== payer),
        price,
        taken: taken?.get(payer) ?? NOTHING_TAKEN,
      }),
    );
    const first = choices.findIndex((c) => c.chosen !== null);
    const objections = choices.flatMap(({ refusal }) => refusal ?? []);
    const reserved = comped ? null : this.#reserved(known, first);
    const pays = reserved ? -1 : first;
    const refusal =
      pays >= 0 ? null : (reserved ?? objections.find((o) => this.#payable.has(o.code)) ?? objections[0] ?? null);
    const owed = onAccount && refusal !== null && this.#owed.has(refusal.code) ? refusal.code : null;
    return {
      known,
      payer: this.all[pays] ?? null,
      choice: choices[pays] ?? null,
      owed: owed !== null,
      refusal: owed === null ? refusal : null,
      rules: this.all.flatMap((p, i) =>
        p.refusals.map(({ kind: { code }, passed, payable = false }) => ({
          code,
          payable,
          ...(code === owed
            ? { passed: ON_ACCOUNT, facts: { ...choices[i].facts, charged_to_account: true } }
            : { passed, facts: choices[i].facts }),
        })),
      ),
    };
  }

  /** Returns the objection of the payer that the booking is reserved for: no other may pay. */
  #reserved(known: Knowledge, first: number): Objection | null {
    for (const [i, payer] of this.all.entries()) {
      const objection = i === first ? null : (payer.reserves?.(known[i]) ?? null);
      if (objection) return objection;
    }
    return null;
  }

  /**
   * Returns the price with fees and taxes, for messages. They are read only here, so that they don't slow down bookings
   * that are free or paid by a subject.
   */
  async quote(work: Work, price: DropInPrice | null): Promise<DropInPrice | null> {
    const teller = this.all.find((p) => p.total);
    return price && teller ? { ...price, total: await teller.total!(work, price) } : price;
  }

  /** Returns the statements that debit subjects for bookings, in the order of payers. */
  debit(all: readonly Paid[]): Sql[] {
    return this.all.flatMap((payer, i) => {
      const mine = all.filter(({ payment }) => payment.payer === payer);
      return mine.length === 0
        ? []
        : payer.debit(
            mine.map(({ payment: { known, choice }, ...of }) => ({ ...of, known: known[i], choice: choice! })),
          );
    });
  }

  /** Debits the subject for one booking that was already written. */
  async debitNow(work: Work, paid: Omit<Paid, 'work'>): Promise<void> {
    const statements = this.debit([{ work, ...paid }]);
    if (statements.length > 0) await work.tx.all(statements);
  }

  /** Charges the prices of bookings that were written to the customers' accounts. */
  async charge(all: readonly Charge[]): Promise<void> {
    if (all.length > 0) await this.all.find((p) => p.charge)!.charge!(all);
  }

  /**
   * Credits the debits of bookings, selected by `which` over attendances with the alias `a`. All payers share one round
   * trip, and their feed items are in the order of payers, regardless of which finishes first.
   */
  async credit(work: Work, which: Sql, reason: GivenBack): Promise<void> {
    const works = this.all.map(() => work.beside());
    await Promise.all(this.all.map((payer, i) => payer.credit(works[i], which, reason)));
    for (const each of works) work.take(each);
  }

  /**
   * Returns a SELECT of `attendance`, `payer` and `subject`: the credits of that instant for the cancellation of the
   * event.
   */
  gaveBack(provider: unknown, event: number, at: string | null): Sql {
    const found = this.all.map(
      (p) =>
        sql`SELECT g.attendance, ${p.subject}::text AS payer, g.subject FROM (${p.gaveBack(provider, event, at)}) g`,
    );
    return found.length > 0
      ? join(found, ' UNION ALL ')
      : raw('SELECT NULL::bigint AS attendance, NULL::text AS payer, NULL::bigint AS subject WHERE false');
  }

  /** Returns a SELECT of `id` and `membership`: everything that a customer may use on a day. */
  usable(customer: unknown, on: Sql): Sql {
    const found = this.all.flatMap(({ belonging }) => (belonging ? [belonging.usable(customer, on)] : []));
    return found.length > 0
      ? join(found, ' UNION ALL ')
      : raw('SELECT NULL::bigint AS id, NULL::bigint AS membership WHERE false');
  }

  /** Returns true if something other than the price of a booking has paid for it, for example a membership. */
  isCovered(known: Knowledge): boolean {
    return this.all.some((p, i) => !p.charge && p.paid(known[i]));
  }

  memberships(known: Knowledge): number[] {
    return this.all.flatMap(({ belonging }, i) => (belonging ? belonging.memberships(known[i]) : []));
  }

  /** Returns true if members-only events are visible to the customer. */
  showsToMember(known: Knowledge): boolean {
    return this.all.some(({ belonging }, i) => belonging?.shows(known[i]));
  }
}

/** Records a payment as used, for later choices. */
export function take(taken: Taken, { payer, choice }: Payment): void {
  if (!payer) return;
  const mine = taken.get(payer) ?? new Map<number, number>();
  taken.set(payer, mine.set(choice!.chosen!, (mine.get(choice!.chosen!) ?? 0) + 1));
}
