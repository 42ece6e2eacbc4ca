/** Shown if there is no offering type for courses yet, since a course needs one. */
import { Link } from '@tanstack/react-router';
import { Dialog } from '../../ui/dialog.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

export function NoOffering({ title, onClose }: { readonly title: string; readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{words.say('offering.none')}</p>
      <p>
        <Link to={`/${business}/settings/offerings` as string}>{words.say('offering.none.next')}</Link>
      </p>
    </Dialog>
  );
}
