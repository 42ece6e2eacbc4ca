/** Decides who signs a waiver, and whether a signature still counts. */
import { ageOn } from '../../../../kernel/base/values/date.ts';

export type Signer = 'customer' | 'guardian';

/** A waiver that applies to a customer, with their newest signature that counts for its text. */
export interface WaiverFacts {
  readonly id: number;
  readonly title: string;
  readonly ifUnsigned: string;
  /** age below which a guardian signs; null: children sign themselves */
  readonly guardianUnder: number | null;
  /** date of birth; null: unknown */
  readonly born: string | null;
  readonly signed: {
    /** time from which it no longer counts, in epoch milliseconds; null: never */
    readonly until: number | null;
  } | null;
}

/** Returns the person who signs. Somebody of unknown age counts as an adult. */
export const signerOf = ({ guardianUnder, born }: Pick<WaiverFacts, 'guardianUnder' | 'born'>, today: string): Signer =>
  guardianUnder !== null && born !== null && ageOn(born, today) < guardianUnder ? 'guardian' : 'customer';

/** Returns the waivers that are unsigned now. */
export const unsigned = <W extends Pick<WaiverFacts, 'signed'>>(waivers: readonly W[], now: number): W[] =>
  waivers.filter(({ signed }) => signed === null || (signed.until !== null && signed.until <= now));
