/** A session of another series as a make-up for a missed one. */
import { clientOf } from '../../app/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Listed, None } from '../../ui/listed.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { useBusiness } from '../../app/business.ts';
import { useState } from 'react';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { bookedOf, whenOf } from './labels.ts';
import { words } from './words.ts';
import type { Run, Session } from './read.ts';

export interface MakeUpProps {
  readonly run: Run;
  readonly customer: number;
  readonly name: string;
  readonly missed: Session;
  readonly onClose: () => void;
}

export function MakeUp({ run, customer, name, missed, onClose }: MakeUpProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const timeOf = (one: Pick<Session, 'starts_at' | 'ends_at' | 'venue'>): string =>
    whenOf({ ...one, zone: one.venue?.timezone ?? run.zone });
  const offering = run.course?.offering_type?.id;
  const [now] = useState(() => new Date().toISOString());
  // Sessions of the same offering type, as all dates of this course. The interface checks until when a make-up is
  // allowed.
  const list = usePages('GET /course_sessions', {
    query: {
      ...(offering !== undefined && { offering_types: [offering] }),
      status: ['active'],
      starts_at_gte: now,
      sort: ['start'],
      page_size: 30,
    },
    fields: [
      'id',
      'name',
      'starts_at',
      'ends_at',
      'attending_count',
      'max_occupancy',
      'venue.name',
      'venue.timezone',
      'course_date_series.id',
      'course_date_series.name',
    ],
  });
  const attend = async (instead: number): Promise<void> => {
    const { made } = await propose({
      title: words.say('make_up.of', { name, when: whenOf(missed) }),
      confirm: words.say('make_up'),
      done: words.say('make_up.done', { name }),
      call: () =>
        clientOf(business).call('POST /course_sessions/{id}/make_up', {
          params: { id: missed.id },
          body: { customer, course_session: instead },
        }),
    });
    if (made) onClose();
  };
  return (
    <Dialog title={words.say('make_up.of', { name, when: whenOf(missed) })} onClose={onClose}>
      <p className="soft">{words.say('make_up.about')}</p>
      <Listed list={list} none={words.say('make_up.none')} next={[]}>
        {(all) => {
          const others = all.filter(({ course_date_series }) => course_date_series?.id !== run.id);
          if (others.length === 0) return <None text={words.say('make_up.none')} />;
          return (
            <ul className="rows">
              {others.map((one) => (
                <li key={one.id}>
                  <span>
                    {timeOf(one)}
                    <br />
                    <span className="soft small">
                      {[one.name, one.course_date_series?.name, one.venue?.name].filter(Boolean).join(' · ')}
                    </span>
                  </span>
                  <span className="end soft">{bookedOf(one)}</span>
                  <RowButton text={words.say('make_up.this')} about={timeOf(one)} onClick={() => void attend(one.id)} />
                </li>
              ))}
            </ul>
          );
        }}
      </Listed>
    </Dialog>
  );
}
