/** Names in a schedule that no instructor has, with a way to the staff. */
import { Link } from '@tanstack/react-router';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { Import } from './import.ts';

export function MissingInstructors({ of }: { readonly of: Import }) {
  const { id: business } = useBusiness();
  if (of.missing_instructors.length === 0) return null;
  const isDone = of.status === 'complete';
  return (
    <section aria-labelledby="missing-instructors">
      <h2 id="missing-instructors">{words.say('instructors')}</h2>
      <p className="soft">{words.say(isDone ? 'instructors.done' : 'instructors.hint')}</p>
      <ul className="rows">
        {of.missing_instructors.map(({ name, row_count: n }) => (
          <li key={name}>
            <strong className="what">{name}</strong>
            <span className="end">{words.say('rows', { n })}</span>
          </li>
        ))}
      </ul>
      <p>
        <Link to={`/${business}/settings/staff` as string}>{words.say('instructors.staff')}</Link>
      </p>
    </section>
  );
}
