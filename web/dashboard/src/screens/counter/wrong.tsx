/** The reason why something can't be sold or refunded, with a link to the remedy. */
import { Link } from '@tanstack/react-router';
import type { Problem } from 'rollcall-sdk';
import { Failed } from '../../ui/states.tsx';
import { problemOf } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

export interface WrongProps {
  readonly error?: unknown;
  readonly problem?: Problem;
  readonly again?: () => void;
}

export function Wrong({ error, problem = problemOf(error) ?? undefined, again }: WrongProps) {
  if (!problem) return <Failed error={error} {...(again && { again })} />;
  const said = Object.values(problem.field_errors).flat();
  return (
    <div className="notice wrong" role="alert">
      <p>{said.length > 0 ? said.join(' ') : problem.message}</p>
      {problem.code === 'cash_session_required' ? <OpenDrawer /> : null}
    </div>
  );
}

/** Cash can only be taken or paid out while a session of its drawer is open. */
export function OpenDrawer() {
  const { id } = useBusiness();
  return (
    <p>
      <Link to={`/${id}/counter` as string} search={{ tab: 'drawers' } as never}>
        {words.say('drawer.go')}
      </Link>
    </p>
  );
}
