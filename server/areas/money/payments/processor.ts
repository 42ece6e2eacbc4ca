/**
 * What takes the money. Each kind of processor is a folder that exports one `Processor`, listed in processors.ts. Every
 * function is called while no transaction is open, may be called again after a crash, and may be called by two processes
 * at the same time: what the customer pays never depends on how often.
 */
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Outbound } from '../../../kernel/base/http-out/outbound.ts';
import type { PaymentEvidence, RefundState, DisputeState } from './rules/states.ts';

/** Number of the kind on the wire. What is stored keeps it, so it never changes. */
export const TYPES = { offline: 1, sandbox: 2, stripe: 3 } as const;
export type ProcessorName = keyof typeof TYPES;

export type MethodType = 'mandate' | 'credit_card' | 'payfast' | 'paypal' | 'bank_account';

/** A way to pay that the processor keeps for the customer. */
export interface SavedMethod {
  readonly type: MethodType;
  /** what the processor knows it by */
  readonly token: string;
  /** what the processor knows the customer by, where it must be named together with the token */
  readonly ownerToken?: string | null;
  /** `Visa`, in the words of people */
  readonly brand?: string | null;
  /** name of the person or the company it belongs to */
  readonly holder?: string | null;
  readonly lastFour?: string | null;
  readonly expirationMonth?: number | null;
  readonly expirationYear?: number | null;
  readonly bankName?: string | null;
  /** of the account there, for what is paid by email address */
  readonly email?: string | null;
}

/** What became of a payment, as far as the processor knows now. */
export interface Outcome {
  readonly state: PaymentEvidence;
  /**
   * what the processor knows the payment by, as soon as there is anything; it may become known later, but never becomes
   * another
   */
  readonly external: string | null;
  /** where the customer goes on, for `action_required` */
  readonly url?: string;
  /** why it failed: a sentence for the customer, that says what to do */
  readonly why?: string;
  /** the method to keep, if the customer agreed */
  readonly method?: SavedMethod;
}

export interface RefundOutcome {
  readonly state: RefundState;
  readonly external: string | null;
  /** why it failed: a sentence for staff */
  readonly why?: string;
}

export interface DisputeOutcome {
  readonly external: string;
  readonly state: DisputeState;
  /** minor units; what the processor has withdrawn */
  readonly amount: number;
  /** what the customer's bank says, for staff */
  readonly reason: string;
  /** epoch ms; until then the business may answer the bank */
  readonly answerBy?: number | null;
}

/** Whom we speak to, and as whom. */
export interface ProcessorContext {
  readonly provider: number;
  /** id of the `payment_processor` */
  readonly processor: number;
  /** plain settings and opened secrets, by name; all that are `required` are there */
  readonly settings: Readonly<Record<string, string>>;
  /** epoch ms */
  readonly now: number;
  /** the address of the service, without a slash at its end */
  readonly baseUrl: string;
  /** the only way out for requests to the processor: a business chooses where they go */
  readonly outbound: Outbound;
  /** the caller waits no longer than this for the whole answer; absent: as long as the processor needs */
  readonly withinMs?: number;
  /** for the sandbox, which keeps its own book in the same database */
  readonly db: Database;
}

export interface PaymentRequest {
  readonly id: number;
  /** `payment-<id>`, for idempotency; write it into the metadata too, by which `look` finds a lost payment */
  readonly key: string;
  readonly provider: number;
  /** minor units, more than 0 */
  readonly amount: number;
  /** ISO 4217, upper case */
  readonly currency: string;
  readonly description: string;
  readonly customer: { readonly id: number; readonly email: string | null; readonly name: string };
  readonly external: string | null;
  /** a saved method: it is charged without asking the customer, if its bank allows */
  readonly methodToken: string | null;
  /** what the processor knows the customer by, from any of their saved methods */
  readonly ownerToken: string | null;
  /** the customer wants the method to be kept */
  readonly saveMethod: boolean;
  /** where the customer comes back to, after paying and after giving up */
  readonly returnTo: string;
  readonly cancelTo: string;
  /** which outcome the sandbox plays */
  readonly scenario: string | null;
}

