/** Cards by what they do, as the test cards of Stripe with these last four digits. */
export interface Card {
  readonly brand: string;
  readonly lastFour: string;
  /** a `decline_code`: the bank says no */
  readonly declines?: string;
  /** the bank asks the customer: `always`, or only while they are there to be asked and have not saved it */
  readonly asks?: boolean;
  /** the refund begins as this, and as long as the test says nothing else stays so */
  readonly refund?: 'pending' | 'failed';
}

export const CARDS = {
  visa: { brand: 'visa', lastFour: '4242' },
  mastercard: { brand: 'mastercard', lastFour: '4444' },
  asks: { brand: 'visa', lastFour: '3184', asks: true },
  declined: { brand: 'visa', lastFour: '0002', declines: 'generic_decline' },
  poor: { brand: 'visa', lastFour: '9995', declines: 'insufficient_funds' },
  refund_pending: { brand: 'visa', lastFour: '7726', refund: 'pending' },
  refund_fails: { brand: 'visa', lastFour: '5126', refund: 'failed' },
} as const satisfies Record<string, Card>;

export type CardName = keyof typeof CARDS;
