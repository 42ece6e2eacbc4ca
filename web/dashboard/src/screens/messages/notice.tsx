/** One notice: its texts, a preview in each language, and a test message to one's own mailbox. */
import { useRef, useState } from 'react';
import type { ItemOf, Problem } from 'rollcall-sdk';
import { clientOf } from '../../app/client.ts';
import { problemOf } from '../../app/calls.ts';
import { language as own, LANGUAGES, isLanguage, type Language } from '../../words/language.ts';
import { Letter } from '../../ui/letter.tsx';
import { TemplateText } from '../../ui/template-text.tsx';
import { ui } from '../../ui/words.ts';
import { useBusiness } from '../../app/business.ts';
import { Kept } from '../../ui/kept.tsx';
import { usePreview } from '../../app/preview.ts';
import { usePropose } from '../../changes/change.tsx';
import { occasionIn } from '../../notices/words.ts';
import { words } from './words.ts';

type NoticeType = ItemOf<'GET /communication/notification_types'>;

const TEXTS = ['subject', 'body', 'sms_body'] as const;
type Texts = Readonly<Record<(typeof TEXTS)[number], string>>;

export function Notice({ notice, onClose }: { readonly notice: NoticeType; readonly onClose: () => void }) {
  const { id: business, staff } = useBusiness();
  const propose = usePropose();
  const form = useRef<HTMLFormElement>(null);
  const { type, description, template_variables: fields } = notice;
  const [texts, setTexts] = useState<Texts>({
    subject: notice.subject,
    body: notice.body,
    sms_body: notice.sms_body,
  });
  const [language, setLanguage] = useState<Language>(own);
  const [problem, setProblem] = useState<Problem | null>(null);
  const errors = (name: string) => problem?.field_errors[name] ?? [];
  // Unchanged texts are sent in the language of the reader, so the preview shows them in it too.
  const changed = Object.fromEntries(
    TEXTS.filter((name) => texts[name] !== notice[name] && texts[name] !== '').map((name) => [name, texts[name]]),
  ) as Partial<Texts>;
  const client = clientOf(business);
  const save = async (back: boolean): Promise<void> => {
    const typed = new FormData(form.current!);
    const outcome = await propose({
      title: words.say(back ? 'notice.default.title' : 'notice.save.title'),
      confirm: words.say(back ? 'notice.default' : 'save'),
      done: words.say('notice.saved'),
      call: () =>
        client.call('PATCH /communication/notification_types/{type}', {
          params: { type },
          body: back
            ? { subject: null, body: null, sms_body: null }
            : {
                email_enabled: typed.has('email_enabled'),
                sms_enabled: typed.has('sms_enabled'),
                ...Object.fromEntries(TEXTS.map((name) => [name, texts[name] || null])),
              },
        }),
    });
    if (!outcome.made) return setProblem(outcome.problem);
    const { subject, body, sms_body } = outcome.answer;
    setProblem(null);
    setTexts({ subject, body, sms_body });
  };
  const test = (): void =>
    void propose({
      title: words.say('test.title', { address: staff.email }),
      confirm: words.say('test.send'),
      done: words.say('test.sent', { address: staff.email }),
      call: () =>
        client.call('POST /communication/notification_types/{type}/send_test_email', {
          params: { type },
          body: { ...changed, language, staff: staff.id },
        }),
    }).then((outcome) => {
      if (!outcome.made) setProblem(outcome.problem);
    });
  return (
    <>
      <p>
        <button type="button" className="plain" onClick={onClose}>
          {words.say('notices.all')}
        </button>
      </p>
      <h3>{occasionIn(type, description)}</h3>
      <div className="writing">
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save(false);
          }}
        >
          <label className="box">
            <input name="email_enabled" type="checkbox" defaultChecked={notice.email_enabled} />{' '}
            {words.say('notice.by_email')}
          </label>
          <label className="box">
            <input name="sms_enabled" type="checkbox" defaultChecked={notice.sms_enabled} />{' '}
            {words.say('notice.by_sms')}
          </label>
          {TEXTS.map((name) => (
            <TemplateText
              key={name}
              name={name}
              label={words.say(`text.${name}`)}
              errors={errors(name)}
              fields={fields}
              rows={{ subject: 1, body: 10, sms_body: 4 }[name]}
              value={texts[name]}
              onText={(text) => setTexts((before) => ({ ...before, [name]: text }))}
            />
          ))}
          <div className="actions">
            <button type="submit">{words.say('save')}</button>
            {notice.customised ? (
              <button type="button" className="second" onClick={() => void save(true)}>
                {words.say('notice.default')}
              </button>
            ) : null}
          </div>
        </form>
        <div>
          <div className="tools">
            <label>
              {words.say('preview.language')}
              <select
                value={language}
                onChange={(event) => setLanguage(isLanguage(event.target.value) ? event.target.value : own)}
              >
                {Object.entries(LANGUAGES).map(([code, name]) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <button type="button" className="second" onClick={test}>
              {words.say('test.to_me')}
            </button>
          </div>
          <Preview type={type} body={{ ...changed, language }} />
          {notice.customised || Object.keys(changed).length > 0 ? (
            <p className="soft small">{words.say('notice.one_language')}</p>
          ) : null}
        </div>
      </div>
    </>
  );
}

interface PreviewProps {
  readonly type: string;
  readonly body: Partial<Texts> & { readonly language: Language };
}

function Preview({ type, body }: PreviewProps) {
  const shown = usePreview('POST /communication/notification_types/{type}/preview', { params: { type }, body });
  if (shown.error)
    return (
      <p className="notice wrong" role="status">
        {problemOf(shown.error)?.message ?? ui.say('unreachable')}
      </p>
    );
  if (!shown.data) return null;
  const { subject, text, sms } = shown.data;
  return (
    <Kept read={shown}>
      <div className="letters" lang={body.language}>
        <Letter label={words.say('channel.email')} subject={subject} text={text} lang={body.language} />
        <Letter label={words.say('channel.sms')} subject={null} text={sms} lang={body.language} />
      </div>
    </Kept>
  );
}
