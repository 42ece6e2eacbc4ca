import { clientOf } from '../../app/client.ts';
import { useBusiness } from '../../app/business.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

export interface Someone {
  readonly id: number;
  readonly label: string;
}

/** Adds a customer to the waitlist of a series after a preview; resolves to true if they are on it afterwards. */
export function useWait(series: number): (someone: Someone) => Promise<boolean> {
  const { id: business } = useBusiness();
  const propose = usePropose();
  return async ({ id: customer, label: name }) => {
    const { made } = await propose({
      title: words.say('wait.of', { name }),
      confirm: words.say('wait'),
      done: words.say('wait.done', { name }),
      call: () =>
        clientOf(business).call('POST /course_date_series/{id}/join_waitlist', {
          params: { id: series },
          body: { customer },
        }),
    });
    return made;
  };
}
