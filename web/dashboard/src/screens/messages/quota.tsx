/** How many emails or text messages the month leaves for broadcasts. */
import { calendarDayOf, dateAt } from '../../words/times.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

interface QuotaProps {
  readonly quota: {
    readonly limit: number | null;
    readonly remaining: number | null;
    readonly resets_at: string | null;
  };
  /** number of messages to send */
  readonly wanted: number;
  readonly of?: 'quota' | 'quota.sms';
}

export function Quota({ quota: { remaining, resets_at }, wanted, of = 'quota' }: QuotaProps) {
  const { timezone } = useBusiness();
  if (remaining === null) return null;
  const day = resets_at === null ? '' : calendarDayOf(dateAt(resets_at, timezone));
  return (
    <p className={remaining < wanted ? 'notice wrong' : 'soft small'}>
      {words.say(remaining < wanted ? `${of}.short` : of, { n: remaining, day })}
    </p>
  );
}

/** Shows the remaining quota before a message is written. */
export function QuotaLeft() {
  const { data } = useCall('GET /communication/broadcast_messages/email_quota', {});
  return data ? <Quota quota={data} wanted={0} /> : null;
}
