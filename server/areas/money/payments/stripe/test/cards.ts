/** Cards by their behavior, like Stripe's test cards with these last four digits. */
export interface Card {
  readonly brand: string;
  readonly lastFour: string;
  /** the `decline_code` with which the bank declines */
  readonly declines?: string;
  /** true if the bank requires authentication; it declines if the customer is not present */
  readonly asks?: boolean;
  /** initial state of a refund, which stays until the test changes it */
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
