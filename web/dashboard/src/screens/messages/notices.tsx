/** Automatic notices to customers. Each can have texts of the business, and a preview. */
import { Listed } from '../../ui/listed.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Notice } from './notice.tsx';
import { occasionIn } from '../../notices/words.ts';
import { useAddress } from '../../app/address.ts';
import { useCall } from '../../app/calls.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

const MAX_ROWS = 100;

export function Notices() {
  const [{ notice }, change] = useAddress();
  if (notice) return <Opened key={notice} type={notice} onClose={() => change({ notice: undefined })} />;
  return <All onOpen={(type) => change({ notice: type }, { push: true })} />;
}

function All({ onOpen }: { readonly onOpen: (type: string) => void }) {
  const list = usePages('GET /communication/notification_types', { query: { page_size: MAX_ROWS } });
  return (
    <>
      <p>{words.say('notices.about')}</p>
      <Listed list={list} none={words.say('notices.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.notices')}>
            {all.map(({ type, description, email_enabled, sms_enabled, customised }) => (
              <li key={type}>
                <button type="button" className="plain" onClick={() => onOpen(type)}>
                  {occasionIn(type, description)}
                </button>
                <span className="end tags">
                  {customised ? <span className="tag">{words.say('notice.customised')}</span> : null}
                  {email_enabled ? <span className="tag good">{words.say('channel.email')}</span> : null}
                  {sms_enabled ? <span className="tag good">{words.say('channel.sms')}</span> : null}
                  {!email_enabled && !sms_enabled ? <span className="tag wrong">{words.say('notice.off')}</span> : null}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

function Opened({ type, onClose }: { readonly type: string; readonly onClose: () => void }) {
  const found = useCall('GET /communication/notification_types/{type}', { params: { type: type as never } });
  if (found.error && !found.data)
    return (
      <>
        <p>
          <button type="button" className="plain" onClick={onClose}>
            {words.say('notices.all')}
          </button>
        </p>
        <Failed error={found.error} again={() => void found.refetch()} />
      </>
    );
  return found.data ? <Notice notice={found.data} onClose={onClose} /> : <Loading />;
}
