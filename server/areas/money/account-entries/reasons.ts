/** Why accounts are charged and credited. Areas that write entries declare their reasons: `fills` of their index.ts. */
import { oneOfLater, Port } from '../../../kernel/api/port.ts';

export interface AccountReason {
  readonly name: string;
  /** a full sentence, for the interface's description */
  readonly description: string;
  /** the resource that entries with this reason are about */
  readonly subject: string;
}

export const accountReasons = new Port<AccountReason>('account reason', ({ subject }) => subject);

const inOrder = (words: readonly string[]): string[] => [...new Set(words)].toSorted();
const reasons = (): string[] => inOrder(accountReasons.items.map(({ name }) => name));
const subjects = (): string[] => inOrder(accountReasons.items.map(({ subject }) => subject));

export const reasonName = () => oneOfLater(reasons);
export const subjectName = () => oneOfLater(subjects);

/** The same, with what each reason means. */
export const explainedReason = () =>
  oneOfLater(reasons, () => accountReasons.items.map((is) => `\`${is.name}\`: ${is.description}`).join(' '));
