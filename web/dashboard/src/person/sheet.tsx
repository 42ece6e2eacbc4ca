/** The card of the person whom the address names with `person`, at the side of any screen, which keeps its place. */
import { Link } from '@tanstack/react-router';
import { Dialog } from '../ui/dialog.tsx';
import { nameOf } from '../app/customers.ts';
import { PersonCard } from './card.tsx';
import { useAddress } from '../app/address.ts';
import { useBusiness } from '../app/business.ts';
import { useCard } from './read.ts';
import { words } from './words.ts';

export const { ready } = words;

export function PersonSheet({ id }: { readonly id: number }) {
  const { id: business } = useBusiness();
  const [, change] = useAddress();
  const { data } = useCard(id);
  return (
    <Dialog title={data ? nameOf(data) : words.say('title')} onClose={() => change({ person: undefined })} side>
      <PersonCard id={id} headed />
      {data ? (
        <p>
          <Link to={`/${business}/people/${id}` as string}>{words.say('page')}</Link>
        </p>
      ) : null}
    </Dialog>
  );
}
