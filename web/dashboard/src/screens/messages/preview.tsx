/** A preview of a broadcast, with sample values for its placeholders. */
import { Kept } from '../../ui/kept.tsx';
import { Letter } from '../../ui/letter.tsx';
import { problemOf } from '../../app/calls.ts';
import { ui } from '../../ui/words.ts';
import { usePreview } from '../../app/preview.ts';
import { words } from './words.ts';
import type { Draft } from './draft.ts';

export function Preview({ draft }: { readonly draft: Draft }) {
  const { channel, subject, message, html } = draft;
  const isMail = channel === 'email';
  const shown = usePreview(
    'POST /communication/broadcast_messages/preview',
    { body: { channel, message, ...(isMail && { subject: subject || null, html }) } },
    message.trim() !== '',
  );
  if (message.trim() === '') return <p className="soft">{words.say('preview.nothing')}</p>;
  if (shown.error)
    return (
      <p className="notice wrong" role="status">
        {problemOf(shown.error)?.message ?? ui.say('unreachable')}
      </p>
    );
  if (!shown.data) return null;
  return (
    <Kept read={shown}>
      <Letter
        label={words.say('preview')}
        subject={isMail ? (shown.data.subject ?? '') : null}
        text={shown.data.text}
      />
      {html !== null && isMail ? <p className="soft small">{words.say('preview.html')}</p> : null}
    </Kept>
  );
}
