/** A text to copy: a secret, a command, a piece of code. */
import './copy.css';
import { useRef } from 'react';
import { toast } from './toasts.tsx';
import { ui } from './words.ts';

export interface CopyProps {
  readonly text: string;
  /** name of the text */
  readonly label: string;
  readonly onCopied?: () => void;
}

export function Copy({ text, label, onCopied }: CopyProps) {
  const place = useRef<HTMLElement>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ text: ui.say('copied') });
    } catch {
      // Without HTTPS or permission, a browser copies only the selection.
      getSelection()?.selectAllChildren(place.current!);
    }
    onCopied?.();
  };
  return (
    <div className="copy">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code ref={place}>{text}</code>
      </pre>
      <button type="button" className="second" onClick={() => void copy()}>
        {ui.say('copy')} <span className="unseen">{label}</span>
      </button>
    </div>
  );
}
