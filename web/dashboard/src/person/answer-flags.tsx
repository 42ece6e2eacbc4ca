/** Answers that staff have to know at the door. */
import { answerText } from './answer-text.ts';
import { useBusiness } from '../app/business.ts';
import type { Card } from './read.ts';

export function AnswerFlags({ flags }: { readonly flags: Card['check_in_flags'] }) {
  const { timezone } = useBusiness();
  return flags.map(({ field, label, type, value }) => (
    <span key={field} className="tag wrong">
      {label}: {answerText(type, value, timezone)}
    </span>
  ));
}
