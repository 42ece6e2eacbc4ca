/** A secret that the interface returns only once. */
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { words } from './words.ts';

export interface Issued {
  /** name of the object that the secret belongs to */
  readonly of: string;
  readonly secret: string;
}

export function Secret({ issued, onClose }: { readonly issued: Issued; readonly onClose: () => void }) {
  return (
    <Dialog title={words.say('secret.title', { of: issued.of })} onClose={onClose}>
      <p>{words.say('secret.once')}</p>
      <Copy text={issued.secret} label={words.say('secret')} />
      <div className="actions">
        <button type="button" onClick={onClose}>
          {words.say('secret.kept')}
        </button>
      </div>
    </Dialog>
  );
}
