/** Where somebody who works at several businesses says which one; and what people see who work at none. */
import { use } from 'react';
import { Link } from '@tanstack/react-router';
import { workplaces } from '../app/workplaces.ts';
import { words } from './words.ts';

export function Choose() {
  const all = use(workplaces());
  return (
    <main className="alone">
      <h1>{words.say(all.length === 0 ? 'nowhere' : 'choose')}</h1>
      {all.length === 0 ? <p>{words.say('nowhere.next')}</p> : null}
      <ul className="choices">
        {all.map(({ id, name, isTest }) => (
          <li key={id}>
            <Link to={`/${id}/today` as string}>
              {name} {isTest ? <span className="tag">{words.say('test')}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
      <p>
        <a href="/log-out">{words.say('log_out')}</a>
      </p>
    </main>
  );
}
