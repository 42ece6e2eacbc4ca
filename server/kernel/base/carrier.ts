/**
 * The port for sending messages to an external server, one at a time on each of a few lines. It does more than "send":
 * the last byte, without which the other side cannot accept the message, is written only when the caller allows it.
 */
export type Outcome =
  | { readonly outcome: 'taken'; /** the carrier's id of the message */ readonly reference: string | null }
  /** `address`: the recipient does not exist, according to the server */
  | {
      readonly outcome: 'refused';
      readonly permanent: boolean;
      readonly address: boolean;
      readonly code: string | null;
      readonly said: string;
    }
  /** certainly not accepted: the last byte was never sent */
  | { readonly outcome: 'not_reached'; readonly said: string }
  /** the connection ended between the last byte and the response */
  | { readonly outcome: 'unanswered'; readonly said: string }
  /** the caller refused */
  | { readonly outcome: 'withdrawn' };

/** The caller's control over the last byte. */
export interface LastByte {
  /** called when everything else has been written; the last byte is written only if it resolves to true */
  readonly mayEnd: () => Promise<boolean>;
  /** called right before it is written: nothing happens between this and the write to the system */
  readonly ending: () => void;
}

export interface Carrier<Letter> {
  /** maximum number of messages in transit */
  readonly lines: number;
  /** Hands one message over. Rejects only for a bug in the program or if `mayEnd` rejects. */
  hand(letter: Letter, last: LastByte): Promise<Outcome>;
  close(): Promise<void>;
}

/** Returns one line without any personal address or secret, for the `error` of a message. */
export const said = (error: unknown): string =>
  String((error as Error)?.message ?? error)
    .replaceAll(/[^\s@<>]+@[^\s@<>]+/g, '…')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, 300);
