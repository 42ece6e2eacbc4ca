/** Flags for staff at the door: how the customer pays, whether they are new, and their labels. */
import { amountOf } from '../../../words/times.ts';
import { AnswerFlags } from '../../../person/answer-flags.tsx';
import { words } from '../words.ts';
import type { Person } from '../read.ts';

export function Flags({ person }: { readonly person: Person }) {
  const { customer_membership: membership, customer, charge, is_first_visit: first } = person;
  const pays = membership !== null && membership.status !== 'active' ? `membership.${membership.status}` : null;
  return (
    <span className="flags small">
      <span className="soft">{membership?.name ?? words.say('no_membership')}</span>
      {pays === null ? null : <span className="tag wrong">{words.say(pays as 'membership.hold')}</span>}
      {charge?.status === 'open' ? (
        <span className="tag wrong">
          {charge.amount ? words.say('owes', { amount: amountOf(charge.amount) }) : words.say('owes.something')}
        </span>
      ) : null}
      {customer?.registration_block ? <span className="tag wrong">{words.say('blocked')}</span> : null}
      <AnswerFlags flags={customer?.check_in_flags ?? []} />
      {person.requirements.length > 0 ? (
        <span className="tag wrong">
          {words.say('incomplete', { titles: person.requirements.map(({ title }) => title).join(', ') })}
        </span>
      ) : null}
      {first ? <span className="tag good">{words.say('first_visit')}</span> : null}
      {(customer?.labels ?? []).map(({ name }) => (
        <span key={name} className="tag">
          {name}
        </span>
      ))}
    </span>
  );
}
