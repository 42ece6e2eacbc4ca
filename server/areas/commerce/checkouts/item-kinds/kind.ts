/**
 * One kind of item: a small declaration in one place. It says which properties a caller sends, which rules apply, what
 * is reserved, how the price is made up, and what the customer gets.
 */
import type { CodeItem } from '../../discount-codes/index.ts';
import type { CheckoutRow, ItemColumns, ItemRow } from '../rows.ts';
import type { Issues } from '../../../../kernel/base/problem.ts';
import type { ItemType } from './types.ts';
import type { LineType } from '../../../money/ledger/index.ts';
import type { Price, PurchaseType } from '../../../pricing/fees/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** The properties of a body by which an item names the object that is bought. */
export const NAMED = {
  membership: 'membership_id',
  plan: 'payment_plan_id',
  upgrade_from_customer_membership: 'customer_membership_id',
  downgrade_from_customer_membership: 'customer_membership_id',
  joining_fee: 'joining_fee_id',
  event: 'event_id',
  course_date_series: 'course_date_series_id',
  course_date: 'event_id',
  customer_membership: 'customer_membership_id',
  customer_membership_checkout_item: 'customer_membership_item_id',
  account_entry: 'account_entry_id',
  store_product_variant: 'store_product_variant_id',
  store_order_item: 'store_order_item_id',
} as const satisfies Record<string, keyof ItemColumns & `${string}_id`>;
export type Named = keyof typeof NAMED;

/** The properties of a body that describe an item without naming an object. */
export const SAID = [
  'description',
  'unit_price',
  'purchase_type',
  'venue',
  'recipient',
  'recipient_email',
  'recipient_name',
  'message',
  'deliver_on_date',
  'appointment_slot',
  'room_rental_slot',
  'image',
  'place',
] as const;
export type Said = (typeof SAID)[number];
export type SentValues = { readonly [Name in Said]?: string | number | null };

/** An item that a caller wants to add; nothing is stored yet. */
export interface Wanted extends ItemColumns {
  readonly customer_id: number;
  /** absent means one */
  readonly quantity?: number;
}

/** The checkout that an item is in or will be in, for the item's rules. */
export interface Around {
  readonly checkout: CheckoutRow;
  /** items already in the checkout */
  readonly items: readonly ItemRow[];
}

/** The parts of an item's price. Amounts are minor units. */
export interface PriceFacts {
  /** description of the item on the invoice */
  readonly description: string;
  readonly unitPrice: number;
  /** for a recurring plan: price of each further billing period */
  readonly recurringPrice: number | null;
  /** facts that determine fees and taxes; null if it has none */
  readonly taxed: { readonly type: PurchaseType; /** id */ readonly venue: number | null } | null;
  /** facts that determine discounts; null if none applies */
  readonly discounted: {
    readonly type: 'event' | 'course' | 'membership' | 'joining_fee' | 'store';
    readonly objects: CodeItem['objects'];
  } | null;
  /** remaining value of the membership that this one replaces */
  readonly credit: number;
}

/** The object that the customer got, as the invoice names it. */
export interface Got {
  readonly object: string;
  readonly id: number;
  readonly name: string;
  /** an account entry that the line collects */
  readonly entry?: number;
  /** type of the line, if only this says so */
  readonly line?: LineType;
  /** price of the line, if an entry that it collects has its own fees and taxes */
  readonly price?: Price;
  /** credits that the invoice deducts: the remaining value of another membership */
  readonly credits?: readonly {
    readonly entry: number;
    /** below 0 */
    readonly price: Price;
    readonly description: string;
    /** customer whose account it is on */
    readonly customer: number;
  }[];
}

/** An item that is being bought. */
export interface Buying {
  readonly checkout: CheckoutRow;
  readonly item: ItemRow;
  /** all items bought together, including this one */
  readonly items: readonly ItemRow[];
  /** amount paid for it before fees and taxes, in minor units */
  readonly paid: number;
  /** the part of `credit_minor` that fits into the total */
  readonly creditUsed: number;
  /** results of the items before it, by item id */
  readonly got: ReadonlyMap<number, Got>;
}

/**
 * Reservations for items while their checkout is open, so that nobody else buys them. Items of several kinds can share
 * one: each function gets all of its items in a checkout. They are called through `held.ts`.
 */
export interface Held {
  /** locks what is or will be reserved, in the order of ids, before anything is read to decide on it */
  lock(work: Work, items: readonly Wanted[]): Promise<void>;
  /** locks what is needed to give items to customers as well; the same as `lock` if it is left out */
  lockToTake?(work: Work, items: readonly ItemRow[]): Promise<void>;
  /**
   * reserves for items that have no reservation yet; refuses items that are no longer available. `until`: epoch
   * milliseconds
   */
  hold(work: Work, items: readonly ItemRow[], until: number): Promise<void>;
  /** extends reservations, and returns the ids of items that have lost theirs */
  extend(work: Work, items: readonly ItemRow[], how: Extend): Promise<readonly number[]>;
  /** releases reservations; skips items without one */
  release(work: Work, items: readonly ItemRow[]): Promise<void>;
}

