/**
 * The port by which messages leave for a server of somebody else, one at a time on each of a few lines. What makes it
 * more than "send": the last byte, without which the other side cannot take the message, goes only when the caller says
 * so.
 */
export type Outcome =
  | { readonly outcome: 'taken'; /** what the carrier calls it */ readonly reference: string | null }
  /** `address`: it says that the recipient does not exist */
  | {
      readonly outcome: 'refused';
      readonly permanent: boolean;
      readonly address: boolean;
      readonly code: string | null;
      readonly said: string;
    }
  /** surely not taken: the last byte was never sent */
  | { readonly outcome: 'not_reached'; readonly said: string }
  /** the connection ended between the last byte and the answer */
  | { readonly outcome: 'unanswered'; readonly said: string }
  /** the caller said no */
  | { readonly outcome: 'withdrawn' };

/** What the caller says and hears of the last byte. */
export interface LastByte {
  /** asked when all the rest has been written; only when it resolves to true the last byte goes */
  readonly mayEnd: () => Promise<boolean>;
  /** called in the moment before it is written: nothing lies between this and the system's taking it */
  readonly ending: () => void;
}

export interface Carrier<Letter> {
  /** how many messages may be under way at once */
  readonly lines: number;
  /** Hands one message over. Never rejects but for a mistake of the program or when `mayEnd` does. */
  hand(letter: Letter, last: LastByte): Promise<Outcome>;
  close(): Promise<void>;
}

/** One line without anything that could be an address of a person or a secret: for `error` of a message. */
export const said = (error: unknown): string =>
  String((error as Error)?.message ?? error)
    .replaceAll(/[^\s@<>]+@[^\s@<>]+/g, '…')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, 300);
