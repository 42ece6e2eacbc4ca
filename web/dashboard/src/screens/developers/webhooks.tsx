/** Addresses that are notified of feed items of the business. */
import { useState } from 'react';
import { Destination } from './destination.tsx';
import { DestinationForm } from './destination-form.tsx';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { Secret, type Issued } from './secret.tsx';
import { StatusTag } from './status-tag.tsx';
import { useAddress } from '../../app/address.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

export function Webhooks() {
  const [address, change] = useAddress();
  const [creating, setCreating] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);
  const list = usePages(
    'GET /webhook_destinations',
    { query: { sort: ['url'], page_size: 50 }, fields: ['id', 'url', 'description', 'status', 'feed_item_types'] },
    { enabled: address.webhook === undefined },
  );
  const id = Number(address.webhook);
  if (address.webhook !== undefined)
    return <Destination key={id} id={id} onLeave={() => change({ webhook: undefined, status: undefined })} />;
  const next: readonly NextStep[] = [
    { label: words.say('webhook.new'), needs: ['developer'], act: () => setCreating(true) },
  ];
  return (
    <>
      <p>{words.say('webhooks.about')}</p>
      <div className="tools">
        <NextSteps list={list} next={next} />
      </div>
      <Listed list={list} none={words.say('webhooks.none')} next={next}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.webhooks')}>
            {all.map((one) => (
              <li key={one.id}>
                <span className="address">
                  <button
                    type="button"
                    className="plain"
                    onClick={() => change({ webhook: String(one.id) }, { push: true })}
                  >
                    {one.url}
                  </button>{' '}
                  <span className="soft small">
                    {[one.description, words.say('webhook.types', { n: one.feed_item_types.length })]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                <StatusTag status={one.status} />
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {creating ? (
        <DestinationForm
          onClose={() => setCreating(false)}
          onMade={({ url, secret }) => {
            setCreating(false);
            if (secret !== null) setIssued({ of: url, secret });
          }}
        />
      ) : null}
      {issued ? <Secret issued={issued} onClose={() => setIssued(null)} /> : null}
    </>
  );
}
