/**
 * The set-up of a new business in five steps, each with a visible result; and how a test business goes live or is
 * deleted.
 */
import './start.css';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Discard } from './discard.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NewMembership } from '../../memberships/new.tsx';
import { NewColleague, NewOffering, NewVenue } from './forms.tsx';
import { useBusiness } from '../../app/business.ts';
import { useDone, type Step } from './done.ts';
import { useGoLive } from './go-live.ts';
import { words } from './words.ts';
import { words as ofMemberships } from '../../memberships/words.ts';
import check from 'icon:circle-check';
import open from 'icon:circle';

export const ready = Promise.all([words.ready, ofMemberships.ready]).then(() => {});

/** The screen with the result of each step. */
const RESULTS: Readonly<Record<Step, string>> = {
  venue: 'calendar?view=day',
  offering: 'calendar',
  event: 'calendar',
  membership: '',
  staff: '',
};

const STEPS = Object.keys(RESULTS) as Step[];

export function Screen() {
  const business = useBusiness();
  const done = useDone();
  const goLive = useGoLive();
  const [asking, setAsking] = useState<Step | 'club' | 'discard' | null>(null);
  const close = (): void => setAsking(null);
  const page = business.slug === null ? null : `/${business.slug}/memberships`;
  const ways: Readonly<Partial<Record<Step, ReactNode>>> = {
    membership: page && <a href={page}>{words.say('result.membership')}</a>,
  };
  return (
    <>
      <h1>{words.say('title', { business: business.name })}</h1>
      <p className="soft">{words.say('lead')}</p>
      <ol className="rows start">
        {STEPS.map((step) => {
          const count = done[step];
          const isDone = count !== undefined && count > 0;
          return (
            <li key={step}>
              <span className={isDone ? 'mark good' : 'mark'}>
                <Icon of={isDone ? check : open} large />
                <span className="unseen">{words.say(isDone ? 'done' : 'open')}</span>
              </span>
              <span className="what">
                <strong>{words.say(`step.${step}`)}</strong>
                <br />
                <span className="soft small">
                  {isDone ? words.say(`has.${step}`, { n: count }) : words.say(`why.${step}`)}
                </span>
              </span>
              <span className="end">
                {isDone
                  ? (ways[step] ??
                    (RESULTS[step] === '' ? null : (
                      <Link to={`/${business.id}/${RESULTS[step]}` as string}>{words.say('result.calendar')}</Link>
                    )))
                  : null}
              </span>
              {step === 'event' ? (
                <Link className={isDone ? 'second' : 'button'} to={`/${business.id}/calendar?do=new` as string}>
                  {words.say('do.event')}
                </Link>
              ) : (
                <button type="button" className={isDone ? 'second' : undefined} onClick={() => setAsking(step)}>
                  {words.say(`do.${step}`)}
                </button>
              )}
              {step === 'membership' ? (
                <button type="button" className="second" onClick={() => setAsking('club')}>
                  {words.say('do.club')}
                </button>
              ) : null}
            </li>
          );
        })}
      </ol>
      {business.isTest ? (
        <section className="card" aria-labelledby="test">
          <h2 id="test">{words.say('test')}</h2>
          <p>{words.say('test.what')}</p>
          <div className="actions">
            <button type="button" onClick={goLive}>
              {words.say('live.do')}
            </button>
            <button type="button" className="second" onClick={() => setAsking('discard')}>
              {words.say('discard.do')}
            </button>
          </div>
        </section>
      ) : null}
      {asking === 'venue' ? <NewVenue onClose={close} /> : null}
      {asking === 'offering' ? <NewOffering onClose={close} /> : null}
      {asking === 'membership' ? <NewMembership kind="pack" onClose={close} /> : null}
      {asking === 'club' ? <NewMembership kind="club" onClose={close} /> : null}
      {asking === 'staff' ? <NewColleague onClose={close} /> : null}
      {asking === 'discard' ? <Discard onClose={close} /> : null}
    </>
  );
}
