/** A preview of a message: the text of the email or text message, without the frame of a mailbox. */
import './letter.css';

export interface LetterProps {
  /** null for a text message, which has none */
  readonly subject: string | null;
  readonly text: string;
  readonly label: string;
  /** BCP 47, if it differs from the language of the dashboard */
  readonly lang?: string;
}

const LINK = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)])/;

export function Letter({ subject, text, label, lang }: LetterProps) {
  const paragraphs = text.trim().split(/\n{2,}/);
  return (
    <article className={subject === null ? 'letter short' : 'letter'} aria-label={label} lang={lang}>
      {subject === null ? null : <p className="letter-subject">{subject}</p>}
      {paragraphs.map((paragraph, i) => (
        // The same paragraph may occur twice.
        // oxlint-disable-next-line react/no-array-index-key
        <p key={i}>{paragraph.split(LINK).map((part, n) => (n % 2 === 1 ? <u key={n}>{part}</u> : part))}</p>
      ))}
    </article>
  );
}