export interface RefundRequest {
  readonly id: number;
  /** `refund-<id>`, for idempotency; write it into the metadata too */
  readonly key: string;
  readonly provider: number;
  readonly amount: number;
  readonly currency: string;
  readonly external: string | null;
  readonly payment: { readonly id: number; readonly key: string; readonly external: string; readonly amount: number };
}

/** A message as it arrived: nobody has looked into it yet. */
export interface RawMessage {
  readonly body: Buffer;
  /** in lower case */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Which payment: by its key (`payment-<id>`) where the message has it, else by what the processor knows it by. */
export type About = { readonly key: string } | { readonly external: string };

/** What a message says. Messages come late, twice, in any order, or never: all that counts is what is true now. */
export type News =
  | { readonly about: About; readonly payment: Outcome }
  | { readonly about: About; readonly refund: RefundOutcome & { /** `refund-<id>` */ readonly key: string | null } }
  | { readonly about: About; readonly dispute: DisputeOutcome };

export interface Message {
  /** what the processor knows the message by; a second one with the same is not applied */
  readonly id: string;
  /** its type, for people who look at what arrived */
  readonly type: string;
  /** empty: it is about nothing that matters here */
  readonly news: readonly News[];
}

/** A setting of a business with this processor. */
export interface Setting {
  readonly name: string;
  readonly description: string;
  /** sealed, and never shown again */
  readonly secret: boolean;
  readonly required: boolean;
  readonly pattern: RegExp;
  /** what the pattern wants: "Must start with sk_." */
  readonly hint: string;
  /** makes one for a new processor, unless it is sent */
  readonly make?: () => string;
}

interface Kind {
  readonly name: ProcessorName;
  readonly type: (typeof TYPES)[ProcessorName];
  /** a sentence for the reference */
  readonly description: string;
  readonly settings: readonly Setting[];
  /** it never moves money, so test businesses may use it */
  readonly forTests?: true;
}

/** The money is already there: cash, a card terminal, a bank transfer. Decided in the transaction that records it. */
export interface ImmediateProcessor extends Kind {
  readonly immediate: true;
}

/**
 * A service elsewhere. Every function throws only when it is not known what happened, for example because there was no
 * answer: it is called again later. A definite no is an outcome, and so is a key that does not work (`failed`).
 */
export interface RemoteProcessor extends Kind {
  readonly immediate: false;
  /** it keeps how somebody paid for the next time, if they want it */
  readonly savesMethods: boolean;
  /** Begins the payment. Idempotent by `key`: a second call is answered with what became of the first. */
  begin(c: ProcessorContext, p: PaymentRequest): Promise<Outcome>;
  /**
   * Asks what became of it. Without `external`, finds it by `key`; null: nothing is known of it, and by now nothing
   * will be. Called at the earliest a minute after `begin`.
   */
  look(c: ProcessorContext, p: PaymentRequest): Promise<Outcome | null>;
  /** Stops what nobody has paid yet, so that nobody can pay it later; `succeeded` if it is too late. */
  cancel(c: ProcessorContext, p: PaymentRequest): Promise<Outcome>;
  /** Idempotent by `key`. Without an earlier answer, it may be called again for days: find the refund by its key first. */
  refund(c: ProcessorContext, r: RefundRequest): Promise<RefundOutcome>;
  /** Asks what became of a refund that has an `external`. */
  lookRefund(c: ProcessorContext, r: RefundRequest): Promise<RefundOutcome>;
  /** Ends a saved method. No error if it has ended already. */
  forget(c: ProcessorContext, method: { readonly token: string; readonly ownerToken: string | null }): Promise<void>;
  /** Reads a message. Null: it is not genuine. It may ask the processor for what the message leaves out. */
  verify(c: ProcessorContext, raw: RawMessage): Promise<Message | null>;
}

export type Processor = ImmediateProcessor | RemoteProcessor;
