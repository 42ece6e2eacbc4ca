/** Effect of a message of a partner that was accepted. */
export interface Handled {
  readonly customer: number;
  readonly event: number | null;
  readonly attendance: number | null;
  /** what let a customer in, or `late` for a cancellation after its cut-off */
  readonly reason: string | null;
}
