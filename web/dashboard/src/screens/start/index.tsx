/**
 * The set-up of a new business as a list of steps, each with its state and the way to it; and how a test business goes
 * live or is deleted.
 */
import './start.css';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ApplyTemplate } from './template.tsx';
import { Discard } from './discard.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NewMembership } from '../../memberships/new.tsx';
import { NewColleague, NewOffering, NewVenue } from './forms.tsx';
import { OPTIONAL, progressOf, STEPS, type Step } from '../../set-up/steps.ts';
import { Share } from './share.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { useCounts } from '../../set-up/done.ts';
import { useGoLive } from './go-live.ts';
import { useMarks } from '../../set-up/marks.ts';
import { HomePage } from '../../ui/page.tsx';
import { words } from './words.ts';
import { words as ofMemberships } from '../../memberships/words.ts';
import check from 'icon:circle-check';
import open from 'icon:circle';

export const ready = Promise.all([words.ready, ofMemberships.ready]).then(() => {});

/** The forms that open on this screen. */
type Asking = 'template' | 'venue' | 'offering' | 'membership' | 'club' | 'staff' | 'share' | 'discard';

/** The steps that are done on another screen, with its address. */
const ELSEWHERE = {
  event: 'calendar?do=new',
  payments: 'settings/payments?open=processors:new',
  look: 'settings/branding',
  import: 'imports',
} as const satisfies Readonly<Partial<Record<Step, string>>>;

/** The screens with what the steps created. */
const RESULTS: Readonly<Partial<Record<Step, string>>> = {
  venue: 'calendar?view=day',
  offering: 'calendar',
  event: 'calendar',
  staff: 'settings/staff',
};

const isElsewhere = (step: Step): step is keyof typeof ELSEWHERE => step in ELSEWHERE;

export function Screen() {
  const business = useBusiness();
  const { id, slug } = business;
  const [marks, mark] = useMarks(id);
  const counts = useCounts(id, marks);
  const goLive = useGoLive();
  const [asking, setAsking] = useState<Asking | null>(null);
  const site = useCall('GET /providers/{id}', { params: { id }, fields: ['booking_site.domain'] });
  const close = (): void => setAsking(null);
  const domain = site.data?.booking_site.domain;
  const address = domain ? `https://${domain}` : `${location.origin}/${slug}`;
  const progress = progressOf(counts);
  // Without a booking site there is nothing to look at and to share.
  const steps = STEPS.filter((step) => slug !== null || (step !== 'site' && step !== 'share'));
  const isDone = (step: Step): boolean => (counts[step] ?? 0) > 0;
  // One primary action: the next step.
  const kindOf = (step: Step): 'button' | 'second' => (step === progress?.next ? 'button' : 'second');
  const asks = (what: Asking, step: Step, isSecond = false): ReactNode => (
    <button
      type="button"
      className={isSecond || kindOf(step) === 'second' ? 'second' : undefined}
      onClick={() => setAsking(what)}
    >
      {words.say(`do.${what}` as 'do.venue')}
    </button>
  );
  const resultOf = (step: Step): ReactNode => {
    if (step === 'membership')
      return slug === null ? null : <a href={`/${slug}/memberships`}>{words.say('result.membership')}</a>;
    const result = RESULTS[step];
    return (
      result && (
        <Link to={`/${id}/${result}` as string}>
          {words.say(step === 'staff' ? 'result.staff' : 'result.calendar')}
        </Link>
      )
    );
  };
  const wayTo = (step: Step): ReactNode => {
    if (isElsewhere(step))
      return (
        <Link className={kindOf(step)} to={`/${id}/${ELSEWHERE[step]}` as string}>
          {words.say(`do.${step}`)}
        </Link>
      );
    if (step === 'site')
      return (
        <a className={kindOf(step)} href={`/${slug}`} onClick={() => mark('site')}>
          {words.say('do.site')}
        </a>
      );
    return (
      <>
        {asks(step, step)}
        {step === 'membership' ? asks('club', step, true) : null}
      </>
    );
  };
  return (
    <HomePage
      title={words.say('title', { business: business.name })}
      about={<p className="soft">{words.say('lead')}</p>}
    >
      {counts.offering === 0 || counts.membership === 0 ? (
        <section className="card" aria-labelledby="template">
          <h2 id="template">{words.say('template')}</h2>
          <p>{words.say('template.what')}</p>
          <button type="button" className="second" onClick={() => setAsking('template')}>
            {words.say('template.do')}
          </button>
        </section>
      ) : null}
      {progress ? (
        <p className="progress">
          <progress value={progress.done} max={progress.all} aria-label={words.say('progress.name')} />{' '}
          {words.say(progress.next === null ? 'progress.whole' : 'progress', {
            done: progress.done,
            all: progress.all,
          })}
        </p>
      ) : null}
      <ol className="rows start">
        {steps.map((step) => (
          <li key={step}>
            <span className={isDone(step) ? 'mark good' : 'mark'}>
              <Icon of={isDone(step) ? check : open} large />
              <span className="unseen">{words.say(isDone(step) ? 'done' : 'open')}</span>
            </span>
            <span className="what">
              <strong>{words.say(`step.${step}`)}</strong>{' '}
              {OPTIONAL.has(step) ? <span className="tag">{words.say('optional')}</span> : null}
              <br />
              <span className="soft small">
                {isDone(step) ? words.say(`has.${step}`, { n: counts[step] ?? 0 }) : words.say(`why.${step}`)}
              </span>
            </span>
            <span className="ways">
              {isDone(step) ? resultOf(step) : null}
              {wayTo(step)}
            </span>
          </li>
        ))}
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
      {marks.has('home') ? null : (
        <p className="small">
          <Link to={`/${id}/today` as string} onClick={() => mark('home')}>
            {words.say('home')}
          </Link>
        </p>
      )}
      {asking === 'template' ? <ApplyTemplate onClose={close} /> : null}
      {asking === 'venue' ? <NewVenue onClose={close} /> : null}
      {asking === 'offering' ? <NewOffering onClose={close} /> : null}
      {asking === 'membership' ? <NewMembership kind="pack" onClose={close} /> : null}
      {asking === 'club' ? <NewMembership kind="club" onClose={close} /> : null}
      {asking === 'staff' ? <NewColleague onClose={close} /> : null}
      {asking === 'share' && slug !== null ? (
        <Share address={address} slug={slug} onCopied={() => mark('share')} onClose={close} />
      ) : null}
      {asking === 'discard' ? <Discard onClose={close} /> : null}
    </HomePage>
  );
}
