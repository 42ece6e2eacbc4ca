/** What customers are told without asking. Each notice can have words of the business, and can be read before it is sent. */
import { Listed } from '../../ui/listed.tsx';
import { Notice } from './notice.tsx';
import { useAddress } from '../../app/address.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

const MOST = 100;

export function Notices() {
  const [address, change] = useAddress();
  const list = usePages('GET /communication/notification_types', { query: { page_size: MOST } });
  return (
    <>
      <p>{words.say('notices.about')}</p>
      <Listed list={list} none={words.say('notices.none')}>
        {(all) => {
          const opened = all.find(({ type }) => type === address.notice);
          if (opened) return <Notice key={opened.type} notice={opened} onClose={() => change({ notice: undefined })} />;
          return (
            <ul className="rows" aria-label={words.say('tab.notices')}>
              {all.map(({ type, description, email_enabled, sms_enabled, customised }) => (
                <li key={type}>
                  <button
                    type="button"
                    className="plain"
                    lang="en"
                    onClick={() => change({ notice: type }, { push: true })}
                  >
                    {description}
                  </button>
                  <span className="end tags">
                    {customised ? <span className="tag">{words.say('notice.customised')}</span> : null}
                    {email_enabled ? <span className="tag good">{words.say('channel.email')}</span> : null}
                    {sms_enabled ? <span className="tag good">{words.say('channel.sms')}</span> : null}
                    {!email_enabled && !sms_enabled ? (
                      <span className="tag wrong">{words.say('notice.off')}</span>
                    ) : null}
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Listed>
    </>
  );
}
