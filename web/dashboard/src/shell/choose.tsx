/** The choice of a business for people who work at several, and the page for people who work at none. */
import { Link } from '@tanstack/react-router';
import { useWorkplaces } from '../app/workplaces.ts';
import { words } from './words.ts';

export function Choose() {
  const all = useWorkplaces();
  return (
    <main className="alone">
      <h1>{words.say(all.length === 0 ? 'nowhere' : 'choose')}</h1>
      {all.length === 0 ? (
        <>
          <p>{words.say('nowhere.next')}</p>
          <p>
            <a className="button" href="/">
              {words.say('nowhere.site')}
            </a>
          </p>
        </>
      ) : null}
      <ul className="choices">
        {all.map(({ id, name, isTest }) => (
          <li key={id}>
            <Link to={`/${id}` as string}>
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
