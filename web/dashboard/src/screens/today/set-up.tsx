/** The progress of the set-up, until everything is done or somebody hides it. */
import { Link } from '@tanstack/react-router';
import { progressOf } from '../../set-up/steps.ts';
import { useBusiness } from '../../app/business.ts';
import { useCounts } from '../../set-up/done.ts';
import { useMarks } from '../../set-up/marks.ts';
import { words } from './words.ts';

export function SetUp() {
  const { id } = useBusiness();
  const [marks, mark] = useMarks(id);
  const isHidden = marks.has('hidden');
  const progress = progressOf(useCounts(id, marks, !isHidden));
  if (isHidden || !progress || progress.next === null) return null;
  const { done, all } = progress;
  return (
    <section className="card set-up" aria-labelledby="set-up">
      <h2 id="set-up">{words.say('set_up', { done, all })}</h2>
      <progress value={done} max={all} aria-labelledby="set-up" />
      <Link className="button" to={`/${id}/start` as string}>
        {words.say('set_up.next')}
      </Link>
      <button type="button" className="second" onClick={() => mark('hidden')}>
        {words.say('set_up.hide')}
      </button>
    </section>
  );
}
