import { Empty } from '../ui/states.tsx';
import { words } from './words.ts';

export function NotHere() {
  return (
    <main className="alone">
      <Empty whole title={words.say('not_here')}>
        <p>{words.say('not_here.next')}</p>
        <p>
          <a href="/dashboard">{words.say('to_start')}</a>
        </p>
      </Empty>
    </main>
  );
}
