/** All payers as one, for the schedule: what is known, who pays or why nobody does, and what is written for it. */
import { join, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { keepingCustomers } from '../../people/customers/index.ts';
import { invalid, type Problem, type ProblemKind } from '../../../kernel/base/problem.ts';
import { unique } from '../../../kernel/base/fields/unique.ts';
import type { Charge, Choice, Debit, DropInPrice, GivenBack, Objection, Payer } from './payer.ts';
import type { PaymentFacts } from './rules/booking.ts';
import type { Text } from '../../../kernel/base/values/words.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** What each payer knows of a customer for an event, in the order of the payers. */
export type Knowledge = readonly unknown[];

/** What the choice goes by: what is known of the customer, and what the event costs. */
export interface Due {
  readonly known: Knowledge;
  readonly price: DropInPrice | null;
}

/** What the caller wants to pay with. */
export interface Named {
  readonly payer: Payer;
  readonly id: number;
}

export interface Paying {
  /** null: whatever pays first */
  readonly named: Named | null;
  /** nothing is to be paid */
  readonly comped: boolean;
  /** it is paid, and is to be paid anew */
  readonly anew?: boolean;
  /** staff book it: if it has to be paid for and nothing pays, the price is charged to the account */
  readonly onAccount?: boolean;
}

export const ANY: Paying = { named: null, comped: false };

/** Who pays for one booking; `payer` null: nobody has to, or `refusal` says why nobody can. */
export interface Payment extends PaymentFacts {
  readonly payer: Payer | null;
  /** what the payer chose */
  readonly choice: Choice | null;
  /** nothing pays, and the customer owes the price */
  readonly owed: boolean;
  readonly known: Knowledge;
}

/** What bookings that are decided and not written yet take. */
export type Taken = Map<Payer, Map<number, number>>;

/** Payments of one event, each of a booking that has been made. */
export interface Paid extends Omit<Debit, 'known' | 'choice'> {
  readonly payment: Payment;
}

/** What `explain` tells staff of a rule that would refuse a customer. */
const ON_ACCOUNT: Text = 'Nothing pays for it yet. The price is charged to the account.';

const NOTHING_TAKEN: ReadonlyMap<number, number> = new Map();

export class Payers {
  readonly all: readonly Payer[];
  /** what they refuse with, by code */
  readonly kinds: Readonly<Record<string, ProblemKind>>;
  /** codes of those that last until the customer pays */
  readonly #payable: ReadonlySet<string>;
  /** codes of those that do not refuse staff, who charge the price to the account */
  readonly #owed: ReadonlySet<string>;

  /** @throws Error if two of them are called alike, or refuse with the same code */
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

  /** What the caller names of what was sent. @throws Problem if that is more than one thing */
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

  /** One of this payer's that the customer may not use is not there. */
  refuseUnknown(known: Knowledge, named: Named | null): Problem | null {
    return named && named.payer.refuseUnknown(known[this.all.indexOf(named.payer)], named.id);
  }

  /** What is known of customer `c` for an event, as columns; `known` reads them. */
  columns(c: string, event: Sql): Sql[] {
    return this.all.map((p) => p.facts(c, event));
  }

  known(columns: readonly (string | null)[]): Knowledge {
    return this.all.map((p, i) => p.read(columns[i]!));
  }

  /**
   * The law of locks, after the row of the event: the customers by id, for a merge or a deletion may be under way; then
   * all that they may use, payer by payer, by id. What is read of it afterwards nobody changes meanwhile.
   * `ids`: customers, as an array of bigint.
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

  /** Whether what pays is among what `locks` locked: `rows` of each of its statements. */
  holds({ payer, choice }: Payment, rows: readonly (readonly (string | null)[])[][]): boolean {
    if (!payer?.lock) return true;
    const locked = rows[1 + this.#locking.indexOf(payer)];
    return locked.some(([id]) => Number(id) === choice!.chosen);
  }

  /**
   * Who pays: the one that the caller names, else the first that can. If none can, one that can be paid now says so, else
   * the first that objects says why; if none objects, it is free.
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

  /** Of what is kept for one payer nobody else can pay. */
  #reserved(known: Knowledge, first: number): Objection | null {
    for (const [i, payer] of this.all.entries()) {
      const objection = i === first ? null : (payer.reserves?.(known[i]) ?? null);
      if (objection) return objection;
    }
    return null;
  }

  /**
   * The price as it is told, with fees and taxes. They are read only then: a booking that is free, or that something
   * pays for, must not be slower for them.
   */
  async told(work: Work, price: DropInPrice | null): Promise<DropInPrice | null> {
    const teller = this.all.find((p) => p.total);
    return price && teller ? { ...price, total: await teller.total!(work, price) } : price;
  }

  /** The statements that take what pays for bookings, in the order of payers. */
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

  /** The same of one booking that was written already. */
  async debitNow(work: Work, paid: Omit<Paid, 'work'>): Promise<void> {
    const statements = this.debit([{ work, ...paid }]);
    if (statements.length > 0) await work.tx.all(statements);
  }

  /** Charges the prices of bookings that are written to the accounts of the customers. */
  async charge(all: readonly Charge[]): Promise<void> {
    if (all.length > 0) await this.all.find((p) => p.charge)!.charge!(all);
  }

  /**
   * Gives back what bookings took, `which` of the attendances under alias `a`. All are asked in the same round trip, and
   * what they record is in the order of payers, whoever is answered first.
   */
  async credit(work: Work, which: Sql, reason: GivenBack): Promise<void> {
    const works = this.all.map(() => work.beside());
    await Promise.all(this.all.map((payer, i) => payer.credit(works[i], which, reason)));
    for (const each of works) work.take(each);
  }

  /** SELECT of `attendance`, `payer` and `subject`: what gave back what it took, because the event was cancelled then. */
  gaveBack(provider: unknown, event: number, at: string | null): Sql {
    const found = this.all.map(
      (p) =>
        sql`SELECT g.attendance, ${p.subject}::text AS payer, g.subject FROM (${p.gaveBack(provider, event, at)}) g`,
    );
    return found.length > 0
      ? join(found, ' UNION ALL ')
      : raw('SELECT NULL::bigint AS attendance, NULL::text AS payer, NULL::bigint AS subject WHERE false');
  }

  /** SELECT of `id` and `membership`: what a customer may use on a day. */
  usable(customer: unknown, on: Sql): Sql {
    const found = this.all.flatMap(({ belonging }) => (belonging ? [belonging.usable(customer, on)] : []));
    return found.length > 0
      ? join(found, ' UNION ALL ')
      : raw('SELECT NULL::bigint AS id, NULL::bigint AS membership WHERE false');
  }

  memberships(known: Knowledge): number[] {
    return this.all.flatMap(({ belonging }, i) => (belonging ? belonging.memberships(known[i]) : []));
  }

  /** Whether events for members alone are shown to the customer. */
  showsToMember(known: Knowledge): boolean {
    return this.all.some(({ belonging }, i) => belonging?.shows(known[i]));
  }
}

/** Counts a payment as taken, for the choices that follow. */
export function take(taken: Taken, { payer, choice }: Payment): void {
  if (!payer) return;
  const mine = taken.get(payer) ?? new Map<number, number>();
  taken.set(payer, mine.set(choice!.chosen!, (mine.get(choice!.chosen!) ?? 0) + 1));
}
