/**
 * The interface of payment processors. Each kind is a folder that exports one `Processor`, listed in processors.ts.
 * Every function is called while no transaction is open, may be called again after a crash, and may be called by two
 * processes at the same time: the number of calls never changes what the customer pays.
 */
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Outbound } from '../../../kernel/base/http-out/outbound.ts';
import type { PaymentEvidence, RefundState, DisputeState } from './rules/states.ts';

/** Numbers of the kinds on the wire. They are stored, so they never change. */
export const TYPES = { offline: 1, sandbox: 2, stripe: 3 } as const;
export type ProcessorName = keyof typeof TYPES;

export type MethodType = 'mandate' | 'credit_card' | 'payfast' | 'paypal' | 'bank_account';

/** A payment method that the processor saves for the customer. */
export interface SavedMethod {
  readonly type: MethodType;
  /** id of the method at the processor */
  readonly token: string;
  /** id of the customer at the processor, if it must be sent together with the token */
  readonly ownerToken?: string | null;
  /** readable brand, for example `Visa` */
  readonly brand?: string | null;
  /** name of the person or the company that it belongs to */
  readonly holder?: string | null;
  readonly lastFour?: string | null;
  readonly expirationMonth?: number | null;
  readonly expirationYear?: number | null;
  readonly bankName?: string | null;
  /** of the account at the processor, for methods that are identified by an email address */
  readonly email?: string | null;
}

/** The outcome of a payment, as far as the processor knows it now. */
export interface Outcome {
  readonly state: PaymentEvidence;
  /** id of the payment at the processor, as soon as it has one; it may become known later, but never changes */
  readonly external: string | null;
  /** address at which the customer continues, for `action_required` */
  readonly url?: string;
  /** reason of the failure: a sentence for the customer that says what to do */
  readonly why?: string;
  /** method to save, if the customer agreed */
  readonly method?: SavedMethod;
}

export interface RefundOutcome {
  readonly state: RefundState;
  readonly external: string | null;
  /** reason of the failure: a sentence for staff */
  readonly why?: string;
}

export interface DisputeOutcome {
  readonly external: string;
  readonly state: DisputeState;
  /** amount that the processor has withdrawn, in minor units */
  readonly amount: number;
  /** reason given by the customer's bank, for staff */
  readonly reason: string;
  /** deadline for the business to respond to the bank, in epoch milliseconds */
  readonly answerBy?: number | null;
}

/** The processor that is called, and the account of the business there. */
export interface ProcessorContext {
  readonly provider: number;
  /** id of the `payment_processor` */
  readonly processor: number;
  /** plain settings and opened secrets, by name; includes all that are `required` */
  readonly settings: Readonly<Record<string, string>>;
  /** current time, in epoch milliseconds */
  readonly now: number;
  /** address of the service, without a trailing slash */
  readonly baseUrl: string;
  /** the only client for requests to the processor, because the business chooses their address */
  readonly outbound: Outbound;
  /** time limit of the caller for the whole response; absent if it waits as long as the processor needs */
  readonly withinMs?: number;
  /** for the sandbox, which keeps its own records in the same database */
  readonly db: Database;
}

export interface PaymentRequest {
  readonly id: number;
  /** idempotency key `payment-<id>`; also write it into the metadata, by which `look` finds a lost payment */
  readonly key: string;
  readonly provider: number;
  /** minor units, more than 0 */
  readonly amount: number;
  /** ISO 4217, upper case */
  readonly currency: string;
  readonly description: string;
  readonly customer: { readonly id: number; readonly email: string | null; readonly name: string };
  readonly external: string | null;
  /** token of a saved method, which is charged without asking the customer if their bank allows it */
  readonly methodToken: string | null;
  /** id of the customer at the processor, from any of their saved methods */
  readonly ownerToken: string | null;
  /** true if the customer wants the method to be saved */
  readonly saveMethod: boolean;
  /** address to which the customer returns after paying or giving up */
  readonly returnTo: string;
  readonly cancelTo: string;
  /** outcome that the sandbox plays */
  readonly scenario: string | null;
}

/** A payment method that a customer saves without a payment. `key`: `setup-<id>`. */
export type SetupRequest = Pick<
  PaymentRequest,
  'id' | 'key' | 'provider' | 'currency' | 'customer' | 'external' | 'ownerToken' | 'returnTo' | 'cancelTo' | 'scenario'
>;

export interface RefundRequest {
  readonly id: number;
  /** idempotency key `refund-<id>`; also write it into the metadata */
  readonly key: string;
  readonly provider: number;
  readonly amount: number;
  readonly currency: string;
  readonly external: string | null;
  readonly payment: { readonly id: number; readonly key: string; readonly external: string; readonly amount: number };
}

