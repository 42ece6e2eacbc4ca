/** The page of people who can't be let in at this address, however often they log in: what is wrong, and what to do. */
import type { ReactNode } from 'react';
import { dashboardAddress, logInHref } from '../app/session.ts';
import { isOwn } from './own.ts';
import { words } from './words.ts';

export const { ready } = words;

export function Denied({ why }: { readonly why: 'elsewhere' | 'rejected' }) {
  if (why === 'rejected')
    return (
      <Page title={words.say('rejected')} text={words.say('rejected.next')}>
        <a className="button" href={logInHref()}>
          {words.say('rejected.log_in')}
        </a>
      </Page>
    );
  const own = dashboardAddress();
  const here = location.origin;
  if (own === null) return <Page title={words.say('unknown')} text={words.say('unknown.next', { here })} />;
  if (isOwn(own, here))
    return (
      <Page title={words.say('hidden')} text={words.say('hidden.next', { here })}>
        <a className="button" href={own}>
          {words.say('hidden.again')}
        </a>
      </Page>
    );
  return (
    <Page title={words.say('elsewhere')} text={words.say('elsewhere.next', { here })}>
      <a className="button" href={own}>
        {words.say('elsewhere.open', { address: own })}
      </a>
    </Page>
  );
}

interface PageProps {
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

function Page({ title, text, children }: PageProps) {
  return (
    <main className="alone">
      <h1>{title}</h1>
      <p>{text}</p>
      {children && <p>{children}</p>}
    </main>
  );
}
