import { clientOf } from '../../app/client.ts';
import { useBusiness } from '../../app/business.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

/** Turns a test business into a real one, after a preview of the effects. */
export function useGoLive(): () => void {
  const { id, name } = useBusiness();
  const propose = usePropose();
  return () =>
    void propose({
      title: words.say('live', { name }),
      confirm: words.say('live.do'),
      done: words.say('live.done', { name }),
      grave: true,
      about: words.say('live.about'),
      call: () => clientOf(id).call('POST /providers/{id}/go_live', { params: { id } }),
    }).then(({ made }) => {
      // The whole page has loaded it as a test business.
      if (made) location.reload();
    });
}
