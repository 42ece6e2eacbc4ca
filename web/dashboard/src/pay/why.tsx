/** An explanation of the pay of a session: the rate that applies, and the amounts that make up the pay. */
import { amountOf } from '../words/times.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { useCall } from '../app/calls.ts';

export interface WhyProps {
  readonly id: number;
  readonly name: string;
  readonly onClose: () => void;
}

export function Why({ id, name, onClose }: WhyProps) {
  const found = useCall('GET /instructor_pay_items/{id}/explain', { params: { id } });
  return (
    <Dialog title={name} onClose={onClose} side>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {!found.data && !found.error ? <Loading /> : null}
      {found.data ? (
        <>
          <p>{found.data.because}</p>
          <ul className="rows">
            {found.data.steps.map(({ name: step, amount, text }) => (
              <li key={step}>
                <span>{text}</span>
                <span className="end">{amountOf(amount)}</span>
              </li>
            ))}
          </ul>
          {found.data.pay ? (
            <p>
              <strong>{amountOf(found.data.pay)}</strong>
            </p>
          ) : null}
        </>
      ) : null}
    </Dialog>
  );
}
