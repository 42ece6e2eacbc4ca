/** Forms that a customer still has to answer. */

/** A form that applies to an event, with the newest submission of the customer. */
export interface FormFacts {
  readonly id: number;
  readonly title: string;
  readonly version: number;
  /** true if a change of its questions asks everybody again */
  readonly stale: boolean;
  /** null: never answered */
  readonly answered: {
    readonly version: number;
    /** time from which it is asked again, in epoch milliseconds; null: never */
    readonly until: number | null;
  } | null;
}

const isAnswered = ({ version, stale, answered }: FormFacts, now: number): boolean =>
  answered !== null && (answered.until === null || now < answered.until) && (!stale || answered.version === version);

/** Returns the forms that are missing now. */
export const missingForms = (forms: readonly FormFacts[], now: number): FormFacts[] =>
  forms.filter((form) => !isAnswered(form, now));
