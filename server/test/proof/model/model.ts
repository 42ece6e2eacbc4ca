/**
 * Specifications of small objects as state machines. Nothing in this folder imports anything from outside of it: a
 * model is written from the documents, and a mistake in the service can't be repeated by sharing its code.
 */

/** One right answer to a step, and the state after it. */
export interface Outcome<State> {
  readonly answer: string;
  readonly state: State;
}

export interface Model<State, Step> {
  /**
   * Returns every right answer to a step in a state. There is more than one only if the documents leave it open, such
   * as which of two reasons a refusal names.
   */
  readonly after: (state: State, step: Step) => readonly Outcome<State>[];
}

/** Returns the only right answer, which changes nothing. */
export const refused = <State>(state: State, ...answers: readonly string[]): readonly Outcome<State>[] =>
  answers.map((answer) => ({ answer, state }));
