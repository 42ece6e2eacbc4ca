/** Scenarios of the sandbox: each determines the course of a payment. Pure. */
interface Scenario {
  readonly description: string;
  /** response to the first request */
  readonly begins: 'succeeded' | 'failed' | 'action_required' | 'pending';
  readonly why?: string;
  /** the customer's bank disputes the payment as soon as it is paid */
  readonly disputed?: true;
  /** payments with the method that it saves are declined */
  readonly declinesLater?: true;
  /** course of refunds */
  readonly refunds?: 'pending' | 'failed' | 'fails_later';
  /** no messages are sent: the service has to ask */
  readonly silent?: true;
  /** responses get lost: the first never arrives, although the request was carried out */
  readonly unheard?: true;
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  success: { description: 'The payment succeeds immediately.', begins: 'succeeded' },
  declined: {
    description: 'The card is declined.',
    begins: 'failed',
    why: 'Your card was declined. Use another card, or ask your bank.',
  },
  declined_later: {
    description:
      'The payment succeeds. Later payments with the payment method that it saves are declined, like those of a card without cover.',
    begins: 'succeeded',
    declinesLater: true,
  },
  extra_step: {
    description: "The customer has to confirm the payment on the bank's page, which the sandbox shows.",
    begins: 'action_required',
  },
  late: {
    description: 'The payment stays pending until you tell the sandbox that it succeeded or failed.',
    begins: 'pending',
  },
  late_silent: {
    description: 'The same, and the sandbox sends no message about it: the service has to ask.',
    begins: 'pending',
    silent: true,
  },
  unheard: {
    description: 'The payment succeeds, but the answer is lost on the way: the service has to ask.',
    begins: 'succeeded',
    unheard: true,
    silent: true,
  },
  disputed: {
    description: "The payment succeeds, and the customer's bank takes the money back.",
    begins: 'succeeded',
    disputed: true,
  },
  refund_pending: {
    description:
      'The payment succeeds. Refunds stay pending until you tell the sandbox whether they succeeded or failed.',
    begins: 'succeeded',
    refunds: 'pending',
  },
  refund_fails: {
    description: 'The payment succeeds. Refunds fail.',
    begins: 'succeeded',
    refunds: 'failed',
  },
  refund_returns: {
    description: 'The payment succeeds. Refunds succeed, and are returned by the bank afterwards.',
    begins: 'succeeded',
    refunds: 'fails_later',
  },
};

export const scenarioOf = (name: string | null): Scenario => SCENARIOS[name ?? 'success'] ?? SCENARIOS.success;