export interface Extend {
  /** epoch milliseconds */
  readonly until: number;
  /** true if a payment is running, so that nobody else can take it; absent: unchanged */
  readonly paying?: boolean;
}

export interface ItemKind {
  readonly type: ItemType;
  /** text for the reference */
  readonly description: string;
  readonly needs: readonly Named[];
  readonly takes?: readonly Named[];
  /** properties that name no object, and how they are read into columns; reports errors to `issues` */
  readonly says?: {
    readonly properties: readonly Said[];
    /** those that are optional */
    readonly optional?: readonly Said[];
    readonly read: (work: Work, sent: SentValues, issues: Issues) => Partial<ItemColumns>;
  };
  /** true if it can be sold to a person without a name: nothing about it belongs to a person */
  readonly forWalkIns?: true;
  /** text that says where it comes from, for items that come and go with others and that nobody adds or removes */
  readonly automatic?: string;
  /** true if customers can't add it themselves */
  readonly byStaffAlone?: true;
  /** true if the quantity can be more than one */
  readonly several?: true;
  /** why staff can't set another price, and what to do instead */
  readonly fixed?: string;
  /** its kind of reservation while the checkout is open */
  readonly holds?: Held;
  /** position in the order of purchase: items that others need come first */
  readonly rank: number;
  /** true if its result depends on no other item: these are all given at the same time, after the others */
  readonly independent?: true;
  /**
   * true if only trying shows whether it can be bought: it is tried and rolled back when it is added, and again before
   * payment.
   */
  readonly checkedByTrial?: true;
  /** type of its line on an invoice */
  readonly line: () => LineType;
  /** fills in values that follow from the request; refuses contradictions */
  resolve?<W extends Wanted>(work: Work, wanted: W): Promise<W>;
  /** creates the object to reserve, once everything else that the checkout holds is locked */
  take?<W extends Wanted>(work: Work, wanted: W): Promise<W>;
  /** refuses items that can't be bought, and checks everything else about them */
  check(work: Work, wanted: Wanted, around: Around): Promise<void>;
  /** returns the price facts of several items of this kind, by item id; refuses items that can no longer be bought */
  facts(work: Work, items: readonly ItemRow[], around: Around): Promise<ReadonlyMap<number, PriceFacts>>;
  /** returns another item that comes and goes with it */
  brings?(work: Work, item: ItemRow): Promise<(Wanted & { readonly type: ItemType }) | null>;
  /** handles the start of a payment for items of this kind: their checkout becomes `pending` */
  paying?(work: Work, items: readonly ItemRow[]): Promise<void>;
  /** handles the end of that payment without a purchase: the checkout reopens or ends */
  reopened?(work: Work, items: readonly ItemRow[]): Promise<void>;
  /** gives the customer what they bought */
  fulfil(work: Work, buying: Buying): Promise<Got>;
  /**
   * handles a checkout that is completely fulfilled and invoiced. `got`: ids of the objects that the customer got for
   * items of this kind
   */
  billed?(work: Work, got: readonly number[], invoice: number): Promise<void>;
}

/** Columns of an item that names nothing. */
export const NOTHING: ItemColumns = {
  membership_id: null,
  payment_plan_id: null,
  joining_fee_id: null,
  event_id: null,
  slot: null,
  place: null,
  course_date_series_id: null,
  customer_membership_id: null,
  customer_membership_item_id: null,
  account_entry_id: null,
  store_product_variant_id: null,
  store_order_item_id: null,
  quick_name: null,
  quick_amount_minor: null,
  quick_purchase_type: null,
  quick_venue_id: null,
  gift_recipient_id: null,
  gift_email: null,
  gift_name: null,
  gift_deliver_on: null,
  gift_amount_minor: null,
  gift_image_id: null,
  gift_message: null,
};

/** Reads the facts of each item, one after the other: for kinds that appear only a few times in a checkout. */
export async function factsOfEach(
  items: readonly ItemRow[],
  factsOf: (item: ItemRow) => Promise<PriceFacts>,
): Promise<Map<number, PriceFacts>> {
  const found = new Map<number, PriceFacts>();
  for (const item of items) found.set(item.id, await factsOf(item));
  return found;
}

export interface NewItem extends Partial<Wanted> {
  readonly item_type: ItemType;
  readonly customer_id: number;
}