/** A message as it arrived, not yet verified. */
export interface RawMessage {
  readonly body: Buffer;
  /** names in lower case */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The object of a message: by its key (`payment-<id>`) if the message has it, else by the processor's id. */
export type About = { readonly key: string } | { readonly external: string };

/** The content of a message. Messages arrive late, twice, in any order, or never: only the current state counts. */
export type News =
  | { readonly about: About; readonly payment: Outcome }
  | { readonly about: { /** `setup-<id>` */ readonly key: string }; readonly setup: Outcome }
  | { readonly about: About; readonly refund: RefundOutcome & { /** `refund-<id>` */ readonly key: string | null } }
  | { readonly about: About; readonly dispute: DisputeOutcome };

export interface Message {
  /** id of the message at the processor; a second message with the same id is ignored */
  readonly id: string;
  /** type of the message, for people who read the log of messages */
  readonly type: string;
  /** empty if nothing in the message matters here */
  readonly news: readonly News[];
}

/** A setting of the processor for one business. */
export interface Setting {
  readonly name: string;
  readonly description: string;
  /** true if it is sealed and never shown again */
  readonly secret: boolean;
  readonly required: boolean;
  readonly pattern: RegExp;
  /** expected format in words: "Must start with sk_." */
  readonly hint: string;
  /** generates the value for a new processor, unless one is sent */
  readonly make?: () => string;
}

/** The result of a connection test. */
export interface Connection {
  readonly works: boolean;
  /** for staff: why it doesn't work, and what to do */
  readonly why: string | null;
  /** name of the account at the processor */
  readonly account: string | null;
  /** true if no money moves */
  readonly isTest: boolean;
  readonly takesPayments: boolean;
  /** what customers can pay with; `isSaved`: it can be saved, for direct debits with a mandate */
  readonly methods: readonly { readonly key: string; readonly name: string; readonly isSaved: boolean }[];
}

interface Kind {
  readonly name: ProcessorName;
  readonly type: (typeof TYPES)[ProcessorName];
  /** sentence for the reference */
  readonly description: string;
  readonly settings: readonly Setting[];
  /** it never moves money, so test businesses may use it */
  readonly forTests?: true;
}

/**
 * A processor for money that has already been received: cash, a card terminal, a bank transfer. Decided in the
 * transaction that records it.
 */
export interface ImmediateProcessor extends Kind {
  readonly immediate: true;
}

/**
 * A remote service. A function throws only if the outcome is unknown, for example because there was no response; it is
 * called again later. A definite no is an outcome, and so is a key that does not work (`failed`).
 */
export interface RemoteProcessor extends Kind {
  readonly immediate: false;
  /** true if customers can save their payment method for the next time */
  readonly savesMethods: boolean;
  /** Begins the payment. Idempotent by `key`: a second call returns the outcome of the first. */
  begin(c: ProcessorContext, p: PaymentRequest): Promise<Outcome>;
  /**
   * Asks for the outcome. Without `external`, finds the payment by `key`; null if it is unknown and can no longer
   * appear. Called at the earliest a minute after `begin`.
   */
  look(c: ProcessorContext, p: PaymentRequest): Promise<Outcome | null>;
  /** Cancels an unpaid payment, so that nobody can pay it later; `succeeded` if it is too late. */
  cancel(c: ProcessorContext, p: PaymentRequest): Promise<Outcome>;
  /**
   * Refunds an amount. Idempotent by `key`. If there was no response, it may be called again for days: find the refund
   * by its key first.
   */
  refund(c: ProcessorContext, r: RefundRequest): Promise<RefundOutcome>;
  /** Asks for the outcome of a refund that has an `external`. */
  lookRefund(c: ProcessorContext, r: RefundRequest): Promise<RefundOutcome>;
  /**
   * Begins to save a method without a payment; an outcome that succeeded has the method. Idempotent by `key`, like
   * `begin`.
   */
  beginSetup(c: ProcessorContext, s: SetupRequest): Promise<Outcome>;
  /** Asks for the outcome of a setup that has an `external`. */
  lookAtSetup(c: ProcessorContext, s: SetupRequest): Promise<Outcome>;
  /** Deletes a saved method. No error if it was already deleted. */
  forget(c: ProcessorContext, method: { readonly token: string; readonly ownerToken: string | null }): Promise<void>;
  /** Tests the connection for people who set it up. Changes nothing, and never throws. */
  check(c: ProcessorContext): Promise<Connection>;
  /** Reads a message; null if it is not genuine. May ask the processor for what the message leaves out. */
  verify(c: ProcessorContext, raw: RawMessage): Promise<Message | null>;
}

export type Processor = ImmediateProcessor | RemoteProcessor;
